import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const readme = read('README.md');
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

describe('README.md', () => {
  it('describes the tools and settings as they are', () => {
    const { status, stderr } = checkReference(join(root, 'README.md'));
    assert.equal(status, 0, stderr);
  });

  it('would be found out of date', () => {
    const folder = mkdtempSync(join(tmpdir(), '9plan-readme-'));
    const stale = join(folder, 'README.md');
    writeFileSync(stale, readme.replace('`9plan_queue_pull`', '`9plan_queue_take`'));
    assert.equal(checkReference(stale).status, 1);
    rmSync(folder, { recursive: true });
  });

  it('names every variable that the server reads, and no other', () => {
    const variables = (text: string) => [...new Set(text.match(/\b(?:NINEPLAN|PLAN_MODE)_[A-Z_]+\b/g))].sort();
    const known = variables(read('src/mcp/config.ts')).filter((name) => name !== 'PLAN_MODE_DB_PATH');
    assert.deepEqual(variables(readme), known);
  });

  it('gives the two commands to begin with, which exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, name] of readme.matchAll(/npm (?:run )?(start|test|[a-z]+)\b/g)) {
      if (!['registry', 'pack', 'install'].includes(name as string))
        assert.ok(name && scripts[name], `npm run ${name}`);
    }
    assert.match(readme, /^npm start\b/m);
    assert.match(readme, /^npm test\b/m);
  });

  it('names commands as the palette does', () => {
    const texts: Record<string, string> = JSON.parse(read('package.nls.json'));
    const titles = new Set(Object.values(texts));
    for (const [, title] of readme.replaceAll('\n', ' ').matchAll(/\*\*9plan: ([^*]+)\*\*/g)) {
      assert.ok(titles.has(title?.replace(/\s+/g, ' ') as string), title);
    }
  });
});

describe('the documents', () => {
  for (const name of documents) {
    it(`${name} leads to files that exist`, () => {
      for (const [, target] of read(name).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
        assert.ok(existsSync(join(root, dirname(name), target as string)), target);
      }
    });
  }

  it('name every event of the journal', () => {
    const inCode = [...read('src/planner/events.ts').matchAll(/type: '(\w+)'/g)].map(([, type]) => type);
    const table = read('docs/store-format.md').split('## Events')[1]?.split('\n## ')[0] ?? '';
    const inText = [...table.matchAll(/`(\w+_\w+)`/g)].map(([, type]) => type);
    assert.deepEqual(inText.sort(), inCode.sort());
  });

  it('name for each threat the tests that try it, which exist', () => {
    const rows = read('docs/threat-model.md')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2);
    assert.ok(rows.length > 15);
    for (const row of rows) {
      const tried = row.split(' | ').at(-1) ?? '';
      const tests = [...tried.matchAll(/`(test\/[\w./]+)`: ((?:"[^"]+"(?:, )?)+)/g)];
      assert.ok(tests.length > 0, `no test: ${row}`);
      for (const [, file = '', titles = ''] of tests) {
        const text = read(file);
        for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g))
          assert.ok(text.includes(title), `${file}: ${title}`);
      }
    }
  });

  it('keep a changelog with a heading for each version, the newest first', () => {
    const versions = [...read('CHANGELOG.md').matchAll(/^## \[([^\]]+)\](?: - \d{4}-\d\d-\d\d)?$/gm)].map(([, v]) => v);
    assert.equal(versions[0], 'Unreleased');
    assert.match(read('CHANGELOG.md'), /^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/m);
  });
});

function checkReference(file: string): { status: number | null; stderr: string } {
  const args = ['--import', 'tsx', 'scripts/reference.mjs', '--check', file];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}
