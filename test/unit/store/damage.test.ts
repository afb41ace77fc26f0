import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { realDisk } from '../../../src/store/disk';
import { encodeRecord } from '../../../src/store/journalRecord';
import type { WorkspaceStore } from '../../../src/store/workspaceStore';
import { FaultyDisk } from '../../support/faultyDisk';
import { addSession, changesOf, newSessionName, StoreBench, sessionsOf, until } from '../../support/openStore';

describe('A damaged journal', () => {
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(() => bench.end());

  /** Flips a bit inside the line that has this text in it, in place: whoever has the file open sees it. */
  function damage(journal: string, text: string): void {
    const path = bench.path(journal);
    const bytes = readFileSync(path);
    const at = bytes.indexOf(text);
    assert.ok(at > 0);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(path, bytes, { flag: 'r+' });
  }

  async function issuesOf(store: WorkspaceStore): Promise<string> {
    const issues = await store.read((view) => view.inconsistencies(''));
    return issues.map(({ invariant, issue }) => `${invariant}: ${issue}`).join('\n');
  }

  async function add(store: WorkspaceStore, count: number): Promise<string[]> {
    const names: string[] = [];
    for (let n = 0; n < count; n++) names.push(await addSession(store));
    return names;
  }

  it('loses only the record that is damaged: those after it still count', async () => {
    const names = await add(bench.open(), 5);
    damage('journal-1.ndjson', names[2] as string);
    const kept = names.filter((_, n) => n !== 2);
    const store = bench.open();
    assert.deepEqual(await sessionsOf(store), kept.sort());
    assert.match(await issuesOf(store), /store: .*journal-1.ndjson is damaged/);
  });

  it('is kept as a copy although one of another damage is there', async () => {
    const names = await add(bench.open(), 3);
    writeFileSync(bench.path('damaged-journal-1-long-ago.ndjson'), 'another');
    writeFileSync(bench.path('damaged-journal-10-long-ago.ndjson'), 'another');
    damage('journal-1.ndjson', names[1] as string);
    const damaged = readFileSync(bench.path('journal-1.ndjson'));
    await addSession(bench.open());
    const copies = bench.files(/^damaged/).map((name) => readFileSync(bench.path(name)));
    assert.ok(copies.some((copy) => copy.equals(damaged)));
  });

  it('is rolled over before the next change, and a copy of it is kept and reported', async () => {
    const names = await add(bench.open(), 5);
    damage('journal-1.ndjson', names[2] as string);
    const damaged = readFileSync(bench.path('journal-1.ndjson'));
    const kept = names.filter((_, n) => n !== 2);
    const [store, other] = [bench.open(), bench.open()];
    await sessionsOf(other);
    kept.push(await addSession(store));
    assert.deepEqual(bench.files(/^journal/), ['journal-1.ndjson', 'journal-2.ndjson']);
    const [copy] = bench.files(/^damaged/);
    assert.deepEqual(readFileSync(bench.path(copy as string)), damaged);
    kept.push(await addSession(other));
    for (const seen of [store, other, bench.open()]) {
      assert.deepEqual(await sessionsOf(seen), [...kept].sort());
      assert.match(await issuesOf(seen), /store: .*damaged-journal-1/);
    }
  });

  it('leaves a running process what it knows: that is kept when others go on without it', async () => {
    const knowing = bench.open();
    const names = await add(knowing, 5);
    damage('journal-1.ndjson', names[2] as string);
    const fresh = bench.open();
    const added = await addSession(fresh);
    assert.deepEqual(await sessionsOf(knowing), [...names.filter((_, n) => n !== 2), added].sort());
    const [rescue] = bench.files(/^rescue/);
    assert.match(readFileSync(bench.path(rescue as string), 'utf8'), new RegExp(names[2] as string));
    assert.match(await issuesOf(fresh), /rescue-/);
  });

  it('is told to listeners as a change of anything', async () => {
    const knowing = bench.open();
    const seen = changesOf(knowing);
    const names = await add(knowing, 3);
    damage('journal-1.ndjson', names[1] as string);
    await addSession(bench.open());
    await until(() => seen.some(({ events }) => events.length === 0));
  });

  it('whose last record is damaged is noticed by those who had read it', async () => {
    const knowing = bench.open();
    const names = await add(knowing, 3);
    const path = bench.path('journal-1.ndjson');
    const bytes = readFileSync(path);
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
    writeFileSync(path, bytes, { flag: 'r+' });
    const added = await addSession(knowing);
    for (const seen of [knowing, bench.open()])
      assert.deepEqual(await sessionsOf(seen), [...names.slice(0, 2), added].sort());
    const [rescue] = bench.files(/^rescue/);
    assert.match(readFileSync(bench.path(rescue as string), 'utf8'), new RegExp(names[2] as string));
  });

  it('counts a command once, of which the attempt that lost its race stands there too', async () => {
    const store = bench.open();
    const [session] = (await add(store, 1)) as [string];
    await store.close();
    const last = JSON.parse(readFileSync(bench.path('journal-1.ndjson'), 'utf8').trimEnd().split('\n').at(-1) ?? '');
    const describe = (seq: number, prev: string, id: string, minute: number) =>
      encodeRecord({
        seq,
        prev,
        id,
        at: `2026-01-01T00:0${minute}:00.000Z`,
        by: 'test',
        events: [{ type: 'session_described', session, taskDescription: id }],
      });
    const won = describe(last.seq + 1, last.sum, 'winner', 1);
    const lost = describe(last.seq + 1, last.sum, 'loser', 2);
    const again = describe(last.seq + 2, won.sum, 'loser', 3);
    writeFileSync(bench.path('journal-1.ndjson'), Buffer.concat([won.line, lost.line, again.line]), { flag: 'a' });
    const changedAt = async () => (await bench.open().read((view) => view.sessions()))[0]?.changedAt;
    assert.equal(await changedAt(), '2026-01-01T00:03:00.000Z');
    damage('journal-1.ndjson', '"winner"');
    assert.equal(await changedAt(), '2026-01-01T00:02:00.000Z', 'the lost attempt counts, and the other one no more');
  });

  it('found in the midst of a change does not make that change happen twice', async () => {
    const faulty = new FaultyDisk();
    const store = bench.open({ disk: faulty.disk });
    const names = await add(store, 3);
    let runs = 0;
    faulty.breaks({
      write: (fd, bytes) => {
        faulty.breaks({});
        damage('journal-1.ndjson', names[2] as string);
        const tail = readFileSync(bench.path('journal-1.ndjson'));
        tail[tail.length - 5] = (tail[tail.length - 5] as number) ^ 1;
        writeFileSync(bench.path('journal-1.ndjson'), tail, { flag: 'r+' });
        return realDisk.write(fd, bytes);
      },
    });
    const added = newSessionName();
    const value = await store.transact('test', (tx) => {
      runs++;
      tx.emit({ type: 'session_created', session: added, taskDescription: null });
      return runs;
    });
    assert.deepEqual([value, runs], [1, 1]);
    const expected = [...names.slice(0, 2), added];
    for (const seen of [store, bench.open()]) assert.deepEqual(await sessionsOf(seen), expected);
  });

  it('whose beginning is damaged goes on from the end of the one before', async () => {
    const store = bench.open();
    const names = await add(store, 3);
    await store.compact();
    names.push(...(await add(store, 2)));
    await store.close();
    damage('journal-2.ndjson', names[1] as string);
    const next = bench.open();
    assert.deepEqual(await sessionsOf(next), [...names].sort());
    names.push(await addSession(next));
    assert.deepEqual(bench.files(/^journal/), ['journal-2.ndjson', 'journal-3.ndjson']);
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
  });

  it('whose beginning is damaged, and there is none before, keeps all records that still make sense', async () => {
    const store = bench.open();
    const names = await add(store, 3);
    await store.close();
    damage('journal-1.ndjson', '"genesis"');
    const next = bench.open();
    assert.deepEqual(await sessionsOf(next), [...names].sort());
    names.push(await addSession(next));
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
  });

  it('keeps the plans of a session whose creation is lost', async () => {
    const store = bench.open();
    const names = (await add(store, 2)) as [string, string];
    const sections = { context: '', goal: 'g', inputs: '', outputs: '', approach: '', successCriteria: '', notes: '' };
    for (const [n, session] of names.entries()) {
      await store.transact('test', (tx) =>
        tx.emit({ type: 'plan_added', plan: `aaaa${n}`, session, position: 1, sections, parent: null }),
      );
    }
    await store.close();
    damage('journal-1.ndjson', names[0]);
    const next = bench.open();
    assert.deepEqual(await sessionsOf(next), [...names].sort());
    await addSession(next);
    const plans = await bench.open().read((view) => names.map((name) => view.queue(name).map(({ id }) => id)));
    assert.deepEqual(plans, [['aaaa0'], ['aaaa1']]);
  });

  it('with junk between its records is not damaged', async () => {
    const store = bench.open();
    const names = await add(store, 2);
    for (const junk of ['\n', 'junk\n', '{"v":1}\n', '\0\0\0\n', '\x18\n', `${'x'.repeat(400_000)}\n`]) {
      writeFileSync(bench.path('journal-1.ndjson'), junk, { flag: 'a' });
      names.push(await addSession(store));
    }
    for (const seen of [store, bench.open()]) {
      assert.deepEqual(await sessionsOf(seen), [...names].sort());
      assert.equal(await issuesOf(seen), '');
    }
  });
});
