import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promptDisk } from '../../../src/store/promptDisk';

describe('A disk that is waited for', () => {
  const folder = mkdtempSync(join(tmpdir(), '9plan-prompt-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('syncs after what was written in the same turn, says so and fails as any other, time and again', async () => {
    const path = join(folder, 'file');
    const fd = openSync(path, 'a');
    for (let round = 0; round < 20; round++) {
      const order: string[] = [];
      const synced = promptDisk.syncData(fd).then(() => order.push('synced'));
      await Promise.resolve();
      writeSync(fd, 'x');
      order.push('written');
      await synced;
      assert.deepEqual(order, ['written', 'synced']);
    }
    closeSync(fd);
    assert.equal(readFileSync(path, 'utf8').length, 20);
    for (let round = 0; round < 3; round++) await assert.rejects(promptDisk.syncData(fd), { code: 'EBADF' });
  });
});
