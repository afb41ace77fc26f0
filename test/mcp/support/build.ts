import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), '9plan-server-'));

/** The bundled server, built once for a run and apart from `dist/`, which others may be rebuilding. */
export const SERVER = join(folder, 'mcp-server.js');

export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    this.timeout(60_000);
    execFileSync(process.execPath, ['esbuild.mjs', `--server-to=${folder}`], { cwd: root, stdio: 'inherit' });
  },
  afterAll(): void {
    rmSync(folder, { recursive: true, force: true });
  },
};
