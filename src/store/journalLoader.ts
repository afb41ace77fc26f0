import type { CommittedChange } from '../planner/events';
import type { Log } from '../planner/ports';
import { newerVersion } from './fileErrors';
import { findGenesis, type Genesis, loadGenesis, startOf } from './genesis';
import { indexInSlices } from './indexer';
import { Journal } from './journal';
import type { JournalFile } from './journalFile';
import type { JournalFolder } from './journalFolder';
import { decodeRecord } from './journalRecord';
import { keepSnapshot } from './keptCopies';
import { TimeSlice } from './pause';
import type { JournalPosition, Projection } from './projectionPort';
import { readSnapshot } from './snapshot';

/** Bytes of a journal whose projection is given room to grow in, and the most that it is given. */
const MUCH = 8 * 1024 * 1024;
const MOST_ROOM = 256 * 1024 * 1024;
/** How much larger than its journal a projection is at most, with the search index, as a rule. */
const GROWTH = 1.25;

/** Makes a projection: empty, or from the image of one. Throws if the image is none that this version reads. */
export type OpenProjection = (image?: Uint8Array) => Projection;

/** The state in `store.db`, and the size of its image. */
export interface Snapshot {
  projection: Projection;
  position: JournalPosition;
  size: number;
}

/** A journal whose beginning is damaged. */
interface Headless {
  number: number;
  file: JournalFile;
}

interface LoaderParts {
  folder: JournalFolder;
  /** Loads what projections need, once. */
  loadProjections: () => Promise<OpenProjection>;
  onChange: (change: CommittedChange) => void;
  log: Log;
}

/** Finds the journal that counts and brings a projection to its state. */
export class JournalLoader {
  private readonly folder: JournalFolder;

  constructor(private readonly parts: LoaderParts) {
    this.folder = parts.folder;
  }

  async newProjection(image?: Uint8Array): Promise<Projection> {
    return (await this.parts.loadProjections())(image);
  }

