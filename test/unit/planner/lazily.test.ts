import assert from 'node:assert/strict';
import { lazily } from '../../../src/planner/lazily';

describe('What is loaded lazily', () => {
  it('is loaded with the first call, once for all', async () => {
    let loaded = 0;
    const get = lazily(async () => ++loaded);
    assert.equal(loaded, 0);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get(), 1);
  });

  it('is tried again after a failure', async () => {
    let tries = 0;
    const get = lazily(async () => {
      if (++tries === 1) throw new Error('too many open files');
      return tries;
    });
    await assert.rejects(get(), /too many/);
    assert.equal(await get(), 2);
  });
});
