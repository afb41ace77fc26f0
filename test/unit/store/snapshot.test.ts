import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { realDisk } from '../../../src/store/disk';
import { readSnapshot } from '../../../src/store/snapshot';
import { loadSqlJs } from '../../../src/store/sqlJs';
import { FaultyDisk, systemError } from '../../support/faultyDisk';
import { addSession, isRefusal, newSessionName, StoreBench, sessionsOf } from '../../support/openStore';

describe('A snapshot', () => {
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(() => bench.end());

  const journal = () => bench.path('journal-1.ndjson');
  const db = () => bench.path('store.db');

  /** A store that was closed by a server. */
  async function closedStore(count = 3): Promise<string[]> {
    const store = bench.open({ snapshots: true });
    const names: string[] = [];
    for (let n = 0; n < count; n++) names.push(await addSession(store));
    await store.close();
    return names;
  }

  /** Breaks the journal's beginning, so that only a snapshot makes it readable without loss. */
  function breakBeginning(name: string): void {
    const bytes = readFileSync(journal());
    bytes[bytes.indexOf(name)] = 0x58;
    writeFileSync(journal(), bytes);
  }

  it('is written on close by servers, not by editors, and is a SQLite file', async () => {
    await closedStore();
    const sqlJs = await loadSqlJs();
    const database = new sqlJs.Database(readFileSync(db()));
    assert.equal(database.exec('SELECT count(*) FROM sessions')[0]?.values[0]?.[0], 3);
    database.close();
    if (process.platform !== 'win32') assert.equal(statSync(db()).mode & 0o777, 0o600);
    assert.deepEqual(bench.files(/tmp/), []);
    rmSync(db());
    const editor = bench.open();
    await addSession(editor);
    await editor.close();
    assert.equal(existsSync(db()), false);
  });

  it('saves reading what it covers, and the tail is taken from the journal', async () => {
    const names = await closedStore();
    const late = bench.open();
    names.push(await addSession(late));
    breakBeginning(names[0] as string);
    const store = bench.open();
    assert.deepEqual(await sessionsOf(store), [...names].sort());
    assert.deepEqual(await store.read((view) => view.inconsistencies('')), []);
    assert.deepEqual(bench.files(/^rescue/), []);
  });

  it('with a single bit flipped is not used', async () => {
    const names = await closedStore();
    const bytes = readFileSync(db());
    for (const at of [0, 20, 100, bytes.indexOf(names[1] as string), bytes.length - 10]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] as number) ^ 4;
      writeFileSync(db(), flipped);
      assert.deepEqual(await sessionsOf(bench.open()), [...names].sort(), `byte ${at}`);
    }
    for (const length of [0, 10, 100, bytes.length - 1]) {
      writeFileSync(db(), bytes.subarray(0, length));
      assert.deepEqual(await sessionsOf(bench.open()), [...names].sort(), `${length} bytes`);
    }
  });

  describe('that came with a folder', () => {
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)';
    const planted: Record<string, string> = {
      'a view that never ends in place of a table': `DROP TABLE commands;
        CREATE VIEW commands AS ${endless} SELECT x AS number, x AS id FROM n`,
      'a condition that never ends': `ALTER TABLE meta RENAME TO held;
        CREATE VIEW meta AS SELECT * FROM held WHERE (${endless} SELECT count(*) FROM n) > 0`,
      'a trigger': `CREATE TRIGGER more AFTER INSERT ON sessions BEGIN
        INSERT INTO sessions SELECT hex(randomblob(8)), 0, 0, 0, '', '', NULL, NULL; END`,
      'one table more': 'CREATE TABLE more (x)',
    };
    for (const [what, sql] of Object.entries(planted)) {
      it(`with ${what}, its checksum right, is not used`, async () => {
        const names = await closedStore();
        const sqlJs = await loadSqlJs();
        const database = new sqlJs.Database(readFileSync(db()).subarray(0, -32));
        database.run(sql);
        const image = Buffer.from(database.export());
        database.close();
        writeFileSync(db(), Buffer.concat([image, createHash('sha256').update(image).digest()]));
        const store = bench.open();
        names.push(await addSession(store));
        assert.deepEqual(await sessionsOf(store), names.sort());
      });
    }

    it('and is far larger than any state is not read', async () => {
      const names = await closedStore();
      // Takes no room on the disk, but would take it in memory.
      truncateSync(db(), 1.5 * 1024 ** 3);
      assert.equal((await readSnapshot(realDisk, bench.folder))?.image.length, 0);
      assert.deepEqual(await sessionsOf(bench.open()), names.sort());
    });
  });

  it('that is ahead of the journal is kept aside and reported', async () => {
    const store = bench.open({ snapshots: true });
    const names = [await addSession(store)];
    copyFileSync(journal(), bench.path('copy'));
    const lost = await addSession(store);
    await store.close();
    copyFileSync(bench.path('copy'), journal());
    const ahead = readFileSync(db());
    const next = bench.open({ snapshots: true });
    assert.deepEqual(await sessionsOf(next), names);
    const [rescue] = bench.files(/^rescue-.*\.db$/);
    assert.deepEqual(readFileSync(bench.path(rescue as string)), ahead);
    assert.ok(ahead.includes(lost));
    const issues = await next.read((view) => view.inconsistencies(''));
    assert.ok(issues.some(({ invariant, issue }) => invariant === 'store' && issue.includes('rescue-')));
    names.push(await addSession(next));
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
  });

  it('of another history than the journal, which has grown beyond it, is kept aside', async () => {
    const store = bench.open({ snapshots: true });
    const names = [await addSession(store)];
    copyFileSync(journal(), bench.path('copy'));
    await addSession(store);
    await store.close();
    copyFileSync(bench.path('copy'), journal());
    copyFileSync(db(), bench.path('copy.db'));
    rmSync(db());
    const editor = bench.open();
    for (let n = 0; n < 5; n++) names.push(await addSession(editor));
    copyFileSync(bench.path('copy.db'), db());
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
    assert.equal(bench.files(/^rescue-.*\.db$/).length, 1);
  });

  it('from before a rollover is simply behind', async () => {
    const names = await closedStore();
    const editor = bench.open();
    names.push(await addSession(editor));
    await editor.compact();
    names.push(await addSession(editor));
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
    assert.deepEqual(bench.files(/^rescue/), []);
    assert.ok(existsSync(db()));
  });

  it('brings a store back whose journal is missing', async () => {
    const names = await closedStore();
    rmSync(journal());
    const store = bench.open();
    assert.deepEqual(await sessionsOf(store), [...names].sort());
    assert.equal(existsSync(journal()), false, 'reading writes nothing');
    names.push(await addSession(store));
    await store.close();
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
    rmSync(db());
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
    assert.deepEqual(bench.files(/^rescue/), []);
  });

  it('brings it back once, if several come upon it at once', async () => {
    const names = await closedStore();
    rmSync(journal());
    const stores = [bench.open(), bench.open(), bench.open()];
    names.push(...(await Promise.all(stores.map((store) => addSession(store)))));
    for (const store of [...stores, bench.open()]) assert.deepEqual(await sessionsOf(store), [...names].sort());
  });

  it('that is damaged, with no journal, makes the store refuse rather than begin an empty one', async () => {
    await closedStore();
    rmSync(journal());
    writeFileSync(db(), 'not a database');
    const store = bench.open();
    await assert.rejects(sessionsOf(store), isRefusal('DATABASE_ERROR', /journal is missing/));
    await assert.rejects(addSession(store), isRefusal('DATABASE_ERROR', /Nothing was changed/));
    assert.deepEqual(bench.files(/journal/), []);
    rmSync(db());
    assert.deepEqual(await sessionsOf(store), []);
  });

  it('is not needed: plan files alone bring their queues back', async () => {
    const session = newSessionName();
    mkdirSync(bench.path(`${session}/plans`), { recursive: true });
    writeFileSync(bench.path(`${session}/plans/aaaa1.txt`), '# Context\nc\n\n# Goal\nfirst\n');
    writeFileSync(bench.path(`${session}/plans/bbbb2.txt`), 'above\n# Goal\nsecond\n# Notes\nn');
    writeFileSync(bench.path(`${session}/plans/cccc3.txt`), 'no headings at all');
    const before = readFileSync(bench.path(`${session}/plans/bbbb2.txt`), 'utf8');
    const store = bench.open();
    const queue = await store.read((view) => view.queue(session));
    assert.deepEqual(
      queue.map(({ id, goal }) => [id, goal]),
      [
        ['aaaa1', 'first'],
        ['bbbb2', 'second'],
        ['cccc3', 'no headings at all'],
      ],
    );
    assert.deepEqual(bench.files(/journal/), []);
    await addSession(store);
    const again = bench.open();
    assert.equal((await again.read((view) => view.plan('bbbb2')))?.context, 'above');
    assert.equal(readFileSync(bench.path(`${session}/plans/bbbb2.txt`), 'utf8'), before);
  });

  it('is not needed: plan files bring back no NUL, and one that stands in the way costs no memory however often it is met', async () => {
    const session = newSessionName();
    mkdirSync(bench.path(`${session}/plans/bbbb2.txt`), { recursive: true });
    writeFileSync(bench.path(`${session}/plans/aaaa1.txt`), '# Goal\nfirst\0\n');
    const store = bench.open();
    const fails = () => assert.rejects(sessionsOf(store), isRefusal('FILE_SYSTEM_ERROR', /bbbb2/));
    await fails();
    const { external } = process.memoryUsage();
    for (let look = 0; look < 200; look++) await fails();
    assert.ok(process.memoryUsage().external - external < 100_000_000);
    rmdirSync(bench.path(`${session}/plans/bbbb2.txt`));
    assert.equal((await store.read((view) => view.plan('aaaa1')))?.goal, 'first\uFFFD');
  });

  it('that cannot be written harms nothing', async () => {
    for (const fault of ['openNew', 'rename', 'syncData'] as const) {
      const faulty = new FaultyDisk();
      const store = bench.open({ snapshots: true, disk: faulty.disk });
      const name = await addSession(store);
      faulty.breaks({
        [fault]: () => {
          throw systemError('ENOSPC');
        },
      });
      await store.close();
      assert.deepEqual(bench.files(/store\.db/), [], fault);
      assert.ok((await sessionsOf(bench.open())).includes(name));
    }
  });

  it('left unfinished by a killed server is removed in time', async () => {
    await closedStore();
    writeFileSync(bench.path('store.db.old.tmp'), 'x');
    writeFileSync(bench.path('store.db.new.tmp'), 'x');
    utimesSync(bench.path('store.db.old.tmp'), new Date(0), new Date(0));
    await closedStore();
    assert.deepEqual(bench.files(/tmp/), ['store.db.new.tmp']);
  });
});
