import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { ChangeStream, type StreamItem } from '../../../src/store/changeStream';
import { realDisk } from '../../../src/store/disk';
import { JournalFolder } from '../../../src/store/journalFolder';
import { encodeRecord } from '../../../src/store/journalRecord';
import type { WorkspaceStore } from '../../../src/store/workspaceStore';
import { addSession, StoreBench } from '../../support/openStore';

describe('A stream of changes', () => {
  let bench: StoreBench;
  const streams: ChangeStream[] = [];
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) await stream.close();
    await bench.end();
  });

  function streamFrom(since: number | undefined): ChangeStream {
    const stream = new ChangeStream(new JournalFolder(realDisk, bench.folder), since);
    streams.push(stream);
    return stream;
  }

  /** Names of the sessions that were created, and notices as they are called. */
  async function news(stream: ChangeStream): Promise<string[]> {
    const items: StreamItem[] = [];
    for await (const item of stream.news()) items.push(item);
    return items.flatMap((item) =>
      'notice' in item
        ? [`${item.notice} ${item.seq}`]
        : item.events.map((event) => ('session' in event ? String(event.session) : event.type)),
    );
  }

  async function add(store: WorkspaceStore, count: number): Promise<string[]> {
    const names: string[] = [];
    for (let n = 0; n < count; n++) names.push(await addSession(store));
    return names;
  }

  function damage(journal: string, text: string): void {
    const bytes = readFileSync(bench.path(journal));
    const at = bytes.indexOf(text);
    assert.ok(at > 0);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(bench.path(journal), bytes, { flag: 'r+' });
  }

  it('begins anywhere in what is kept', async () => {
    const names = await add(bench.open(), 4);
    assert.deepEqual(await news(streamFrom(0)), ['start 0', ...names]);
    assert.deepEqual(await news(streamFrom(3)), ['start 3', ...names.slice(2)]);
    assert.deepEqual(await news(streamFrom(5)), ['start 5']);
    assert.deepEqual(await news(streamFrom(undefined)), ['start 5']);
  });

  it('tells each change once, at whatever moment it looks', async () => {
    const store = bench.open();
    const stream = streamFrom(0);
    assert.deepEqual(await news(stream), ['start 0'], 'there is no store');
    for (let round = 0; round < 3; round++) {
      const names = await add(store, round);
      assert.deepEqual(await news(stream), names);
    }
  });

  it('goes on through rollovers that it looks at, one by one', async () => {
    const store = bench.open();
    const stream = streamFrom(0);
    await news(stream);
    for (let round = 0; round < 3; round++) {
      const before = await addSession(store);
      await store.compact();
      const after = await addSession(store);
      assert.deepEqual(await news(stream), [before, after]);
    }
  });

  it('reads a journal that it holds to its end, and says what it slept through', async () => {
    const store = bench.open();
    const first = await add(store, 2);
    const stream = streamFrom(0);
    await news(stream);
    const last = await addSession(store);
    // 5 and 6 are the first rollover, 7 a change, 8 and 9 the second, 10 a change, 11 and 12 the third.
    for (let round = 0; round < 3; round++) {
      await store.compact();
      if (round < 2) first.push(await addSession(store));
    }
    assert.deepEqual(bench.files(/^journal/), ['journal-3.ndjson', 'journal-4.ndjson']);
    assert.deepEqual(await news(stream), [last, 'gap 9', first.at(-1)]);
  });

  it('is not misled by a lost race, a torn line or a void genesis', async () => {
    const store = bench.open();
    const stream = streamFrom(0);
    const names = await add(store, 2);
    await news(stream);
    const lines = readFileSync(bench.path('journal-1.ndjson'), 'utf8').trimEnd().split('\n');
    const events = [{ type: 'session_created' as const, session: 'never-never-land', taskDescription: null }];
    const lost = { seq: 3, prev: 'x', id: 'lost', at: '', by: 'test', events };
    appendFileSync(
      bench.path('journal-1.ndjson'),
      Buffer.concat([encodeRecord(lost).line, Buffer.from(`${lines[0]}\n{"v`)]),
    );
    names.push(await addSession(store));
    assert.deepEqual(await news(stream), names.slice(2));
    assert.deepEqual(await news(streamFrom(0)), ['start 0', ...names]);
  });

  it('says that the journal is damaged, and tells what still reads', async () => {
    const store = bench.open();
    const names = await add(store, 5);
    damage('journal-1.ndjson', names[2] as string);
    const kept = [...names.slice(0, 2), 'damage 3', ...names.slice(3)];
    const stream = streamFrom(0);
    assert.deepEqual(await news(stream), ['start 0', ...kept]);
    // Whoever writes next begins a new journal.
    const next = await addSession(bench.open());
    assert.deepEqual(await news(stream), [next]);
    assert.deepEqual(await news(streamFrom(0)), ['start 0', ...kept, next]);
  });

  it('goes on with the same state when a deleted store is restored', async function () {
    if (process.platform === 'win32') this.skip();
    const store = bench.open();
    await add(store, 2);
    const stream = streamFrom(0);
    await news(stream);
    rmSync(bench.folder, { recursive: true });
    assert.deepEqual(await news(stream), ['gone 3']);
    assert.deepEqual(await news(stream), [], 'said once');
    await store.restoreLast();
    const name = await addSession(store);
    assert.deepEqual(await news(stream), [name]);
  });

  it('goes on when a moved store comes back, and says when another one is there', async function () {
    if (process.platform === 'win32') this.skip();
    const store = bench.open();
    await add(store, 3);
    const stream = streamFrom(0);
    await news(stream);
    renameSync(bench.folder, `${bench.folder}-aside`);
    assert.deepEqual(await news(stream), ['gone 4']);
    renameSync(`${bench.folder}-aside`, bench.folder);
    const name = await addSession(store);
    assert.deepEqual(await news(stream), [name]);

    cpSync(bench.folder, `${bench.folder}-copy`, { recursive: true });
    await addSession(store);
    await news(stream);
    rmSync(bench.folder, { recursive: true });
    renameSync(`${bench.folder}-copy`, bench.folder);
    assert.deepEqual(await news(stream), ['exchanged 5'], 'an older state of it');
    const later = await addSession(bench.open());
    assert.deepEqual(await news(stream), [later]);
  });

  it('refuses what a newer version wrote, having told what came before', async () => {
    const names = await add(bench.open(), 1);
    const path = bench.path('journal-1.ndjson');
    const { sum } = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    const { line } = encodeRecord({ seq: 3, prev: sum, id: 'n', at: '', by: 'future', events: [] });
    const body = line.toString().replace('{"v":1', '{"v":999');
    // The sum is over the bytes as they are.
    const { createHash } = await import('node:crypto');
    const text = body.slice(0, body.lastIndexOf(',"sum"'));
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
    appendFileSync(path, `${text},"sum":"${digest}"}\n`);
    const stream = streamFrom(0);
    const told: unknown[] = [];
    await assert.rejects(async () => {
      for await (const item of stream.news()) told.push(item);
    }, /newer version/);
    assert.equal(told.length, 1 + names.length);
  });

  it('makes nothing on disk', async () => {
    assert.deepEqual(await news(streamFrom(undefined)), ['start 0']);
    assert.throws(() => bench.files(/./), /ENOENT/);
  });
});
