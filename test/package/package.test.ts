import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { npmCommand } from '../../scripts/lib/run.mjs';
import { LineClient } from '../support/lineClient';
import { zipListing } from './zipListing';

const root = join(__dirname, '../..');
const extension = join(root, 'dist/extension.js');
const pages = readdirSync(join(root, 'src/webview')).flatMap((name) => /^(\w+)\.entry\.tsx?$/.exec(name)?.[1] ?? []);
const built = [
  'dist/THIRD-PARTY-NOTICES.txt',
  ...partsOf(extension),
  'dist/mcp-server.js',
  'dist/mcpEvents.js',
  'dist/mcpService.js',
  'dist/sql-wasm.wasm',
  'dist/tools.json',
  ...pages.flatMap((page) => [`dist/webview/${page}.css`, `dist/webview/${page}.js`]),
];
const texts = ['l10n/bundle.l10n.zh-cn.json', 'package.json', 'package.nls.json', 'package.nls.zh-cn.json'];
const skill = ['skill/9plan/SKILL.md'];
const media = ['9plan.svg', 'icon.png', 'plan.tmLanguage.json', 'walkthrough/queue.svg'].map((name) => `media/${name}`);

describe('the packages', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), '9plan-package-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  describe('for VS Code', () => {
    let vsix: string;
    let output: string;
    before(() => {
      vsix = join(folder, '9plan.vsix');
      const args = ['scripts/package.mjs', '--no-build', '--out', vsix];
      const made = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
      output = made.stdout + made.stderr;
      assert.equal(made.status, 0, output);
    });

    it('is made without a warning', () => {
      assert.doesNotMatch(output, /warn|error/i);
    });

    it('holds what it needs and nothing else', () => {
      const files = ['LICENSE.txt', 'changelog.md', 'readme.md', ...texts, ...built, ...media, ...skill];
      const expected = ['[Content_Types].xml', 'extension.vsixmanifest', ...files.map((name) => `extension/${name}`)];
      assert.deepEqual(zipListing(vsix).sort(), expected.sort());
    });

    it('is smaller than 1.5 MB', () => {
      assert.ok(statSync(vsix).size < 1.5e6, `${statSync(vsix).size} bytes`);
    });
  });

  describe('for npm', () => {
    let tarball: string;
    let packed: { filename: string; files: { path: string }[] };
    before(() => {
      [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
      tarball = join(folder, packed.filename);
    });

    it('holds the same files', () => {
      const expected = ['LICENSE', 'CHANGELOG.md', 'README.md', ...texts, ...built, ...media, ...skill];
      assert.deepEqual(packed.files.map((file) => file.path).sort(), expected.sort());
    });

    it('starts the server with npx, in an empty folder, and leaves nothing there', async () => {
      const elsewhere = join(folder, 'elsewhere');
      const store = join(folder, 'store');
      mkdirSync(elsewhere);
      const [command, ...args] = npmCommand([
        'exec',
        '--yes',
        '--prefix',
        elsewhere,
        '--package',
        tarball,
        '9plan-mcp',
      ]);
      const client = new LineClient(command, args, {
        NINEPLAN_SESSIONS_PATH: store,
        npm_config_cache: join(folder, 'cache'),
      });
      await client.initialize();
      const { session_name } = await client.call('9plan_session_create', { task_description: 'From a package' });
      assert.match(String(session_name), /^\w+-\w+-\w+/);
      await client.close();
      assert.ok(existsSync(store));
      assert.deepEqual(readdirSync(elsewhere), []);
    });
  });

  it('have an extension of which little is loaded before something is asked of it', () => {
    const script = `
      const Module = require('node:module');
      const load = Module._load;
      const vscode = new Proxy({}, { get: () => class {} });
      Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
      require(process.argv[1]);
      console.log(JSON.stringify(Object.keys(require.cache)));`;
    const loaded: string[] = JSON.parse(
      execFileSync(process.execPath, ['-e', script, extension], { encoding: 'utf8' }),
    );
    const size = loaded.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(loaded.includes(extension) && size < 100_000, `${size} bytes in ${loaded}`);
  });

  it('have each module in one part of the extension alone, so that an error is of the same class for all', () => {
    const maps = partsOf(extension).map((name) => JSON.parse(readFileSync(join(root, `${name}.map`), 'utf8')));
    const modules: string[] = maps.flatMap(({ sources }) => sources).filter((name) => name.startsWith('../src/'));
    assert.ok(modules.includes('../src/planner/errors.ts') && modules.includes('../src/store/workspaceStore.ts'));
    assert.deepEqual(
      modules.filter((name, index) => modules.indexOf(name) !== index),
      [],
    );
  });

  it('name the licence of everything that is bundled', () => {
    const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/sdk', 'nanoid', 'preact', 'sql.js', 'unique-names-generator', 'zod']) {
      assert.match(notices, new RegExp(`^--- ${name} \\d\\S* \\(MIT\\)\\n\\n.{20,}`, 'ms'));
    }
    assert.doesNotMatch(notices, /^--- .*\((?!MIT|ISC|BSD|Apache)/m);
  });
});

/** The bundle with all that it requires of its own files, now or later, as they are named in the packages. */
function partsOf(file: string, found = new Set<string>()): string[] {
  found.add(`dist/${basename(file)}`);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/\brequire\("\.\/([^"]+)"\)/g)) {
    if (!found.has(`dist/${name}`)) partsOf(join(root, 'dist', name as string), found);
  }
  return [...found];
}

function npm(args: string[], cwd: string): string {
  const [command, ...rest] = npmCommand(args);
  return execFileSync(command, rest, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
