import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cache } from '../../../scripts/lib/cache.mjs';

describe('the cache of fetched programs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), '9plan-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = () => new Cache(folder, { announce: () => undefined, pauseMs: 0 });
  const writes = (text: string) => (target: string) => writeFile(path.join(target, 'file'), text);
  const text = (made: string) => readFile(path.join(made, 'file'), 'utf8');

  it('fetches once, also when asked twice at once and later by another process', async () => {
    let fetched = 0;
    const fill = async (target: string) => {
      fetched++;
      await writes('first')(target);
    };
    const cache = open();
    await Promise.all([cache.ensure('tool-1', 'a tool', fill), cache.ensure('tool-1', 'a tool', fill)]);
    await open().ensure('tool-1', 'a tool', fill);
    assert.equal(fetched, 1);
  });

  it('gives both of two processes the folder that was complete first', async () => {
    const slow = open().ensure('tool-1', 'a tool', async (target) => {
      await open().ensure('tool-1', 'a tool', writes('quick'));
      await writes('slow')(target);
    });
    assert.equal(await text(await slow), 'quick');
    assert.deepEqual(await readdir(folder), ['tool-1']);
  });

  it('tries again what failed, and keeps nothing of it', async () => {
    let tried = 0;
    const made = open().ensure('tool-1', 'a tool', async (target) => {
      assert.deepEqual(await readdir(target), []);
      await writes(`attempt ${++tried}`)(target);
      if (tried < 3) throw new Error('no network');
    });
    assert.equal(await text(await made), 'attempt 3');
    assert.deepEqual(await readdir(folder), ['tool-1']);
  });

  it('gives up in the end, which leaves nothing and may be tried again', async () => {
    const cache = open();
    const failing = cache.ensure('tool-1', 'a tool', async (target) => {
      await writes('half')(target);
      throw new Error('no network');
    });
    await assert.rejects(failing, /could not fetch a tool/);
    assert.deepEqual(await readdir(folder), []);
    assert.equal(await text(await cache.ensure('tool-1', 'a tool', writes('whole'))), 'whole');
  });

  it('removes what killed runs left behind, but not what another run is fetching now', async () => {
    const old = path.join(folder, 'fetch-old');
    const recent = path.join(folder, 'fetch-recent');
    await Promise.all([mkdir(old), mkdir(recent)]);
    const twoHoursAgo = Date.now() / 1000 - 7200;
    await utimes(old, twoHoursAgo, twoHoursAgo);
    await open().ensure('tool-1', 'a tool', writes('whole'));
    assert.equal(existsSync(old), false);
    assert.equal(existsSync(recent), true);
  });
});
