import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDisk } from '../../../src/store/disk';
import type { WorkspaceStore } from '../../../src/store/workspaceStore';
import { FaultyDisk, systemError } from '../../support/faultyDisk';
import { addSession, changesOf, isRefusal, StoreBench, sessionsOf, until } from '../../support/openStore';

describe('A store that goes while it is open', () => {
  let bench: StoreBench;
  let store: WorkspaceStore;
  let names: string[];
  beforeEach(async () => {
    bench = new StoreBench();
    store = bench.open();
    names = [await addSession(store), await addSession(store)];
  });
  afterEach(() => bench.end());

  const archive = (on: WorkspaceStore) =>
    on.transact('test', (tx) => tx.emit({ type: 'session_archived', session: names[0] as string, archived: true }));

  const remove = () => rmSync(bench.folder, { recursive: true });

  it('by deletion: its last state can be read, a change is refused, nothing is written', async () => {
    remove();
    assert.deepEqual(await sessionsOf(store), names);
    assert.equal(store.condition, 'deleted');
    await assert.rejects(archive(store), isRefusal('FILE_SYSTEM_ERROR', /was deleted.*Nothing was changed/));
    assert.equal(existsSync(bench.folder), false);
    assert.deepEqual(await sessionsOf(bench.open()), []);
  });

  it('by deletion: its last state can be restored', async () => {
    const other = bench.open();
    await sessionsOf(other);
    remove();
    await assert.rejects(archive(store));
    await store.restoreLast();
    assert.equal(store.condition, 'present');
    names.push(await addSession(store));
    names.push(await addSession(other));
    for (const seen of [store, other, bench.open()]) assert.deepEqual(await sessionsOf(seen), names);
    assert.deepEqual(bench.files(/^rescue/), []);
  });

  it('by deletion: plan files come back with it', async () => {
    const session = names[0] as string;
    const sections = { context: '', goal: 'g', inputs: '', outputs: '', approach: '', successCriteria: '', notes: '' };
    await store.transact('test', (tx) =>
      tx.emit({ type: 'plan_added', plan: 'abc12', session, position: 1, sections, parent: null }),
    );
    const path = await store.read((view) => view.planPath(session, 'abc12'));
    const text = readFileSync(path, 'utf8');
    remove();
    await store.restoreLast();
    assert.equal(readFileSync(path, 'utf8'), text);
  });

  it('by deletion: restored by two at once, it is there once', async () => {
    const other = bench.open();
    await sessionsOf(other);
    remove();
    await Promise.all([store.restoreLast(), other.restoreLast()]);
    names.push(await addSession(store), await addSession(other));
    for (const seen of [store, other, bench.open()]) assert.deepEqual(await sessionsOf(seen), names);
  });

  it('by deletion: creating a session starts anew, beside a copy of the last state', async () => {
    remove();
    const created = await addSession(store);
    assert.deepEqual(await sessionsOf(store), [created]);
    assert.deepEqual(await sessionsOf(bench.open()), [created]);
    const [rescue] = bench.files(/^rescue/);
    const kept = readFileSync(bench.path(rescue as string), 'utf8');
    for (const name of names) assert.ok(kept.includes(name));
  });

  it('by deletion: a kept copy is a journal that can be put back', async () => {
    remove();
    const created = await addSession(store);
    const [rescue] = bench.files(/^rescue/);
    await store.close();
    renameSync(bench.path(rescue as string), bench.path('journal-1.ndjson'));
    assert.deepEqual(await sessionsOf(bench.open()), names);
    assert.ok(created);
  });

  it('by deletion: starting anew leaves an empty store', async () => {
    remove();
    await store.startAnew();
    assert.deepEqual(await sessionsOf(store), []);
    assert.equal(existsSync(bench.folder), false);
    const created = await addSession(store);
    assert.deepEqual(await sessionsOf(bench.open()), [created]);
  });

  it('by deletion: the store that another process began there wins, and the last state is kept', async () => {
    const seen = changesOf(store);
    remove();
    const newer = bench.open();
    const created = await addSession(newer);
    assert.deepEqual(await sessionsOf(store), [created]);
    assert.equal(bench.files(/^rescue/).length, 1);
    const both = [created, await addSession(store)];
    for (const each of [store, newer, bench.open()]) assert.deepEqual(await sessionsOf(each), both);
    await until(() => seen.some(({ events }) => events.length === 0));
  });

  it('by deletion: the last state is kept, too, if another process begins a store after one was to be begun anew', async () => {
    const other = bench.open();
    remove();
    await store.startAnew();
    const created = await addSession(other);
    assert.deepEqual(await sessionsOf(store), [created]);
    const [rescue] = bench.files(/^rescue/);
    const kept = readFileSync(bench.path(rescue as string), 'utf8');
    for (const name of names) assert.ok(kept.includes(name));
  });

  it('by deletion on a full disk: the last state is kept as soon as there is room beside the store of another process', async () => {
    const faulty = new FaultyDisk();
    const watching = bench.open({ disk: faulty.disk });
    await sessionsOf(watching);
    const other = bench.open();
    remove();
    await watching.startAnew();
    const created = await addSession(other);
    faulty.breaks({
      write: () => {
        throw systemError('ENOSPC');
      },
    });
    for (let look = 0; look < 2; look++)
      await assert.rejects(sessionsOf(watching), isRefusal('FILE_SYSTEM_ERROR', /ENOSPC/));
    faulty.breaks({});
    assert.deepEqual(await sessionsOf(watching), [created]);
    assert.equal(bench.files(/^rescue/).length, 1);
  });

  it('by being exchanged on a full disk: looks that fail leave nothing open and nothing behind', async () => {
    const faulty = new FaultyDisk();
    const watching = bench.open({ disk: faulty.disk });
    await sessionsOf(watching);
    remove();
    const created = await addSession(bench.open());
    let opened = 0;
    faulty.breaks({
      openAppend: (path, create) => {
        opened++;
        return realDisk.openAppend(path, create);
      },
      close: (fd) => {
        opened--;
        realDisk.close(fd);
      },
      write: () => {
        throw systemError('ENOSPC');
      },
    });
    for (let look = 0; look < 3; look++)
      await assert.rejects(sessionsOf(watching), isRefusal('FILE_SYSTEM_ERROR', /ENOSPC/));
    assert.equal(opened, 0);
    assert.deepEqual(bench.files(/^rescue/), []);
    faulty.breaks({});
    assert.deepEqual(await sessionsOf(watching), [created]);
    assert.equal(bench.files(/^rescue/).length, 1);
  });

  it('by deletion in the midst of a change: that is not acknowledged', async () => {
    const faulty = new FaultyDisk();
    const victim = bench.open({ disk: faulty.disk });
    await sessionsOf(victim);
    faulty.breaks({
      syncData: async (fd) => {
        await realDisk.syncData(fd);
        remove();
        faulty.breaks({});
      },
    });
    await assert.rejects(archive(victim), isRefusal('FILE_SYSTEM_ERROR', /deleted while this change was written/));
    assert.equal(existsSync(bench.folder), false);
  });

  it('by deletion in the midst of a change, with another store there by then: it is made there', async () => {
    const faulty = new FaultyDisk();
    const victim = bench.open({ disk: faulty.disk });
    await sessionsOf(victim);
    const newer = bench.open();
    let other = '';
    faulty.breaks({
      syncData: async (fd) => {
        faulty.breaks({});
        await realDisk.syncData(fd);
        remove();
        other = await addSession(newer);
      },
    });
    const added = await addSession(victim);
    assert.deepEqual(await sessionsOf(bench.open()), [other, added].sort());
  });

  it('by being moved: a change is refused, and all is well when it is moved back', async () => {
    const elsewhere = join(bench.parent, 'elsewhere');
    renameSync(bench.folder, elsewhere);
    assert.deepEqual(await sessionsOf(store), names);
    assert.equal(store.condition, 'moved');
    await assert.rejects(archive(store), isRefusal('FILE_SYSTEM_ERROR', /was moved/));
    assert.equal(existsSync(bench.folder), false);
    renameSync(elsewhere, bench.folder);
    names.push(await addSession(store));
    assert.equal(store.condition, 'present');
    assert.deepEqual(await sessionsOf(bench.open()), names);
  });

  it('by being replaced with an older copy: the copy counts, and what it lacks is kept', async () => {
    const copy = join(bench.parent, 'copy');
    cpSync(bench.folder, copy, { recursive: true });
    const lost = await addSession(store);
    remove();
    cpSync(copy, bench.folder, { recursive: true });
    assert.deepEqual(await sessionsOf(store), names);
    const [rescue] = bench.files(/^rescue/);
    assert.ok(readFileSync(bench.path(rescue as string), 'utf8').includes(lost));
    names.push(await addSession(store));
    assert.deepEqual(await sessionsOf(bench.open()), names);
  });

  it('by being overwritten in place with an older copy: the same', async () => {
    const older = readFileSync(bench.path('journal-1.ndjson'));
    const lost = [await addSession(store), await addSession(store)];
    writeFileSync(bench.path('journal-1.ndjson'), older);
    assert.deepEqual(await sessionsOf(store), names);
    const [rescue] = bench.files(/^rescue/);
    for (const name of lost) assert.ok(readFileSync(bench.path(rescue as string), 'utf8').includes(name));
    names.push(await addSession(store));
    assert.deepEqual(await sessionsOf(bench.open()), names);
  });

  it('by being emptied: the last state can be restored', async () => {
    truncateSync(bench.path('journal-1.ndjson'));
    assert.deepEqual(await sessionsOf(store), names);
    await assert.rejects(archive(store), isRefusal('FILE_SYSTEM_ERROR', /was deleted/));
    await store.restoreLast();
    names.push(await addSession(store));
    for (const seen of [store, bench.open()]) assert.deepEqual(await sessionsOf(seen), names);
  });
});