  /** An empty projection with room for what so many bytes of a journal hold: one that outgrows its memory is copied each time. */
  private async projectionFor(bytes: number): Promise<Projection> {
    const empty = await this.newProjection();
    if (bytes < MUCH) return empty;
    await new TimeSlice().pause();
    const image = empty.export();
    empty.close();
    const memory = new Uint8Array(image.length + Math.min(bytes * GROWTH, MOST_ROOM));
    memory.set(image);
    return this.newProjection(memory.subarray(0, image.length));
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
      if (journal.file.isInPlace() && (await this.folder.highestAbove(journal.number)) === undefined) {
        await indexInSlices(() => journal.projection);
        if (report && !reporting) this.parts.onChange(beyondReport(journal.position.seq));
        return journal;
      }
      await journal.close();
    }
  }

  private async loadHighest(report: boolean): Promise<Journal | undefined> {
    const numbers = this.folder.numbers();
    const snapshot = numbers.length > 0 && !report ? await this.snapshotIfReadable() : undefined;
    const opened: JournalFile[] = [];
    let loaded: Journal | undefined;
    try {
      const headless: Headless[] = [];
      for (const number of numbers) {
        const file = this.folder.open(number);
        if (!file) continue;
        opened.push(file);
        const found =
          (snapshot && (await this.fromSnapshot(snapshot, number, file))) ??
          (await this.fromGenesis(number, file, snapshot?.position, report));
        if (found === 'headless') headless.push({ number, file });
        else if (found) loaded = found;
        if (loaded) break;
      }
      loaded = await this.continueHeadless(loaded, headless, snapshot);
      return loaded;
    } finally {
      for (const file of opened) if (file !== loaded?.file) await file.close();
      if (snapshot && snapshot.projection !== loaded?.projection) snapshot.projection.close();
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

  /** Beside a journal it only saves time. */
  private async snapshotIfReadable(): Promise<Snapshot | undefined> {
    try {
      return await this.openSnapshot();
    } catch (error) {
      this.parts.log.warn({ error }, 'store.db can not be read; the state is rebuilt from the journal.');
      return undefined;
    }
  }

  /** The state that `store.db` holds, if it is whole and of this version. */
  async openSnapshot(): Promise<Snapshot | undefined> {
    const snapshot = await readSnapshot(this.folder.disk, this.folder.path);
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

  /** Undefined if it hasn't begun yet. */
  private async fromGenesis(
    number: number,
    file: JournalFile,
    snapshot: JournalPosition | undefined,
    report: boolean,
  ): Promise<Journal | 'headless' | undefined> {
    const { genesis, hasRecords, isNewer } = await findGenesis(file);
    if (!genesis) {
      if (isNewer) throw newerVersion(file.path);
      return hasRecords ? 'headless' : undefined;
    }
    const projection = await this.projectionFor(file.size);
    try {
      await loadGenesis(file, genesis, projection);
      const journal = this.follow(file, projection, startOf(number, genesis), genesis.end);
      if (report && genesis.prev !== '') this.parts.onChange(beyondReport(genesis.seq));
      await journal.replay({ report });
      if (snapshot) await this.judgeSnapshot(snapshot, journal, genesis);
      return journal;
    } catch (error) {
      projection.close();
      throw error;
    }
  }

  /** A `store.db` that isn't a former state of the journal holds what the journal lacks: it must not be overwritten. */
  private async judgeSnapshot(snapshot: JournalPosition, journal: Journal, genesis: Genesis): Promise<void> {
    const isInGenesis = snapshot.sum === genesis.prev;
    const isFormer = snapshot.seq <= journal.position.seq && snapshot.journal < journal.number;
    const isHere = snapshot.journal === journal.number && journal.file.hasBefore(snapshot.offset, tailOf(snapshot));
    if (isInGenesis || isFormer || isHere || (await this.folder.highestAbove(journal.number)) !== undefined) return;
    this.keepAhead();
  }

  private keepAhead(): void {
    keepSnapshot(this.folder.disk, this.folder.path);
    this.parts.log.warn({ folder: this.folder.path }, 'store.db holds what the journal lacks: it is kept aside.');
  }

  /** Journals above the last sound one whose own beginnings are damaged: their records still count. */
  private async continueHeadless(
    base: Journal | undefined,
    headless: Headless[],
    snapshot: Snapshot | undefined,
  ): Promise<Journal | undefined> {
    let journal = base;
    const imaged = base || !snapshot ? undefined : await whereImaged(headless, snapshot.position);
    if (!base && snapshot && !imaged && headless.length > 0) this.keepAhead();
    for (const { number, file } of headless.reverse()) {
      if (imaged && number < imaged.number) continue;
      const start = number === imaged?.number ? snapshot : undefined;
      const projection = start?.projection ?? journal?.projection ?? (await this.newProjection());
      const { seq, sum } = start?.position ?? journal?.position ?? { seq: 0, sum: '' };
      const damage = [...(journal?.damage ?? []), `The beginning of ${file.path} is damaged.`];
      journal = this.follow(file, projection, { journal: number, seq, sum, offset: start ? (imaged?.end ?? 0) : 0 }, 0);
      for (const sentence of damage) journal.damage.add(sentence);
      await journal.replay();
    }
    return journal;
  }

  private follow(file: JournalFile, projection: Projection, position: JournalPosition, stateSize: number): Journal {
    projection.setPosition(position);
    return new Journal(file, projection, stateSize, position, this.parts.onChange);
  }
}

/** The journal that has the image's last record, so that the image holds all before it, and the offset after that. */
async function whereImaged(
  journals: readonly Headless[],
  { sum }: JournalPosition,
): Promise<{ number: number; end: number } | undefined> {
  const slice = new TimeSlice();
  for (const { number, file } of journals) {
    for (const line of file.lines(0)) {
      if (decodeRecord(line.bytes)?.sum === sum) return { number, end: line.end };
      if (slice.isOver) await slice.pause();
    }
  }
  return undefined;
}

/** What a genesis holds can't be told as changes. */
function beyondReport(seq: number): CommittedChange {
  return { seq, at: new Date().toISOString(), by: '9plan', own: false, events: [] };
}

function tailOf({ sum }: JournalPosition): Buffer {
  return Buffer.from(`${sum}"}\n`);
}
