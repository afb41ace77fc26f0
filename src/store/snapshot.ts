import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, errorCode, writeAll } from './disk';
import { delay, TimeSlice } from './pause';

export const SNAPSHOT = 'store.db';
/** SQLite reads as many pages as its header says, so that a checksum can stand behind them. */
const CHECKSUM_LENGTH = 32;
/** Bytes; no state that a process can hold makes a larger image. */
const LARGEST = 1024 * 1024 * 1024;
const CHUNK = 1024 * 1024;
/** Share of an image that the database made from it may grow by before it must be copied. */
const ROOM = 1 / 8;
const RENAME_ATTEMPTS = 10;
const STALE = 3_600_000;

/**
 * The bytes of `store.db` without their checksum, and whether it is right; undefined if there is no such file. Behind the image
 * its buffer has zeros.
 */
export async function readSnapshot(
  disk: Disk,
  folder: string,
): Promise<{ image: Uint8Array; isWhole: boolean } | undefined> {
  const path = join(folder, SNAPSHOT);
  const there = disk.facts(path);
  if (there === undefined) return undefined;
  if (!there.isFile || there.size > LARGEST) return { image: new Uint8Array(), isWhole: false };
  const { size } = there;
  const bytes = Buffer.alloc(size + Math.ceil(size * ROOM));
  const fd = disk.openRead(path);
  const slice = new TimeSlice();
  const hash = createHash('sha256');
  const imageLength = Math.max(0, size - CHECKSUM_LENGTH);
  let filled = 0;
  try {
    while (filled < size) {
      const read = disk.read(fd, bytes, filled, Math.min(CHUNK, size - filled), filled);
      if (read === 0) break;
      hash.update(bytes.subarray(Math.min(filled, imageLength), Math.min(filled + read, imageLength)));
      filled += read;
      if (slice.isOver) await slice.pause();
    }
  } finally {
    disk.close(fd);
  }
  const isWhole = filled === size && hash.digest().equals(bytes.subarray(imageLength, size));
  bytes.fill(0, imageLength, size);
  return { image: bytes.subarray(0, imageLength), isWhole };
}

/** Puts a new `store.db` in place; false if it can't be, which harms nothing: the journal holds everything. */
export async function writeSnapshot(disk: Disk, folder: string, image: Uint8Array): Promise<boolean> {
  const path = join(folder, SNAPSHOT);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    dropStale(disk, folder);
    await writeTemporary(disk, temporary, image);
    await renameInPlace(disk, temporary, path);
    await disk.syncFolder(folder);
    return true;
  } catch {
    if (disk.facts(temporary)) disk.unlink(temporary);
    return false;
  }
}

async function writeTemporary(disk: Disk, temporary: string, image: Uint8Array): Promise<void> {
  const fd = disk.openNew(temporary);
  const slice = new TimeSlice();
  const hash = createHash('sha256');
  try {
    for (let start = 0; start < image.length; start += CHUNK) {
      const chunk = image.subarray(start, start + CHUNK);
      hash.update(chunk);
      writeAll(disk, fd, chunk);
      if (slice.isOver) await slice.pause();
    }
    writeAll(disk, fd, hash.digest());
    await disk.syncData(fd);
  } finally {
    disk.close(fd);
  }
}

/** On Windows a reader or a virus scanner may hold the file for a moment. */
async function renameInPlace(disk: Disk, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      disk.rename(from, to);
      return;
    } catch (error) {
      const isHeld = ['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error) ?? '');
      if (process.platform !== 'win32' || !isHeld || attempt === RENAME_ATTEMPTS) throw error;
      await delay(10 * attempt);
    }
  }
}

/** Removes what a killed writer left behind. */
function dropStale(disk: Disk, folder: string): void {
  for (const name of disk.list(folder) ?? []) {
    if (!name.startsWith(`${SNAPSHOT}.`) || !name.endsWith('.tmp')) continue;
    const facts = disk.facts(join(folder, name));
    if (facts && Date.now() - facts.modified > STALE) disk.unlink(join(folder, name));
  }
}
