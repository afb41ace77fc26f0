import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Launcher } from '../../../src/vscode/connect/launcher';

/** Says which server runs, in which mode and with which arguments. */
const SERVER = 'console.log(JSON.stringify([__dirname, process.env.ELECTRON_RUN_AS_NODE, ...process.argv.slice(2)]));';

describe('the launcher for other agents', () => {
  let folder: string;
  let memory: Map<string, unknown>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "9plan it's a "));
    memory = new Map();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const storage = () => join(folder, 'global storage');
  function install(version: string): string {
    const script = join(folder, 'extensions', `nineplan.9plan-${version}`, 'dist', 'mcp-server.js');
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, SERVER);
    return script;
  }
  const launcher = (serverScript: string, runtime = process.execPath, platform: NodeJS.Platform = 'linux') =>
    new Launcher(
      storage(),
      { runtime, serverScript, platform },
      { get: <T>(key: string) => memory.get(key) as T, update: async (key, value) => void memory.set(key, value) },
    );
  const ran = (one: Launcher): string[] => {
    const { command, args } = one.launch({});
    return JSON.parse(execFileSync(command, [...args, 'an argument'], { encoding: 'utf8' }));
  };

  if (process.platform !== 'win32') {
    it('starts the server on the given runtime, from folders with any name', async () => {
      const script = install('0.1.0');
      const one = launcher(script);
      await one.write();
      assert.deepEqual(ran(one), [dirname(script), '1', 'an argument']);
    });

    it('finds the server of an update that no window has seen yet', async () => {
      const old = install('0.1.0');
      const one = launcher(old);
      await one.write();
      rmSync(dirname(dirname(old)), { recursive: true });
      const updated = install('0.2.0');
      assert.deepEqual(ran(one), [dirname(updated), '1', 'an argument']);
    });

    it('falls back to the node on the path when the editor is gone', async () => {
      const one = launcher(install('0.1.0'), join(folder, 'gone'));
      await one.write();
      const { command } = one.launch({});
      const path = [dirname(process.execPath), process.env.PATH].join(':');
      assert.equal(spawnSync(command, { env: { PATH: path } }).status, 0);
    });

    it('says what to do when there is nothing to start', async () => {
      const script = install('0.1.0');
      await launcher(script, join(folder, 'gone')).write();
      const without = (env: Record<string, string>) => spawnSync(launcher(script).file, { env, encoding: 'utf8' });
      const noNode = without({ PATH: '/nowhere' });
      assert.equal(noNode.status, 1);
      assert.match(noNode.stderr, /there is no node: open the editor once/);
      rmSync(dirname(dirname(script)), { recursive: true });
      const noServer = without({ PATH: process.env.PATH ?? '' });
      assert.equal(noServer.status, 1);
      assert.match(noServer.stderr, /install the extension/);
    });
  }

  it('is written only when it says something new', async () => {
    const one = launcher(install('0.1.0'));
    await one.write();
    const written = statSync(one.file).ino;
    await one.write();
    assert.equal(statSync(one.file).ino, written);
    await launcher(install('0.2.0')).write();
    assert.match(readFileSync(one.file, 'utf8'), /nineplan\.9plan-0\.2\.0/);
  });

  it('is renewed after an update only where it was in use', async () => {
    await launcher(install('0.1.0')).renew();
    assert.ok(!existsSync(storage()));
    await launcher(install('0.1.0')).write();
    const updated = launcher(install('0.2.0'));
    await updated.renew();
    assert.match(readFileSync(updated.file, 'utf8'), /nineplan\.9plan-0\.2\.0/);
    rmSync(storage(), { recursive: true });
    await launcher(install('0.3.0')).renew();
    assert.ok(!existsSync(storage()));
  });

  it('is a batch file on Windows, with the characters that mean something there escaped', async () => {
    const script = 'C:\\Users\\100% me\\.vscode\\extensions\\nineplan.9plan-0.1.0\\dist\\mcp-server.js';
    const one = launcher(script, 'C:\\Program Files\\Code.exe', 'win32');
    await one.write();
    assert.deepEqual(one.launch({ A: '1' }), { command: 'cmd', args: ['/c', one.file], env: { A: '1' } });
    const text = readFileSync(one.file, 'utf8');
    assert.match(text, /set "server=C:\\Users\\100%% me\\/);
    assert.match(text, /in \("C:\\Users\\100%% me\\\.vscode\\extensions\\nineplan\.9plan-\*"\)/);
    assert.doesNotMatch(text, /[^\r]\n/);
  });
});
