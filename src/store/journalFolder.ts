import { dirname, join } from 'node:path';
import { type Disk, errorCode, writeAll } from './disk';
import { linkedStore } from './fileErrors';
import { findGenesis, writeGenesis } from './genesis';
import type { Journal } from './journal';
import { JournalFile } from './journalFile';
import { decodeRecord } from './journalRecord';
import { keepDamaged } from './keptCopies';
import type { Projection } from './projectionPort';
import { writeSnapshot } from './snapshot';

const NAME = /^journal-([1-9]\d{0,8})\.ndjson$/;
const IGNORE_ALL = Buffer.from('*\n');

/** The store's folder with its journals: lists them, begins the first, makes what was appended durable. */
export class JournalFolder {
  private madeFrom: string | undefined;
  private readonly syncedEntries = new WeakMap<JournalFile, Promise<void>>();

  constructor(
    readonly disk: Disk,
    /** Absolute; it need not exist. */
    readonly path: string,
  ) {}

  /** FILE_SYSTEM_ERROR for a folder that only leads elsewhere: a project could bring one along. */
  refuseLink(): void {
    if (this.disk.facts(this.path)?.isLink) throw linkedStore(this.path);
  }

  /** Undefined if there is no such journal and `create` isn't set. */
  open(number: number, create = false): JournalFile | undefined {
    return JournalFile.open(this.disk, this.pathOf(number), create);
  }

  pathOf(number: number): string {
    return join(this.path, `journal-${number}.ndjson`);
  }

  /** Highest first. */
  numbers(): number[] {
    const found = (this.disk.list(this.path) ?? []).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    return found.map(Number).sort((a, b) => b - a);
  }

  /** Changes whenever a journal comes, goes or grows. */
  signature(): string {
    return this.numbers()
      .map((number) => `${number}:${this.disk.facts(this.pathOf(number))?.size}`)
      .join();
  }

  /** The highest journal beyond that number that has a valid beginning. */
  async highestAbove(number: number): Promise<number | undefined> {
    for (const candidate of this.numbers()) {
      if (candidate <= number) return undefined;
      if (await this.looking(candidate, hasBegun)) return candidate;
    }
    return undefined;
  }

  /** Begins the first journal with a state, unless another process does so first; then that one's counts. */
  async begin(state: Projection): Promise<void> {
    this.madeFrom = this.disk.makeFolder(this.path) ?? this.madeFrom;
    this.ignoreInGit();
    const file = this.open(1, true);
    if (!file) throw new Error(`${this.pathOf(1)} could not be made.`);
    try {
      const begun = await writeGenesis(file, state, state.position() ?? { seq: 0, sum: '' });
      if (begun) await file.sync(begun.genesis.end);
    } finally {
      await file.close();
    }
  }

  /**
   * Copies journals of whose beginning a part is left, before one is begun beside or in them. Less than a whole line is
   * what somebody leaves who is killed while he begins one.
   */
  async keepRemains(): Promise<void> {
    for (const number of this.numbers()) {
      const isRemains = await this.looking(number, async (file) => !(await hasBegun(file)) && hasLine(file));
      if (isRemains) await keepDamaged(this.disk, this.path, this.pathOf(number));
    }
  }

  private async looking(number: number, look: (file: JournalFile) => Promise<boolean>): Promise<boolean> {
    const file = this.open(number);
    try {
      return file !== undefined && (await look(file));
    } finally {
      await file?.close();
    }
  }

  /** Writes `store.db`; false if it can't be. What the image holds must be durable in the journal already. */
  saveSnapshot(image: Uint8Array): Promise<boolean> {
    return writeSnapshot(this.disk, this.path, image);
  }

  /** Resolves when the journal is on the medium up to that offset, and found under its name after a power cut. */
  async makeDurable(journal: Journal, offset: number): Promise<void> {
    await journal.file.sync(offset);
    let entries = this.syncedEntries.get(journal.file);
    if (!entries) {
      entries = this.syncEntries();
      this.syncedEntries.set(journal.file, entries);
    }
    await entries;
  }

  private async syncEntries(): Promise<void> {
    const topmost = dirname(this.madeFrom ?? this.path);
    for (let folder = this.path; ; folder = dirname(folder)) {
      await this.disk.syncFolder(folder);
      if (folder === topmost || folder === dirname(folder)) return;
    }
  }

  private ignoreInGit(): void {
    try {
      const fd = this.disk.openNew(join(this.path, '.gitignore'));
      try {
        writeAll(this.disk, fd, IGNORE_ALL);
      } finally {
        this.disk.close(fd);
      }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Whether it has a valid beginning. */
async function hasBegun(file: JournalFile): Promise<boolean> {
  return (await findGenesis(file)).genesis !== undefined;
}

function hasLine(file: JournalFile): boolean {
  for (const { bytes } of file.lines(0)) if (decodeRecord(bytes)) return true;
  return false;
}
