import * as fs from 'node:fs';
import { errorCode } from './disk';
import { notOrdinary } from './fileErrors';
import { bearsWrittenMark, digestOf, writtenMark } from './writtenMark';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Bytes; no plan is as large, and a file that is would stop the process for long. */
const LARGEST_FILE = 32 * 1024 * 1024;
/** Never through a symbolic link, and without waiting for the other end of a pipe. Windows has neither. */
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
/** Longer than any write or deletion of a plan file takes, in milliseconds. */
const OLD = 60_000;

/** What a file held when it was looked at. */
export interface FoundFile {
  bytes: Buffer;
  /** Milliseconds, as the file system says. */
  modified: number;
  /** Tells this content, saved at this time, from every other. */
  version: string;
  /** The file is as the store wrote it, now or earlier. */
  isMarked: boolean;
  /** No running process can still be at work on it. */
  isOld: boolean;
}

/** False if nothing is there. FILE_SYSTEM_ERROR for what isn't an ordinary file. */
export function isFileThere(path: string): boolean {
  const entry = fs.lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  if (!entry.isFile()) throw notOrdinary(path, entry.isSymbolicLink() ? 'a symbolic link' : 'not an ordinary file');
  return true;
}

/** Undefined if there is no such file. FILE_SYSTEM_ERROR for what isn't an ordinary file of a plan's size. */
export function findFile(path: string): FoundFile | undefined {
  if (!isFileThere(path)) return undefined;
  let fd: number;
  try {
    fd = fs.openSync(path, OPEN_FLAGS);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ELOOP') throw notOrdinary(path, 'a symbolic link');
    throw error;
  }
  try {
    const stats = fs.fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw notOrdinary(path, 'not an ordinary file');
    if (stats.size > LARGEST_FILE) throw notOrdinary(path, 'too large for a plan');
    const bytes = readAll(fd, Number(stats.size));
    const digest = digestOf(bytes);
    return {
      bytes,
      modified: Number(stats.mtimeMs),
      version: `${stats.mtimeNs}-${digest.slice(0, 16)}`,
      isMarked: bearsWrittenMark(digest, stats.mtimeNs),
      isOld: Number(stats.ctimeMs) < Date.now() - OLD,
    };
  } finally {
    fs.closeSync(fd);
  }
}

/** By one read where the file is as long as it was said to be. */
function readAll(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size + 1);
  const read = fs.readSync(fd, bytes, 0, size + 1, 0);
  return read === size ? bytes.subarray(0, size) : fs.readFileSync(fd);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined if it isn't UTF-8: read with replacement characters it would come to be stored with them. */
export function textOf({ bytes }: FoundFile): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Writes a new file, private to the user, with the mark of the store's own. */
export function writeMarked(path: string, bytes: Buffer): void {
  const fd = fs.openSync(path, 'wx', PRIVATE_FILE);
  try {
    fs.writeFileSync(fd, bytes);
    fs.futimesSync(fd, Date.now() / 1000, writtenMark(bytes));
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Marks a file that somebody edited, now that the store has the same text. The time is never later than before: an
 * editor that has the file open would take it for changed and refuse to save. If it is changed meanwhile, the mark is of
 * another content and says nothing.
 */
export function markFile(path: string, { bytes, modified }: FoundFile): void {
  const mark = writtenMark(bytes, modified);
  fs.utimesSync(path, Date.now() / 1000, mark * 1000 > modified ? mark - 1 : mark);
}

/** Whether all of `folders` are there as folders. FILE_SYSTEM_ERROR if one of them is a link or a file. */
export function areRealFolders(folders: string[]): boolean {
  for (const folder of folders) {
    const entry = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (entry === undefined) return false;
    if (!entry.isDirectory()) throw notOrdinary(folder, entry.isSymbolicLink() ? 'a symbolic link' : 'not a folder');
  }
  return true;
}

export function makeFolders(folders: string[]): void {
  if (areRealFolders(folders)) return;
  fs.mkdirSync(folders.at(-1) as string, { recursive: true, mode: PRIVATE_FOLDER });
  areRealFolders(folders);
}

/** Leaves a folder alone that holds anything, or is gone. */
export function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}
