import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { realDisk } from '../../../src/store/disk';
import {
  addSession,
  changesOf,
  isRefusal,
  newSessionName,
  StoreBench,
  sessionNames,
  sessionsOf,
  until,
} from '../../support/openStore';

describe('The store', () => {
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(() => bench.end());

  it('touches nothing before the first change, and reads as empty', async () => {
    const store = bench.open();
    assert.deepEqual(await sessionsOf(store), []);
    assert.equal(await store.transact('test', (tx) => tx.sessions().length), 0);
    await assert.rejects(
      store.transact('test', () => {
        throw new Error('refused');
      }),
      /refused/,
    );
    assert.equal(existsSync(bench.folder), false);
  });

  it('creates nothing by reading', async () => {
    const store = bench.open();
    await sessionsOf(store);
    await store.close();
    assert.equal(existsSync(bench.folder), false);
  });

  it('begins with the first change: a private folder that git ignores, and the first journal', async () => {
    const store = bench.open();
    const name = await addSession(store);
    assert.deepEqual(bench.files(/./), ['.gitignore', 'journal-1.ndjson']);
    assert.equal(readFileSync(bench.path('.gitignore'), 'utf8'), '*\n');
    if (process.platform !== 'win32') {
      assert.equal(statSync(bench.folder).mode & 0o777, 0o700);
      assert.equal(statSync(bench.path('journal-1.ndjson')).mode & 0o777, 0o600);
    }
    assert.deepEqual(await sessionsOf(bench.open()), [name]);
  });

  it('shows each change to all who have it open', async () => {
    const [one, two] = [bench.open(), bench.open()];
    assert.deepEqual(await sessionsOf(two), []);
    const first = await addSession(one);
    const second = await addSession(two);
    assert.deepEqual(await sessionsOf(one), [first, second].sort());
    assert.deepEqual(await sessionsOf(two), [first, second].sort());
  });

  it('runs a command again on the newer state when another came first', async () => {
    const [one, two] = [bench.open(), bench.open()];
    await addSession(one);
    await addSession(two);
    const added = Array.from({ length: 40 }, (_, index) => addSession(index % 2 ? one : two, newSessionName()));
    const names = await Promise.all(added);
    for (const store of [one, two, bench.open()]) {
      const found = await sessionsOf(store);
      for (const name of names) assert.ok(found.includes(name));
      assert.equal(found.length, 42);
    }
  });

  it('changes nothing when a command throws', async () => {
    const store = bench.open();
    const name = await addSession(store);
    const before = readFileSync(bench.path('journal-1.ndjson'));
    const refusal = new Error('refused');
    await assert.rejects(
      store.transact('test', (tx) => {
        tx.emit({ type: 'session_archived', session: name, archived: true });
        assert.ok(tx.session(name)?.archivedAt, 'a command sees what it did');
        throw refusal;
      }),
      refusal,
    );
    assert.equal((await store.read((view) => view.session(name)))?.archivedAt, null);
    assert.deepEqual(readFileSync(bench.path('journal-1.ndjson')), before);
  });

  it('refuses what a command emits after its end', async () => {
    const store = bench.open();
    const name = await addSession(store);
    const tx = await store.transact('test', (transaction) => transaction);
    assert.throws(() => tx.emit({ type: 'session_archived', session: name, archived: true }), /ended/);
    await assert.rejects(
      store.transact('test', async () => undefined),
      /synchronous/,
    );
  });

  it('shares few syncs among many changes at once', async () => {
    let syncs = 0;
    const syncData = (fd: number) => {
      syncs++;
      return realDisk.syncData(fd);
    };
    const disk = { ...realDisk, syncData };
    const store = bench.open({ disk });
    await addSession(store);
    syncs = 0;
    const names = await Promise.all(Array.from({ length: 200 }, () => addSession(store)));
    assert.ok(syncs > 0 && syncs < 20, `${syncs} syncs`);
    assert.equal((await sessionsOf(bench.open())).length, names.length + 1);
  });

  it('writes a transaction as one line', async () => {
    const store = bench.open();
    await addSession(store);
    const lines = () => readFileSync(bench.path('journal-1.ndjson'), 'utf8').split('\n').length - 1;
    const before = lines();
    await store.transact('test', (tx) => {
      for (let n = 0; n < 5; n++)
        tx.emit({ type: 'session_created', session: newSessionName(), taskDescription: null });
    });
    assert.equal(lines(), before + 1);
  });

  it('hands every change to the listeners once, in order, with whose it was', async () => {
    const [one, two] = [bench.open(), bench.open()];
    const [seenByOne, seenByTwo] = [changesOf(one), changesOf(two)];
    await sessionsOf(two);
    const names: string[] = [];
    for (let n = 0; n < 10; n++) names.push(await addSession(n % 3 === 0 ? two : one));
    await until(() => seenByOne.length === 10 && seenByTwo.length === 10);
    for (const seen of [seenByOne, seenByTwo]) {
      assert.deepEqual(
        seen.flatMap(({ events }) => events.map((event) => 'session' in event && event.session)),
        names,
      );
      for (let n = 1; n < 10; n++) assert.equal(seen[n]?.seq, (seen[n - 1]?.seq ?? 0) + 1);
    }
    assert.deepEqual(
      seenByTwo.map(({ own }) => own),
      names.map((_, n) => n % 3 === 0),
    );
    assert.deepEqual(
      seenByOne.map(({ own }) => own),
      names.map((_, n) => n % 3 !== 0),
    );
  });

  it('tells of an own change only after it is durable, and of what came after it not before', async () => {
    let letGo = () => {};
    const syncData = async (fd: number) => {
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      return realDisk.syncData(fd);
    };
    let disk = realDisk;
    const held = bench.open({ disk: { ...realDisk, syncData: (fd) => disk.syncData(fd) } });
    const other = bench.open();
    await addSession(held);
    const seen = changesOf(held);
    disk = { ...realDisk, syncData };
    let isAcknowledged = false;
    const own = addSession(held).then((name) => {
      isAcknowledged = true;
      return name;
    });
    await sessionsOf(held);
    const foreign = await addSession(other);
    assert.ok((await sessionsOf(held)).includes(foreign));
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual([seen, isAcknowledged], [[], false]);
    disk = realDisk;
    letGo();
    const names = [await own, foreign];
    await until(() => seen.length === 2);
    assert.deepEqual(
      seen.flatMap(({ events }) => events.map((event) => 'session' in event && event.session)),
      names,
    );
  });

  it('tells of a change in another process within 100 ms', async () => {
    const [one, two] = [bench.open(), bench.open()];
    await addSession(one);
    const seen = changesOf(two);
    await sessionsOf(two);
    for (let n = 0; n < 3; n++) {
      const began = performance.now();
      const before = seen.length;
      await addSession(one);
      await until(() => seen.length > before);
      const took = performance.now() - began;
      assert.ok(took < 100, `it took ${took} ms`);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });

  it('goes on where others are, however large what they wrote is', async () => {
    const [one, two] = [bench.open(), bench.open()];
    await addSession(one);
    await sessionsOf(two);
    const large = await addSession(one, newSessionName(), 'ü'.repeat(3_000_000));
    const small: string[] = [];
    for (let n = 0; n < 20; n++) small.push(await addSession(one, newSessionName(), 'x'.repeat(100_000)));
    assert.equal((await two.read((view) => view.session(large)))?.taskDescription?.length, 3_000_000);
    assert.equal((await sessionsOf(two)).length, 22);
    assert.deepEqual(await bench.open().read(sessionNames), await sessionsOf(two));
  });

  it('reads a journal of many megabytes whole, and goes on with it', async () => {
    const writer = bench.open();
    const texts = new Map<string, string>();
    for (let n = 0; n < 12; n++) {
      const text = `${n} `.repeat(400_000);
      texts.set(await addSession(writer, newSessionName(), text), text);
    }
    await writer.close();
    const reader = bench.open();
    texts.set(await addSession(reader, newSessionName(), 'the last'), 'the last');
    for (const store of [reader, bench.open()]) {
      const told = await store.read((view) => view.sessions());
      assert.deepEqual(new Map(told.reverse().map(({ name, taskDescription }) => [name, taskDescription])), texts);
    }
  });

  it('holds no line in memory that is longer than any record', async () => {
    await addSession(bench.open());
    // Takes no room on the disk.
    truncateSync(bench.path('journal-1.ndjson'), 600 * 1024 * 1024);
    await assert.rejects(sessionsOf(bench.open()), isRefusal('FILE_SYSTEM_ERROR', /is no journal/));
  }).timeout(120_000);

  it('refuses calls after it is closed', async () => {
    const store = bench.open();
    await addSession(store);
    await store.close();
    await assert.rejects(sessionsOf(store), /closed/);
    await assert.rejects(addSession(store), /closed/);
    await store.close();
  });

  it('finishes what runs when it is closed', async () => {
    const store = bench.open();
    const adding = [addSession(store), addSession(store), addSession(store)];
    await store.close();
    const names = await Promise.all(adding);
    assert.deepEqual(await sessionsOf(bench.open()), names.sort());
  });
});
