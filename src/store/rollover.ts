import { PlannerError } from '../planner/errors';
import type { Disk } from './disk';
import { findGenesis, type Genesis, measureState, writeGenesis } from './genesis';
import type { Journal } from './journal';
import type { JournalFolder } from './journalFolder';
import { encodeRecord, newId } from './journalRecord';
import { haveSameRows, keepDamaged, keepState } from './keptCopies';

/**
 * Ends a journal and goes to the next one, which begins with the whole state. Any number of processes may do so at
 * once. Undefined if the journal turned out not to be the store's any more: then look for the store anew.
 */
export async function rollOver(folder: JournalFolder, journal: Journal): Promise<Journal | undefined> {
  const { disk } = folder;
  if (journal.status === 'live') {
    await makeSureOfSpace(disk, folder, journal);
    if (journal.damage.size > 0) await keepDamaged(disk, folder.path, journal.file.path);
    seal(journal);
  }
  if (journal.status !== 'sealed') return undefined;
  if (!journal.file.syncFailed) await journal.file.sync(journal.position.offset);
  const next = await enterSuccessor(folder, journal);
  if (!next) return undefined;
  try {
    await folder.makeDurable(next, next.position.offset);
  } catch (error) {
    await next.file.close();
    throw error;
  }
  deleteBelow(folder, journal.number);
  return next;
}

/** Space for the state twice: it is written whole, and a second time if another process needs it, too. */
async function makeSureOfSpace(disk: Disk, folder: JournalFolder, journal: Journal): Promise<void> {
  const { size } = await measureState(journal.projection);
  if ((await disk.freeSpace(folder.path)) >= 2 * size) return;
  throw new PlannerError(
    'FILE_SYSTEM_ERROR',
    `The disk is nearly full: there is no room to begin a new journal in ${folder.path}. Nothing was changed.`,
    `Free ${Math.ceil((2 * size) / 1_000_000)} MB on that disk, then try again.`,
  );
}

/** Appends the last record. */
export function seal(journal: Journal): void {
  for (journal.catchUp(); journal.status === 'live'; journal.catchUp()) {
    const { seq, sum: prev } = journal.position;
    const damage = journal.damage.size > 0 ? ({ damage: true } as const) : {};
    const { line } = encodeRecord({
      seq: seq + 1,
      prev,
      id: newId(),
      at: new Date().toISOString(),
      by: '9plan',
      events: [{ type: 'sealed', ...damage }],
    });
    journal.file.append(line);
  }
}

async function enterSuccessor(folder: JournalFolder, journal: Journal): Promise<Journal | undefined> {
  if (!journal.file.isInPlace()) return undefined;
  const above = await folder.highestAbove(journal.number);
  if (above !== undefined) return await followSealed(folder, journal);
  const file = folder.open(journal.number + 1, true);
  if (!file) return undefined;
  let next: Journal | undefined;
  try {
    // A late process must not begin a journal that others have left behind and deleted.
    if (!journal.file.isInPlace()) return undefined;
    const begun = await writeGenesis(file, journal.projection, journal.position);
    if (begun) await file.sync(begun.genesis.end);
    if (begun && (begun.isOwn || continues(begun.genesis, journal))) next = journal.continueIn(file, begun.genesis);
    return next;
  } finally {
    if (!next) await file.close();
  }
}

/**
 * The journal after a sealed one, if it is still there and goes on with the same state: so nothing that others did
 * meanwhile is missed. It may be sealed, too.
 */
export async function followSealed(folder: JournalFolder, journal: Journal): Promise<Journal | undefined> {
  const file = folder.open(journal.number + 1);
  if (!file) return undefined;
  let next: Journal | undefined;
  try {
    const { genesis } = await findGenesis(file);
    if (genesis && continues(genesis, journal)) next = journal.continueIn(file, genesis);
    return next;
  } finally {
    if (!next) await file.close();
  }
}

/** After damage the next journal holds what its writer could read, which may be less than this process knows. */
function continues(genesis: Genesis, journal: Journal): boolean {
  return journal.status === 'sealed' && !journal.sealedForDamage && genesis.prev === journal.position.sum;
}

/** A journal may go when the second one after it is ready: until then some process may still come from it. */
function deleteBelow(folder: JournalFolder, number: number): void {
  for (const candidate of folder.numbers()) {
    if (candidate >= number) continue;
    try {
      folder.disk.unlink(folder.pathOf(candidate));
    } catch {
      // Another process deleted it first, or holds it (on Windows): the next rollover tries again.
    }
  }
}

/**
 * Takes up the store that is there now instead of `former`. A state that it doesn't contain is kept aside; the path of
 * that copy is returned. If it can't be kept, `now` is closed: it is not to be taken up yet.
 */
export async function keepIfLost(folder: JournalFolder, former: Journal, now: Journal): Promise<string | undefined> {
  const wasRolledOver = former.status === 'sealed' && !former.sealedForDamage && now.number > former.number;
  const contained =
    wasRolledOver ||
    (!former.sealedForDamage && former.lastCommand !== undefined && now.projection.hasCommand(former.lastCommand)) ||
    haveSameRows(former.projection, now.projection);
  if (contained) return undefined;
  try {
    return await keepState(folder.disk, folder.path, former.projection);
  } catch (error) {
    await now.close();
    throw error;
  }
}
