import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Disk, realDisk } from '../../src/store/disk';
import { copyStore } from './copyStore';

const SECTOR = 512;

/**
 * The real disk, which also knows what of it a power cut might leave: what was not synced may be missing, from a byte
 * on or in the midst; names that were made, renamed or deleted since their folder was synced may be as before.
 */
export class CrashDisk {
  /** By inode: bytes that are on the medium for sure. */
  private readonly synced = new Map<bigint, number>();
  /** By folder: the names that are there for sure, and what they lead to. */
  private readonly entries = new Map<string, Map<string, bigint>>();
  /** By inode: the last content of what was deleted or replaced. */
  private readonly former = new Map<bigint, Buffer>();
  /** Folders of sessions that were there long before; what is in them is left as it was last. */
  private readonly settled = new Set<string>();
  readonly disk: Disk;

  constructor() {
    this.disk = {
      ...realDisk,
      syncData: async (fd) => {
        const { ino, size } = realDisk.factsOf(fd);
        await realDisk.syncData(fd);
        this.synced.set(ino, Math.max(size, this.synced.get(ino) ?? 0));
      },
      syncFolder: async (path) => {
        const entries = listed(path);
        await realDisk.syncFolder(path);
        this.entries.set(path, entries);
      },
      rename: (from, to) => {
        this.keepContent(to);
        realDisk.rename(from, to);
      },
      unlink: (path) => {
        this.keepContent(path);
        realDisk.unlink(path);
      },
    };
  }

  /** All that is in the folder was there long before. */
  settle(folder: string): void {
    this.entries.set(dirname(folder), listed(dirname(folder)));
    if (!realDisk.facts(folder)) return;
    this.entries.set(folder, listed(folder));
    for (const name of foldersIn(folder)) this.settled.add(name);
    for (const name of listed(folder).keys()) {
      const facts = realDisk.facts(join(folder, name));
      if (facts) this.synced.set(facts.ino, facts.size);
    }
  }

  /** Writes to `target` what the power cut leaves of `folder`, whose parent is there for sure. */
  cut(folder: string, target: string, random: () => number): void {
    const isThere = this.entries.get(dirname(folder))?.has(basename(folder)) ?? false;
    if (!isThere && random() < 0.5) return;
    if (!realDisk.facts(folder)) return;
    mkdirSync(target, { recursive: true });
    for (const name of foldersIn(folder)) {
      if (this.settled.has(name) || random() < 0.5) copyStore(join(folder, name), join(target, name));
    }
    const durable = this.entries.get(folder) ?? new Map<string, bigint>();
    const now = listed(folder);
    for (const name of new Set([...durable.keys(), ...now.keys()])) {
      const [before, after] = [durable.get(name), now.get(name)];
      const left = before === after || random() < 0.5 ? after : before;
      if (left === undefined) continue;
      const content = left === after ? readFileSync(join(folder, name)) : this.former.get(left);
      if (content) writeFileSync(join(target, name), this.leave(content, this.synced.get(left) ?? 0, random));
    }
  }

  private leave(content: Buffer, synced: number, random: () => number): Buffer {
    if (synced >= content.length) return content;
    const length = synced + Math.floor(random() * (content.length - synced + 1));
    const left = Buffer.from(content.subarray(0, random() < 0.3 ? content.length : length));
    const holeAt = synced + Math.floor(random() * (left.length - synced + 1));
    if (random() < 0.3) left.fill(0, holeAt, Math.min(left.length, holeAt + SECTOR));
    return left;
  }

  private keepContent(path: string): void {
    const facts = realDisk.facts(path);
    if (facts) this.former.set(facts.ino, readFileSync(path));
  }
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Files and folders by name, and their inodes. */
function listed(folder: string): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const name of readdirSync(folder)) {
    const stats = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    if (stats && (stats.isFile() || name === '.9plan')) found.set(name, stats.ino);
  }
  return found;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
