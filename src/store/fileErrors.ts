import { dirname } from 'node:path';
import { PlannerError } from '../planner/errors';
import { errorCode } from './disk';

const ADVICE: Record<string, string> = {
  ENOSPC: 'Free some space on that disk, then try again.',
  EDQUOT: 'Free some of your disk quota, then try again.',
  EACCES: 'Give this user the right to read and write there, then try again.',
  EPERM: 'Give this user the right to read and write there, then try again.',
  EROFS: 'The file system is read-only: make it writable, or choose another store folder.',
  EMFILE: 'Too many files are open: close some programs, then try again.',
};

/** Turns a failure of the file system into the refusal that a caller gets; other errors stay as they are. */
export function asPlannerError(error: unknown, doing: string, outcome = 'Nothing was changed.'): unknown {
  const code = errorCode(error);
  if (error instanceof PlannerError || code === undefined) return error;
  return new PlannerError(
    'FILE_SYSTEM_ERROR',
    `${doing} failed: ${(error as Error).message}. ${outcome}`,
    ADVICE[code] ?? 'Look at the disk and the folder, then try again.',
    { cause: error },
  );
}

export function newerVersion(path: string, cause?: unknown): PlannerError {
  return new PlannerError(
    'DATABASE_ERROR',
    `${path} was written by a newer version of 9plan than this one, which can't change it. Nothing was changed.`,
    'Update 9plan here, then try again.',
    { cause },
  );
}

/** `when` is added for a change that was already on its way: it isn't kept here. */
export function storeLost(folder: string, how: string, when?: string): PlannerError {
  const isMoved = how === 'moved';
  const kept = isMoved ? 'The change went with it.' : 'The change is not kept.';
  return new PlannerError(
    'FILE_SYSTEM_ERROR',
    `The store in ${folder} was ${how} ${when ?? 'while it was in use'}. ${when ? kept : 'Nothing was changed.'}`,
    isMoved
      ? 'Move the folder back, or create a session to start anew here.'
      : 'Restore the last state in the editor, or create a session to start anew.',
  );
}

export function outcomeUnknown(path: string, cause: unknown): PlannerError {
  return new PlannerError(
    'FILE_SYSTEM_ERROR',
    `The disk failed to keep what was written to ${path}: the outcome of the last change is unknown, and nothing more is written.`,
    'Check the disk, start 9plan again, and look whether the last change is there before you repeat it.',
    { cause },
  );
}

export function outcomeUnread(path: string, cause: unknown): PlannerError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PlannerError(
    'FILE_SYSTEM_ERROR',
    `A change was written to ${path}, but its outcome is unknown, because the store can't be read again: ${reason}`,
    'Check the disk and the folder, and look whether the change is there before you repeat it.',
    { cause },
  );
}

export function recordTooLarge(cause?: unknown): PlannerError {
  return new PlannerError(
    'VALIDATION_ERROR',
    'This change is too large to be recorded at once.',
    'Make it in smaller parts. Edits of plan files are part of it: shorten those that were filled with far too much text.',
    { cause },
  );
}

/** Only of a journal that something else than 9plan has written. */
export function noNextRecord(): PlannerError {
  return new PlannerError(
    'DATABASE_ERROR',
    'The journal has been given the last number that a record can have, so no change can follow.',
    'It was not 9plan that wrote it. Export what is worth keeping, then move the store away.',
  );
}

/** For what a link, a folder or a device stands in the place of. */
export function notOrdinary(path: string, what: string): PlannerError {
  return new PlannerError(
    'FILE_SYSTEM_ERROR',
    `${path} is ${what}, so it is neither read nor changed.`,
    `Move it out of ${dirname(path)} and call again.`,
    { matter: { kind: 'notOrdinary', path } },
  );
}

export function linkedStore(folder: string): PlannerError {
  return new PlannerError(
    'FILE_SYSTEM_ERROR',
    `${folder} is a symbolic link, so nothing is read or written where it leads to.`,
    'If its target is the right store, name that one: in NINEPLAN_SESSIONS_PATH, or in the editor in the setting nineplan.storePath.',
  );
}
