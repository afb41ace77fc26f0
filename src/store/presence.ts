import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bootId, isCertainlyDead, markOfThisProcess, type ProcessMark } from './kernel';
import { StoreWatcher } from './watcher';

const FOLDER = 'windows';
/** Milliseconds between signs of life, and after the last one that a window still counts as open. */
const REFRESH = 5000;
const TOLERANCE = 30_000;
/** A file of another kernel that shows no sign of life for so long is litter. */
const LITTER = 24 * 3600_000;
/** Bytes; what is larger is nobody's presence. */
const LARGEST = 4096;
/** More files than that have come with the folder: nobody has as many windows, and each look at them takes time. */
const MOST = 200;

/** An editor window that has the store open. */
export interface OpenWindow extends ProcessMark {
  /** Two windows that are restored from one image still differ in this. */
  random: string;
  /** Whether it can put proposals before the person. */
  reviewPanel: boolean;
}

/** Lets agents know that an editor window is open, by a file that is kept fresh. Made only where a store is. */
export class WindowPresence {
  private readonly random = randomBytes(9).toString('hex');
  private readonly path: string;
  private readonly watcher: StoreWatcher;
  private refreshed = 0;

  constructor(
    private readonly folder: string,
    private reviewPanel: boolean,
  ) {
    this.path = join(folder, FOLDER, this.random);
    this.watcher = new StoreWatcher(folder, () => this.refresh(), REFRESH);
    this.watcher.start();
  }

  setReviewPanel(enabled: boolean): void {
    if (this.reviewPanel === enabled) return;
    this.reviewPanel = enabled;
    this.refreshed = 0;
    this.refresh();
  }

  dispose(): void {
    this.watcher.stop();
    rmSync(this.path, { force: true });
  }

  private refresh(): void {
    try {
      if (!isStore(this.folder)) this.refreshed = 0;
      else if (this.refreshed === 0 || !existsSync(this.path)) this.write();
      else if (Date.now() - this.refreshed >= REFRESH / 2) utimesSync(this.path, new Date(), new Date());
      else return;
      this.refreshed = isStore(this.folder) ? Date.now() : 0;
    } catch {
      // A store that can't be written to is told of where somebody wants to change it.
    }
  }

  private write(): void {
    mkdirSync(join(this.folder, FOLDER), { recursive: true, mode: 0o700 });
    // A link would lead the cleaning to somebody else's files.
    if (!isRealFolder(join(this.folder, FOLDER))) return;
    removeLitter(this.folder);
    const window: OpenWindow = { ...markOfThisProcess(), random: this.random, reviewPanel: this.reviewPanel };
    writeFileSync(this.path, JSON.stringify(window), { mode: 0o600 });
  }
}

/** A folder without a journal is nobody's store yet, and a link is none at all: a look must leave it as it is. */
function isStore(folder: string): boolean {
  return (
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    readdirSync(folder).some((name) => name.startsWith('journal-'))
  );
}

/** The editor windows that are open on the store at this moment. */
export function windowsOpen(folder: string): OpenWindow[] {
  return presenceFiles(folder).flatMap(({ window, age }) =>
    window && age < TOLERANCE && !isCertainlyDead(window) ? [window] : [],
  );
}

/** A sentence if a window on another kernel has the store open. */
export function foreignKernels(folder: string): string[] {
  const isForeign = windowsOpen(folder).some((window) => window.bootId !== bootId);
  return isForeign
    ? [
        `Another machine or virtual machine has ${folder} open, too: on a shared folder changes can overwrite each other.`,
      ]
    : [];
}

function removeLitter(folder: string): void {
  for (const { path, window, age } of presenceFiles(folder)) {
    if (age > LITTER || (window && isCertainlyDead(window))) rmSync(path, { force: true });
  }
}

/** `window` is undefined for a file that is no presence file, or not one yet. */
function presenceFiles(folder: string): { path: string; window: OpenWindow | undefined; age: number }[] {
  const at = join(folder, FOLDER);
  if (!isRealFolder(at)) return [];
  return readdirSync(at)
    .slice(0, MOST)
    .flatMap((name) => {
      const path = join(at, name);
      try {
        const stats = lstatSync(path);
        if (!stats.isFile() || stats.size > LARGEST) return [];
        return [{ path, window: parseWindow(readFileSync(path, 'utf8')), age: Date.now() - stats.mtimeMs }];
      } catch {
        return [];
      }
    });
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function parseWindow(text: string): OpenWindow | undefined {
  try {
    const window: Partial<OpenWindow> = JSON.parse(text);
    const isWindow =
      Number.isInteger(window.pid) && typeof window.bootId === 'string' && typeof window.reviewPanel === 'boolean';
    return isWindow ? (window as OpenWindow) : undefined;
  } catch {
    return undefined;
  }
}
