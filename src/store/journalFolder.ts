import { dirname, join } from 'node:path';
import type { CommittedChange } from '../planner/events';
import type { Log } from '../planner/ports';
import { type Disk, errorCode, writeAll } from './disk';
import { newerVersion } from './fileErrors';
import { findGenesis, type Genesis, loadGenesis, writeGenesis } from './genesis';
import { Journal } from './journal';
import { JournalFile } from './journalFile';
import { keepSnapshot } from './keptCopies';
import type { JournalPosition, Projection } from './projectionPort';
import { readSnapshot, writeSnapshot } from './snapshot';

/** Makes a projection: empty, or from the image of one. Throws if the image is none that this version reads. */
export type OpenProjection = (image?: Uint8Array) => Projection;

const NAME = /^journal-([1-9]\d{0,8})\.ndjson$/;
const IGNORE_ALL = Buffer.from('*\n');

/** The state in `store.db`, and the size of its image. */
export interface Snapshot {
  projection: Projection;
  position: JournalPosition;
  size: number;
}

export interface JournalFolderParts {
  disk: Disk;
  folder: string;
  /** Loads what projections need, once. */
  loadProjections: () => Promise<OpenProjection>;
  onChange: (change: CommittedChange) => void;
  log: Log;
}

/** The journals of a store: finds the one that counts, begins the first, makes what was appended durable. */
export class JournalFolder {
  readonly disk: Disk;
  readonly folder: string;
  private madeFrom: string | undefined;
  private readonly syncedEntries = new WeakMap<JournalFile, Promise<void>>();

  constructor(private readonly parts: JournalFolderParts) {
    this.disk = parts.disk;
    this.folder = parts.folder;
  }

  pathOf(number: number): string {
    return join(this.folder, `journal-${number}.ndjson`);
  }

  /** Highest first. */
  numbers(): number[] {
    const found = (this.disk.list(this.folder) ?? []).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    return found.map(Number).sort((a, b) => b - a);
  }

  /** Changes whenever a journal comes, goes or grows. */
  signature(): string {
    return this.numbers()
      .map((number) => `${number}:${this.disk.facts(this.pathOf(number))?.size}`)
      .join();
  }

  async newProjection(image?: Uint8Array): Promise<Projection> {
    return (await this.parts.loadProjections())(image);
  }

  /** A journal at its genesis, whose state `projection` already holds. */
  at(number: number, file: JournalFile, genesis: Genesis, projection: Projection): Journal {
    const position = { journal: number, seq: genesis.seq, sum: genesis.sum, offset: genesis.end };
    projection.setPosition(position);
    return this.follow(file, projection, position, genesis.end);
  }

  /**
   * Loads the journal with the highest number that has a valid beginning; undefined if there is none. Creates nothing.
   * With `report`, for somebody who has seen no store here yet, changes are reported from the first one on.
   * DATABASE_ERROR if a newer version wrote it.
   */
  async find({ report }: { report: boolean }): Promise<Journal | undefined> {
    for (let reporting = report; ; reporting = false) {
      const journal = await this.loadHighest(reporting);
      if (!journal) return undefined;
      if (journal.file.isInPlace() && (await this.highestAbove(journal.number)) === undefined) {
        if (report && !reporting) this.parts.onChange(beyondReport(journal.position.seq));
        return journal;
      }
      await this.letGo(journal);
    }
  }

  async letGo(journal: Journal): Promise<void> {
    journal.projection.close();
    await journal.file.close();
  }

  /** The highest journal beyond that number that has a valid beginning. */
  async highestAbove(number: number): Promise<number | undefined> {
    for (const candidate of this.numbers()) {
      if (candidate <= number) return undefined;
      const file = JournalFile.open(this.disk, this.pathOf(candidate), false);
      if (!file) continue;
      const { genesis } = await findGenesis(file);
      await file.close();
      if (genesis) return candidate;
    }
    return undefined;
  }

  /** Begins the first journal with a state, unless another process does so first; then that one's counts. */
  async begin(state: Projection): Promise<void> {
    this.madeFrom = this.disk.makeFolder(this.folder) ?? this.madeFrom;
    this.ignoreInGit();
    const file = JournalFile.open(this.disk, this.pathOf(1), true);
    if (!file) throw new Error(`${this.pathOf(1)} could not be made.`);
    try {
      const { genesis } = await writeGenesis(file, state, state.position() ?? { seq: 0, sum: '' });
      await file.sync(genesis.end);
    } finally {
      await file.close();
    }
  }

  /** Writes `store.db`; false if it can't be. What the image holds must be durable in the journal already. */
  saveSnapshot(image: Uint8Array): Promise<boolean> {
    return writeSnapshot(this.disk, this.folder, image);
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
    const topmost = dirname(this.madeFrom ?? this.folder);
    for (let folder = this.folder; ; folder = dirname(folder)) {
      await this.disk.syncFolder(folder);
      if (folder === topmost || folder === dirname(folder)) return;
    }
  }

