import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlannerError } from '../planner/errors';
import type { Exported } from '../planner/exchange/exported';
import { exportStore } from '../planner/exchange/exporting';
import type { PlanStore } from '../planner/ports';
import { Backup } from './backup';
import type { Disk } from './disk';
import { newerVersion, storeLost } from './fileErrors';
import { isRescued, keptNames, stamp } from './keptCopies';
import type { Condition } from './obstacles';

/** What a repair did, and what it found that a person should decide on. */
export interface StoreRepair {
  /** Absolute path of the folder with all files as they were. */
  backup: string;
  /** What could not be mended, in sentences. */
  problems: string[];
  /** States that the store lost at some time: what of them is missing may be added again. */
  rescued: Exported[];
}

/** What only the open store can do. */
export interface RepairSteps {
  disk: Disk;
  folder: string;
  /** What becomes of the store when it is looked at; rejects if it can't be opened. */
  open(): Promise<Condition>;
  /** Brings the journal into a state that can be written to: after damage that is the next one. */
  settleJournal(): Promise<void>;
  /** Writes the state that this process still has, where a journal has just made room. */
  restoreLost(): Promise<void>;
  restorePlanFiles(): Promise<void>;
  storeIn(folder: string): Pick<PlanStore, 'read'> & { close(): Promise<void> };
}

/**
 * Mends what keeps a store from being sound. First all files are copied; then what stands in the place of a journal, of
 * `store.db` or of a folder, and the copies that were kept of damage, are moved to that backup: nothing is deleted.
 * FILE_SYSTEM_ERROR if there is no store or no room for a copy.
 */
export async function repairStore(steps: RepairSteps): Promise<StoreRepair> {
  const { folder, disk } = steps;
  await refuseBeyondRepair(steps);
  const backup = await Backup.of(folder, stamp());
  for (const name of backup.strangers()) backup.moveIn(name);
  try {
    if ((await steps.open()) === 'deleted') await steps.restoreLost();
    await steps.settleJournal();
    await steps.restorePlanFiles();
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    backup.problems.push(`${error.message} ${error.suggestion}`);
  }
  const rescued: Exported[] = [];
  for (const name of keptNames(disk, folder)) {
    const path = backup.moveIn(name);
    if (path === undefined || !isRescued(name)) continue;
    try {
      rescued.push(await readState(path, steps));
    } catch (error) {
      backup.problems.push(`${path} could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { backup: backup.path, problems: backup.problems, rescued };
}

/** Reads a kept state in a folder of its own, as the store that it was. */
async function readState(path: string, { storeIn }: RepairSteps): Promise<Exported> {
  const folder = await fs.promises.mkdtemp(join(tmpdir(), '9plan-rescued-'));
  try {
    const name = path.endsWith('.db') ? 'store.db' : 'journal-1.ndjson';
    await fs.promises.copyFile(path, join(folder, name));
    const store = storeIn(folder);
    return await store.read((view) => exportStore(view)).finally(() => store.close());
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true });
  }
}

/** What is newer than this version, or gone, must be left as it is. What can't be read is what repairing is for. */
async function refuseBeyondRepair({ folder, disk, open }: RepairSteps): Promise<void> {
  if (disk.list(folder) === undefined) {
    throw new PlannerError('FILE_SYSTEM_ERROR', `There is no store in ${folder}.`, 'Create a session to begin one.');
  }
  const condition = await open().catch((error) => {
    if (error instanceof PlannerError && error.category === 'FILE_SYSTEM_ERROR') return undefined;
    throw error;
  });
  if (condition === 'newer') throw newerVersion(folder);
  if (condition === 'deleted' || condition === 'moved') throw storeLost(folder, condition);
}
