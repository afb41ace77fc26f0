import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds. */
const POLL_INTERVAL = 2000;
/** A burst of events is one look; the first comes at once. */
const QUIET = 20;

/**
 * Says when something in the store folder may have changed: at once where the file system tells, else after a slow look
 * at regular times (network folders, WSL). The folder need not exist yet. Doesn't keep the process alive.
 */
export class StoreWatcher {
  private watching: { folder: string; inode: number | undefined; watcher: FSWatcher } | undefined;
  private poll: NodeJS.Timeout | undefined;
  private quiet: NodeJS.Timeout | undefined;
  private isAgain = false;

  constructor(
    private readonly folder: string,
    private readonly onChange: () => void,
    private readonly pollInterval = POLL_INTERVAL,
  ) {}

  start(): void {
    if (this.poll) return;
    this.poll = setInterval(() => this.look(), this.pollInterval).unref();
    this.watch();
    this.notice();
  }

  stop(): void {
    clearInterval(this.poll);
    clearTimeout(this.quiet);
    this.poll = undefined;
    this.quiet = undefined;
    this.unwatch();
  }

  private look(): void {
    this.watch();
    this.notice();
  }

  /** Watches the folder, or where it may appear. */
  private watch(): void {
    const inode = inodeOf(this.folder);
    const exists = inode !== undefined;
    const target = exists ? this.folder : dirname(this.folder);
    // A folder that was deleted and made again is another one.
    if (this.watching?.folder === target && this.watching.inode === inode) return;
    this.unwatch();
    try {
      const watcher = watch(target, { persistent: false }, (_event, name) => {
        if (!exists && name !== null && name !== basename(this.folder)) return;
        if (exists && name !== null && !name.startsWith('journal-') && name !== basename(this.folder)) return;
        this.watch();
        this.notice();
      });
      watcher.on('error', () => this.unwatch());
      this.watching = { folder: target, inode, watcher };
    } catch {
      // The regular look does it alone.
    }
  }

  private unwatch(): void {
    this.watching?.watcher.close();
    this.watching = undefined;
  }

  private notice(): void {
    if (this.quiet) {
      this.isAgain = true;
      return;
    }
    this.isAgain = false;
    this.quiet = setTimeout(() => {
      this.quiet = undefined;
      if (this.isAgain) this.notice();
    }, QUIET).unref();
    this.onChange();
  }
}

function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}
