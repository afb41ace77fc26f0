import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreWatcher } from '../../../src/store/watcher';
import { addSession, changesOf, StoreBench, until } from '../../support/openStore';

describe('Watching a store', () => {
  let bench: StoreBench;
  let watcher: StoreWatcher | undefined;
  let looks = 0;
  beforeEach(() => {
    bench = new StoreBench();
    looks = 0;
  });
  afterEach(async () => {
    watcher?.stop();
    await bench.end();
  });

  /** Looks at regular times are out of the way: only what the file system tells counts. */
  function watch(pollInterval = 60_000): void {
    watcher = new StoreWatcher(bench.folder, () => looks++, pollInterval);
    watcher.start();
    looks = 0;
  }

  async function noticed(act: () => void): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 60));
    const before = looks;
    act();
    await until(() => looks > before, 500);
  }

  it('notices that its folder appears, changes, goes and comes again', async () => {
    watch();
    await noticed(() => mkdirSync(bench.folder));
    await noticed(() => writeFileSync(bench.path('journal-1.ndjson'), 'x'));
    await noticed(() => appendFileSync(bench.path('journal-1.ndjson'), 'y'));
    await noticed(() => rmSync(bench.folder, { recursive: true }));
    await noticed(() => mkdirSync(bench.folder));
    await noticed(() => writeFileSync(bench.path('journal-1.ndjson'), 'x'));
    await noticed(() => renameSync(bench.folder, join(bench.parent, 'elsewhere')));
  });

  it('is not woken by plan files and the neighbours of its folder', async () => {
    mkdirSync(bench.folder);
    watch();
    await new Promise((resolve) => setTimeout(resolve, 60));
    looks = 0;
    writeFileSync(bench.path('store.db'), 'x');
    writeFileSync(join(bench.parent, 'neighbour'), 'x');
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(looks, 0);
  });

  it('looks at regular times where the file system tells nothing', async () => {
    watch(20);
    await until(() => looks > 3);
  });

  it('makes a burst of changes few looks', async () => {
    mkdirSync(bench.folder);
    watch();
    await noticed(() => {
      for (let n = 0; n < 500; n++) appendFileSync(bench.path('journal-1.ndjson'), 'x');
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(looks < 10, `${looks} looks`);
  });

  it('ends with the last listener, and does not keep a process alive', async () => {
    const store = bench.open();
    const one = store.onDidChange(() => {});
    const seen = changesOf(store);
    await addSession(bench.open());
    await until(() => seen.length === 1);
    one.dispose();
    await addSession(bench.open());
    await until(() => seen.length === 2);
  });

  it('reports the first changes of a store that another process begins', async () => {
    const store = bench.open();
    const seen = changesOf(store);
    await store.read(() => undefined);
    const other = bench.open();
    const names = [await addSession(other), await addSession(other)];
    await until(() => seen.length === 2);
    assert.deepEqual(
      seen.flatMap(({ events }) => events.map((event) => 'session' in event && event.session)),
      names,
    );
  });
});
