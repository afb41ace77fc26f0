import assert from 'node:assert/strict';
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDisk } from '../../../src/store/disk';
import type { WorkspaceStore } from '../../../src/store/workspaceStore';
import { type Fault, FaultyDisk, systemError } from '../../support/faultyDisk';
import {
  addSession,
  changesOf,
  isRefusal,
  newSessionName,
  StoreBench,
  sessionsOf,
  until,
} from '../../support/openStore';

const TEXT = 'x'.repeat(500);

describe('A rollover', () => {
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(() => bench.end());

  async function addMany(store: WorkspaceStore, count: number): Promise<string[]> {
    const names: string[] = [];
    for (let n = 0; n < count; n++) names.push(await addSession(store, newSessionName(), TEXT));
    return names;
  }

  it('leaves no file open when it fails, however often', async () => {
    const faulty = new FaultyDisk();
    const store = bench.open({ disk: faulty.disk });
    const names = await addMany(store, 3);
    const opened = new Map<number, string>();
    const counting: Fault = {
      openAppend: (path, create) => {
        const fd = realDisk.openAppend(path, create);
        opened.set(fd, path);
        return fd;
      },
      close: (fd) => {
        opened.delete(fd);
        realDisk.close(fd);
      },
    };
    const isNext = (fd: number) => opened.get(fd)?.endsWith('journal-2.ndjson');
    const write: Fault['write'] = (fd, bytes) => {
      if (isNext(fd)) throw systemError('ENOSPC');
      return realDisk.write(fd, bytes);
    };
    const syncFolder: Fault['syncFolder'] = async () => {
      throw systemError('EIO');
    };
    for (const fault of [{ write }, { syncFolder }]) {
      faulty.breaks({ ...counting, ...fault });
      for (let attempt = 0; attempt < 3; attempt++) await assert.rejects(addAndCompact());
      assert.deepEqual([...opened.values()], []);
    }
    faulty.breaks({});
    names.push(await addSession(store));
    for (const seen of [store, bench.open()]) assert.deepEqual(await sessionsOf(seen), [...names].sort());

    async function addAndCompact(): Promise<void> {
      await store.compact();
      await addSession(store);
    }
  });

  it('begins the next journal with the whole state, and keeps one journal before', async () => {
    const store = bench.open();
    const names = await addMany(store, 5);
    await store.compact();
    assert.deepEqual(bench.files(/^journal/), ['journal-1.ndjson', 'journal-2.ndjson']);
    assert.match(
      readFileSync(bench.path('journal-1.ndjson'), 'utf8').trimEnd().split('\n').at(-1) ?? '',
      /"type":"sealed"/,
    );
    names.push(...(await addMany(store, 2)));
    await store.compact();
    assert.deepEqual(bench.files(/^journal/), ['journal-2.ndjson', 'journal-3.ndjson']);
    for (const seen of [store, bench.open()]) assert.deepEqual(await sessionsOf(seen), [...names].sort());
  });

  it('happens by itself when the journal has grown', async () => {
    const store = bench.open({ rolloverSize: 20_000 });
    const names = await addMany(store, 80);
    await until(() => bench.files(/^journal/).some((name) => name !== 'journal-1.ndjson'));
    assert.deepEqual(await sessionsOf(bench.open()), names.sort());
  });

  it('does not happen over and over when the state itself is large', async () => {
    const store = bench.open({ rolloverSize: 5_000 });
    await addMany(store, 200);
    await store.read(() => undefined);
    const highest = Math.max(...bench.files(/^journal/).map((name) => Number(/\d+/.exec(name)?.[0])));
    assert.ok(highest <= 8, `journal ${highest}`);
  });

  it('loses and doubles nothing while several processes write and roll over', async () => {
    const stores = [1, 2, 3].map(() => bench.open({ rolloverSize: 8_000 }));
    const seen = stores.map(changesOf);
    await Promise.all(stores.map((store) => sessionsOf(store)));
    const names = (await Promise.all(stores.map((store) => addMany(store, 60)))).flat();
    for (const store of [...stores, bench.open()]) assert.deepEqual(await sessionsOf(store), [...names].sort());
    for (const changes of seen) {
      const told = changes.flatMap(({ events }) => events.map((event) => ('session' in event ? event.session : '')));
      assert.deepEqual([...told].sort(), [...names].sort(), 'each change is told once');
      for (let n = 1; n < changes.length; n++) assert.ok((changes[n]?.seq ?? 0) > (changes[n - 1]?.seq ?? 0));
    }
    assert.ok(bench.files(/^journal/).length <= 3);
  });

  it('may be begun by all at once', async () => {
    const stores = [1, 2, 3, 4].map(() => bench.open());
    const names = await addMany(stores[0] as WorkspaceStore, 10);
    await Promise.all(stores.map((store) => store.compact()));
    for (const store of [...stores, bench.open()]) assert.deepEqual(await sessionsOf(store), [...names].sort());
  });

  it('is finished by whoever comes next, if it was broken off after the seal', async () => {
    const faulty = new FaultyDisk();
    const store = bench.open({ disk: faulty.disk });
    const other = bench.open();
    const names = await addMany(store, 3);
    await sessionsOf(other);
    faulty.breaks({
      openAppend: (path, create) => {
        if (path.endsWith('journal-2.ndjson')) throw systemError('ENOSPC');
        return realDisk.openAppend(path, create);
      },
    });
    await assert.rejects(store.compact(), isRefusal('FILE_SYSTEM_ERROR', /ENOSPC/));
    assert.deepEqual(bench.files(/^journal/), ['journal-1.ndjson']);
    assert.deepEqual(await sessionsOf(store), [...names].sort(), 'a sealed journal can be read');
    await assert.rejects(addSession(store), isRefusal('FILE_SYSTEM_ERROR', /ENOSPC/));
    names.push(await addSession(other));
    faulty.breaks({});
    names.push(await addSession(store));
    for (const seen of [store, other, bench.open()]) assert.deepEqual(await sessionsOf(seen), [...names].sort());
  });

  it('of which a killed process left an unfinished beginning is begun again', async () => {
    const store = bench.open();
    const names = await addMany(store, 3);
    await store.compact();
    await store.close();
    const whole = readFileSync(bench.path('journal-2.ndjson'));
    writeFileSync(bench.path('journal-2.ndjson'), whole.subarray(0, whole.length - 20));
    const next = bench.open();
    assert.deepEqual(await sessionsOf(next), [...names].sort());
    names.push(await addSession(next));
    assert.deepEqual(await sessionsOf(bench.open()), [...names].sort());
  });

  it('by a process that slept through two others goes where they are', async () => {
    const faulty = new FaultyDisk();
    const [late, other] = [bench.open({ disk: faulty.disk }), bench.open()];
    const names = await addMany(late, 3);
    let wake = () => {};
    let asleep = () => {};
    const sleeping = new Promise<void>((resolve) => {
      asleep = resolve;
    });
    faulty.breaks({
      syncData: async (fd) => {
        asleep();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        return realDisk.syncData(fd);
      },
    });
    const rolling = late.compact();
    await sleeping;
    names.push(...(await addMany(other, 2)));
    await other.compact();
    await other.compact();
    assert.deepEqual(bench.files(/^journal/), ['journal-3.ndjson', 'journal-4.ndjson']);
    names.push(...(await addMany(other, 2)));
    faulty.breaks({});
    wake();
    await rolling;
    names.push(await addSession(late));
    assert.deepEqual(bench.files(/^(journal|rescue)/).slice(-2), ['journal-3.ndjson', 'journal-4.ndjson']);
    for (const seen of [late, other, bench.open()]) assert.deepEqual(await sessionsOf(seen), [...names].sort());
    assert.deepEqual(await late.read((view) => view.inconsistencies(names[0] as string)), []);
  });

  it('by a process that comes back to a name that others have left behind begins nothing there', async () => {
    const faulty = new FaultyDisk();
    const late = bench.open({ disk: faulty.disk });
    const names = await addMany(late, 3);
    // What others will have done by the time the late one makes its file.
    const elsewhere = join(bench.parent, 'elsewhere');
    cpSync(bench.folder, elsewhere, { recursive: true });
    const other = bench.open({ folder: elsewhere });
    for (let n = 0; n < 3; n++) {
      await other.compact();
      names.push(await addSession(other));
    }
    const others = readdirSync(elsewhere).filter((name) => name.startsWith('journal-'));
    assert.deepEqual(others.sort(), ['journal-3.ndjson', 'journal-4.ndjson']);
    faulty.breaks({
      openAppend: (path, create) => {
        if (create && path.endsWith('journal-2.ndjson')) {
          faulty.breaks({});
          for (const name of others) copyFileSync(join(elsewhere, name), bench.path(name));
          rmSync(bench.path('journal-1.ndjson'));
        }
        return realDisk.openAppend(path, create);
      },
    });
    await late.compact();
    names.push(await addSession(late));
    for (const seen of [late, bench.open()]) assert.deepEqual(await sessionsOf(seen), names.sort());
  });

  it('missed by an idle process is followed step by step: it learns of every change', async () => {
    const [idle, other] = [bench.open({ pollInterval: 60_000 }), bench.open()];
    await addSession(other);
    await sessionsOf(idle);
    const names: string[] = [];
    for (let n = 0; n < 2; n++) {
      names.push(await addSession(other));
      await other.compact();
    }
    names.push(await addSession(other));
    assert.deepEqual(bench.files(/^journal/), ['journal-2.ndjson', 'journal-3.ndjson']);
    const told: unknown[] = [];
    idle.onDidChange(({ events }) => told.push(...events.map((event) => 'session' in event && event.session)));
    await until(() => told.length === names.length);
    assert.deepEqual(told, names);
  });

  it('needs room for the state twice, and leaves the journal as it is without', async () => {
    const store = bench.open({ disk: { ...realDisk, freeSpace: async () => 1000 } });
    const names = await addMany(store, 10);
    await assert.rejects(store.compact(), isRefusal('FILE_SYSTEM_ERROR', /nearly full/));
    names.push(await addSession(store));
    assert.deepEqual(bench.files(/^journal/), ['journal-1.ndjson']);
    assert.deepEqual(await sessionsOf(bench.open()), names.sort());
  });

  it('writes a large state in parts', async () => {
    const store = bench.open();
    for (let n = 0; n < 12; n++) await addSession(store, newSessionName(), 'ü'.repeat(100_000));
    await store.compact();
    const parts = readFileSync(bench.path('journal-2.ndjson'), 'utf8').trimEnd().split('\n');
    assert.ok(parts.length > 3);
    for (const part of parts) assert.ok(part.length < 400_000);
    assert.deepEqual(await sessionsOf(bench.open()), await sessionsOf(store));
  });
});
