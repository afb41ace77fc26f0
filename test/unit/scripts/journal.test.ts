import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addSession, StoreBench } from '../../support/openStore';

const root = join(__dirname, '../../..');

function printed(...args: string[]): string[] {
  const command = ['--import', 'tsx', 'scripts/journal.mjs', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

describe('npm run journal', () => {
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(() => bench.end());

  it('prints each record, and marks what does not count', async () => {
    const store = bench.open();
    await addSession(store, 'calm-teal-otter');
    await addSession(store, 'wild-red-fox');
    const journal = bench.path('journal-1.ndjson');
    const lines = readFileSync(journal, 'utf8').split('\n');
    appendFileSync(journal, `${lines[1]}\n{"v":1,"seq":4`);

    const [file, ...records] = printed(bench.folder);
    assert.equal(file, journal);
    assert.equal(records.length, 5);
    assert.match(records[0] ?? '', /^ +0 {2}#1 .* genesis 1\/1$/);
    assert.match(records[1] ?? '', /#2 .* test {2}session_created calm-teal-otter$/);
    assert.match(records[2] ?? '', /#3 .* session_created wild-red-fox$/);
    assert.match(records[3] ?? '', /void {2}#2 /);
    assert.match(records[4] ?? '', /torn {2}14 bytes$/);
  });

  it('prints nothing that acts on a terminal, whatever stands in a journal', async () => {
    const strange = '\u001b]0;title\u0007\u009b31m\u202Eyb';
    const store = bench.open();
    await store.transact(strange, (tx) =>
      tx.emit({ type: 'session_created', session: 'calm-teal-otter', taskDescription: strange }),
    );
    for (const flags of [[], ['--events']]) {
      assert.doesNotMatch(printed(bench.folder, ...flags).join(' '), /[\p{Cc}\u202E]/u);
    }
    const line = printed(bench.folder, '--events').at(-1) ?? '';
    assert.equal(JSON.parse(line.slice(line.indexOf('{'))).taskDescription, strange);
  });

  it('prints the end alone, and events whole, when asked', async () => {
    await addSession(bench.open(), 'calm-teal-otter', 'A task');
    const lines = printed(bench.folder, '--last', '1', '--events');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /"taskDescription":"A task"/);
  });
});
