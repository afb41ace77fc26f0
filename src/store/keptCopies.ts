import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { type Disk, errorCode } from './disk';
import { writeGenesis } from './genesis';
import { JournalFile } from './journalFile';
import type { Projection } from './projectionPort';
import { SNAPSHOT } from './snapshot';

const RESCUE = 'rescue-';
const DAMAGED = 'damaged-';

/** Tells one copy from every other, and when it was made. */
export function stamp(): string {
  return `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`;
}

/** Keeps a state that has no place in the store any more, as a journal that can be put back under a journal's name. */
export async function keepState(disk: Disk, folder: string, projection: Projection): Promise<string> {
  const path = join(folder, `${RESCUE}${stamp()}.ndjson`);
  const file = JournalFile.open(disk, path, true);
  if (!file) throw new Error(`${path} could not be made.`);
  try {
    const begun = await writeGenesis(file, projection, projection.position() ?? { seq: 0, sum: '' });
    if (begun) await file.sync(begun.genesis.end);
  } catch (error) {
    // It is tried again, under another name.
    disk.unlink(path);
    throw error;
  } finally {
    await file.close();
  }
  return path;
}

/** Moves a `store.db` aside that holds what the journal lacks. */
export function keepSnapshot(disk: Disk, folder: string): void {
  try {
    disk.rename(join(folder, SNAPSHOT), join(folder, `${RESCUE}${stamp()}.db`));
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Copies a damaged journal, once however many processes come upon it: a copy of another one has another size. */
export async function keepDamaged(disk: Disk, folder: string, journal: string): Promise<void> {
  const prefix = `${DAMAGED}${basename(journal, '.ndjson')}`;
  const sizeOf = (path: string) => disk.facts(path)?.size;
  const isCopy = (name: string) => name.startsWith(`${prefix}-`) && sizeOf(join(folder, name)) === sizeOf(journal);
  if (disk.list(folder)?.some(isCopy)) return;
  const temporary = join(folder, `.${prefix}-${stamp()}.tmp`);
  await disk.copy(journal, temporary);
  disk.rename(temporary, join(folder, `${prefix}-${stamp()}.ndjson`));
}

/** Names of what was kept. */
export function keptNames(disk: Disk, folder: string): string[] {
  return (disk.list(folder) ?? []).filter((name) => isRescued(name) || name.startsWith(DAMAGED));
}

/** Whether such a copy holds a state that the store lost. */
export function isRescued(name: string): boolean {
  return name.startsWith(RESCUE);
}

/** What was kept, in sentences for the integrity report. */
export function keptCopies(disk: Disk, folder: string): string[] {
  return keptNames(disk, folder).map((name) =>
    isRescued(name)
      ? `${join(folder, name)} holds a state that the store lost: look at it, then delete it.`
      : `${join(folder, name)} is a copy of a damaged journal: what could be read of it is in the store.`,
  );
}

/** Whether two projections hold the same. */
export function haveSameRows(one: Projection, other: Projection): boolean {
  const others = other.rows()[Symbol.iterator]();
  for (const row of one.rows()) {
    const next = others.next();
    if (next.done || JSON.stringify(next.value) !== JSON.stringify(row)) return false;
  }
  return others.next().done === true;
}
