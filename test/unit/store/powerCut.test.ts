import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceStore } from '../../../src/store/workspaceStore';
import { CrashDisk, seededRandom } from '../../support/crashDisk';
import { addSession, newSessionName, StoreBench, sessionsOf } from '../../support/openStore';
import { silent } from '../../support/silentLog';

/** More in a long run: `POWER_CUTS=500`. */
const CUTS = Number(process.env.POWER_CUTS ?? 40);
const FIRST_SEED = Number(process.env.POWER_CUT_SEED ?? 1);

describe('A power cut', () => {
  let bench: StoreBench;
  beforeEach(() => {
    bench = new StoreBench();
  });
  afterEach(() => bench.end());

  it(`at any of ${CUTS} moments loses nothing that was acknowledged, and leaves no half of a change`, async function () {
    this.timeout(CUTS * 2000);
    const crash = new CrashDisk();
    const random = seededRandom(FIRST_SEED);
    const stores = [true, true, false].map((snapshots) =>
      bench.open({ disk: crash.disk, snapshots, rolloverSize: 6000 }),
    );
    const begun = new Set<string>();
    const acknowledged = new Set<string>();
    let isRunning = true;
    const work = async (store: WorkspaceStore) => {
      while (isRunning) {
        // Two sessions in one change: both or none.
        const pair = [newSessionName(), newSessionName()];
        for (const name of pair) begun.add(name);
        await store.transact('test', (tx) => {
          for (const session of pair) tx.emit({ type: 'session_created', session, taskDescription: 'x'.repeat(200) });
        });
        for (const name of pair) acknowledged.add(name);
        await new Promise((resolve) => setTimeout(resolve, random() * 3));
      }
    };
    const working = stores.map(work);
    for (let n = 0; n < CUTS; n++) {
      await new Promise((resolve) => setTimeout(resolve, random() * 25));
      const expected = [...acknowledged];
      const target = join(bench.parent, `cut-${n}`);
      crash.cut(bench.folder, target, random);
      await assertKept(target, expected, begun, `cut ${n} of seed ${FIRST_SEED}`);
      rmSync(target, { recursive: true, force: true });
    }
    isRunning = false;
    await Promise.all(working);
  });

  async function assertKept(folder: string, expected: string[], begun: Set<string>, hint: string): Promise<void> {
    const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
    const found = await sessionsOf(store);
    assert.deepEqual(
      expected.filter((name) => !found.includes(name)),
      [],
      `${hint}: lost`,
    );
    for (const name of found) assert.ok(begun.has(name), hint);
    assert.equal(found.length % 2, 0, `${hint}: half of a change`);
    const added = await addSession(store);
    await store.close();
    const again = new WorkspaceStore({ folder, log: silent, snapshots: false });
    assert.deepEqual(await sessionsOf(again), [...found, added].sort(), `${hint}: after the next change`);
    await again.close();
  }
});
