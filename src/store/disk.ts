import * as fs from 'node:fs';

export interface FileFacts {
  dev: bigint;
  ino: bigint;
  /** Bytes. */
  size: number;
  /** Hard links; 0 if the file was deleted and only lives on because it is open. */
  links: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** An ordinary file: no folder, symbolic link, pipe or device. */
  isFile: boolean;
  isLink: boolean;
}

/** What the store asks of a file system, one call an operation, so that tests can make any of them fail half-way. */
export interface Disk {
  /** Opens for reading and appending, never through a symbolic link. Never truncates; makes the file (private to the user) only if `create`. */
  openAppend(path: string, create: boolean): number;
  openRead(path: string): number;
  /** Makes a new file, private to the user, and fails if the name is taken. */
  openNew(path: string): number;
  close(fd: number): void;
  /** One `write` call; returns how many bytes it took. */
  write(fd: number, bytes: Uint8Array): number;
  /** One `read` call; 0 at the end of the file. */
  read(fd: number, target: Uint8Array, offset: number, length: number, position: number): number;
  factsOf(fd: number): FileFacts;
  /** Of a symbolic link the link's own. Undefined if nothing is there. */
  facts(path: string): FileFacts | undefined;
  /** Resolves when the file's bytes are on the medium. */
  syncData(fd: number): Promise<void>;
  /** Resolves when the folder's entries are on the medium. Does nothing on Windows, which has no such call. */
  syncFolder(path: string): Promise<void>;
  /** Names in a folder, in no order; undefined if there is no such folder. */
  list(path: string): string[] | undefined;
  /** Makes the folder and its missing parents, private to the user; returns the topmost one it made. */
  makeFolder(path: string): string | undefined;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  copy(from: string, to: string): Promise<void>;
  /** Bytes that this user may still write; Infinity if the system can't tell. */
  freeSpace(path: string): Promise<number>;
}

const WINDOWS = process.platform === 'win32';
/** Not through a symbolic link, and without waiting for the other end of a pipe. Windows has neither. */
const PLAINLY = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

function factsFrom(stats: fs.BigIntStats): FileFacts {
  return {
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    links: Number(stats.nlink),
    modified: Number(stats.mtimeMs),
    isFile: stats.isFile(),
    isLink: stats.isSymbolicLink(),
  };
}

export const realDisk: Disk = {
  openAppend: (path, create) =>
    fs.openSync(
      path,
      fs.constants.O_RDWR | fs.constants.O_APPEND | (create ? fs.constants.O_CREAT : 0) | PLAINLY,
      PRIVATE_FILE,
    ),
  openRead: (path) => fs.openSync(path, fs.constants.O_RDONLY | PLAINLY),
  openNew: (path) => fs.openSync(path, 'wx', PRIVATE_FILE),
  close: (fd) => fs.closeSync(fd),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  read: (fd, target, offset, length, position) => fs.readSync(fd, target, offset, length, position),
  factsOf: (fd) => factsFrom(fs.fstatSync(fd, { bigint: true })),
  facts: (path) => {
    const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && factsFrom(stats);
  },
  syncData: (fd) => new Promise((resolve, reject) => fs.fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
  syncFolder: async (path) => {
    if (WINDOWS) return;
    const folder = await fs.promises.open(path, 'r');
    try {
      await folder.sync();
    } catch (error) {
      // Some network file systems have no such call, either.
      if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error;
    } finally {
      await folder.close();
    }
  },
  list: (path) => {
    try {
      return fs.readdirSync(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  makeFolder: (path) => fs.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER }),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  copy: (from, to) => fs.promises.copyFile(from, to, fs.constants.COPYFILE_EXCL),
  freeSpace: async (path) => {
    try {
      const space = await fs.promises.statfs(path);
      return space.bavail * space.bsize;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  },
};

/** The system's name of an error (`ENOSPC`); undefined if it isn't the system's. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Writes all of `bytes`, in as many calls as it takes: for files that nobody reads before they are whole. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(disk.write(fd, rest));
}