  private ignoreInGit(): void {
    try {
      const fd = this.disk.openNew(join(this.folder, '.gitignore'));
      try {
        writeAll(this.disk, fd, IGNORE_ALL);
      } finally {
        this.disk.close(fd);
      }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }

  private follow(file: JournalFile, projection: Projection, position: JournalPosition, stateSize: number): Journal {
    return new Journal(file, projection, stateSize, position, this.parts.onChange);
  }

  private async loadHighest(report: boolean): Promise<Journal | undefined> {
    const headless: { number: number; file: JournalFile }[] = [];
    const numbers = this.numbers();
    const snapshot = numbers.length > 0 && !report ? await this.openSnapshot() : undefined;
    let isSnapshotUsed = false;
    try {
      for (const number of numbers) {
        const file = JournalFile.open(this.disk, this.pathOf(number), false);
        if (!file) continue;
        const continued = snapshot && (await this.fromSnapshot(snapshot, number, file));
        isSnapshotUsed = continued !== undefined;
        const loaded = continued ?? (await this.fromGenesis(number, file, snapshot?.position, report));
        if (loaded instanceof Journal) return await this.continueHeadless(loaded, headless);
        if (loaded === 'damaged') headless.push({ number, file });
        else await file.close();
      }
      return await this.continueHeadless(undefined, headless);
    } finally {
      for (const { file } of headless) await file.close();
      if (!isSnapshotUsed) snapshot?.projection.close();
    }
  }

  /**
   * From `store.db`, if the journal's bytes before its offset are those that it was made from. Damage before them doesn't
   * matter then: the image holds what stood there.
   */
  private async fromSnapshot(snapshot: Snapshot, number: number, file: JournalFile): Promise<Journal | undefined> {
    const { projection, position, size } = snapshot;
    if (position.journal !== number || !file.hasBefore(position.offset, tailOf(position))) return undefined;
    const journal = this.follow(file, projection, position, size);
    await journal.replay();
    return journal;
  }

  /** The state that `store.db` holds, if it is whole and of this version. */
  async openSnapshot(): Promise<Snapshot | undefined> {
    const snapshot = await readSnapshot(this.disk, this.folder);
    if (!snapshot?.isWhole) return undefined;
    const size = snapshot.image.length;
    try {
      const projection = await this.newProjection(snapshot.image);
      const position = projection.position();
      if (position) return { projection, position, size };
      projection.close();
    } catch (error) {
      this.parts.log.debug({ error }, 'store.db can not be used; the state is rebuilt from the journal.');
    }
    return undefined;
  }

  private async fromGenesis(
    number: number,
    file: JournalFile,
    snapshot: JournalPosition | undefined,
    report: boolean,
  ): Promise<Journal | 'damaged' | 'unborn'> {
    const { genesis, hasRecords, isNewer } = await findGenesis(file);
    if (!genesis) {
      if (isNewer) throw newerVersion(file.path);
      return hasRecords ? 'damaged' : 'unborn';
    }
    const projection = await this.newProjection();
    await loadGenesis(file, genesis, projection);
    const journal = this.at(number, file, genesis, projection);
    if (report && genesis.prev !== '') this.parts.onChange(beyondReport(genesis.seq));
    await journal.replay({ report });
    if (snapshot) await this.judgeSnapshot(snapshot, journal, genesis);
    return journal;
  }

  /** A `store.db` that isn't a former state of the journal holds what the journal lacks: it must not be overwritten. */
  private async judgeSnapshot(snapshot: JournalPosition, journal: Journal, genesis: Genesis): Promise<void> {
    const isInGenesis = snapshot.sum === genesis.prev;
    const isFormer = snapshot.seq <= journal.position.seq && snapshot.journal < journal.number;
    const isHere = snapshot.journal === journal.number && journal.file.hasBefore(snapshot.offset, tailOf(snapshot));
    if (isInGenesis || isFormer || isHere || (await this.highestAbove(journal.number)) !== undefined) return;
    keepSnapshot(this.disk, this.folder);
    this.parts.log.warn({ folder: this.folder }, 'store.db was ahead of the journal: it is kept aside.');
  }

  /** Journals above the last sound one whose own beginnings are damaged: their records still count. */
  private async continueHeadless(
    base: Journal | undefined,
    headless: { number: number; file: JournalFile }[],
  ): Promise<Journal | undefined> {
    let journal = base;
    for (let next = headless.pop(); next; next = headless.pop()) {
      const projection = journal?.projection ?? (await this.newProjection());
      const { seq, sum } = journal?.position ?? { seq: 0, sum: '' };
      const position = { journal: next.number, seq, sum, offset: 0 };
      projection.setPosition(position);
      const continued = this.follow(next.file, projection, position, 0);
      for (const sentence of journal?.damage ?? []) continued.damage.add(sentence);
      continued.damage.add(`The beginning of ${next.file.path} is damaged.`);
      await continued.replay();
      await journal?.file.close();
      journal = continued;
    }
    return journal;
  }
}

/** What a genesis holds can't be told as changes. */
function beyondReport(seq: number): CommittedChange {
  return { seq, at: new Date().toISOString(), by: '9plan', own: false, events: [] };
}

function tailOf({ sum }: JournalPosition): Buffer {
  return Buffer.from(`${sum}"}\n`);
}
