import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, markOfThisProcess } from '../../../src/store/kernel';
import { foreignKernels, WindowPresence, windowsOpen } from '../../../src/store/presence';
import { addSession, StoreBench, until } from '../../support/openStore';

describe('The presence of an editor window', () => {
  let bench: StoreBench;
  const windows: WindowPresence[] = [];
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await bench.end();
  });

  function openWindow(reviewPanel = true): WindowPresence {
    const window = new WindowPresence(bench.folder, reviewPanel);
    windows.push(window);
    return window;
  }

  /** A presence file of another process. */
  function leave(name: string, facts: object): string {
    mkdirSync(bench.path('windows'), { recursive: true });
    const path = bench.path(`windows/${name}`);
    writeFileSync(path, JSON.stringify({ ...markOfThisProcess(), random: name, reviewPanel: true, ...facts }));
    return path;
  }

  it('makes nothing where there is no store, and shows as soon as there is one', async () => {
    openWindow();
    assert.equal(existsSync(bench.folder), false);
    assert.deepEqual(windowsOpen(bench.folder), []);
    await addSession(bench.open());
    await until(() => windowsOpen(bench.folder).length === 1, 1000);
    const [window] = windowsOpen(bench.folder);
    assert.equal(window?.pid, process.pid);
    assert.equal(window?.bootId, bootId);
    const [file] = readdirSync(bench.path('windows'));
    if (process.platform !== 'win32') assert.equal(statSync(bench.path(`windows/${file}`)).mode & 0o777, 0o600);
  });

  it('makes nothing in a folder that holds no store yet', async () => {
    mkdirSync(bench.path('another'), { recursive: true });
    openWindow().setReviewPanel(false);
    assert.deepEqual(readdirSync(bench.folder), ['another']);
    await addSession(bench.open());
    await until(() => windowsOpen(bench.folder).length === 1, 1000);
  });

  it('ends with the window', async () => {
    await addSession(bench.open());
    const [one, two] = [openWindow(), openWindow()];
    assert.equal(windowsOpen(bench.folder).length, 2);
    one.dispose();
    assert.equal(windowsOpen(bench.folder).length, 1);
    two.dispose();
    assert.deepEqual(readdirSync(bench.path('windows')), []);
  });

  it('tells whether proposals can be reviewed there', async () => {
    await addSession(bench.open());
    const window = openWindow(false);
    assert.equal(windowsOpen(bench.folder)[0]?.reviewPanel, false);
    window.setReviewPanel(true);
    assert.equal(windowsOpen(bench.folder)[0]?.reviewPanel, true);
  });

  it('of a killed process does not count, nor one that shows no sign of life', async () => {
    await addSession(bench.open());
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    leave('dead', { pid: child.pid });
    const stale = leave('stale', {});
    utimesSync(stale, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    assert.deepEqual(windowsOpen(bench.folder), []);
    leave('alive', {});
    assert.deepEqual(
      windowsOpen(bench.folder).map(({ random }) => random),
      ['alive'],
    );
    openWindow();
    assert.equal(existsSync(bench.path('windows/dead')), false, 'a new window clears up');
    assert.equal(existsSync(stale), true, 'but it may only sleep');
  });

  it('on another machine counts, dead or not as far as we know, and is reported', async () => {
    const store = bench.open();
    await addSession(store);
    leave('far', { bootId: 'another', pid: 2 ** 22 });
    assert.equal(windowsOpen(bench.folder).length, 1);
    assert.match(foreignKernels(bench.folder).join(), /machine/);
    const issues = await store.read((view) => view.inconsistencies(''));
    assert.ok(issues.some(({ invariant, issue }) => invariant === 'store' && /machine/.test(issue)));
  });

  it('comes back with a store that was deleted and begun again', async () => {
    await addSession(bench.open());
    openWindow();
    rmSync(bench.folder, { recursive: true });
    await addSession(bench.open());
    await until(() => windowsOpen(bench.folder).length === 1, 8000);
  });

  it('is not looked for among more files than there can be windows', () => {
    for (let n = 0; n < 1000; n++) leave(`planted${n}`, {});
    assert.ok(windowsOpen(bench.folder).length <= 200);
  });

  it('is not disturbed by strange files', async () => {
    await addSession(bench.open());
    mkdirSync(bench.path('windows/folder'), { recursive: true });
    writeFileSync(bench.path('windows/junk'), 'junk');
    writeFileSync(bench.path('windows/empty'), '');
    writeFileSync(bench.path('windows/other'), '{"pid":"x"}');
    assert.deepEqual(windowsOpen(bench.folder), []);
    openWindow();
    assert.equal(windowsOpen(bench.folder).length, 1);
  });

  it('is neither shown nor cleaned up through a link, nor where somebody else keeps other things', async function () {
    if (process.platform === 'win32') this.skip();
    await addSession(bench.open());
    const strangers = join(bench.parent, 'strangers');
    mkdirSync(strangers);
    const old = join(strangers, 'old-letter.txt');
    writeFileSync(old, 'Dear reader');
    utimesSync(old, 0, 0);
    symlinkSync(strangers, bench.path('windows'));
    openWindow().setReviewPanel(false);
    assert.deepEqual(readdirSync(strangers), ['old-letter.txt']);
    assert.deepEqual(windowsOpen(bench.folder), []);
  });
});
