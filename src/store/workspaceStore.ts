import { PlannerError } from '../planner/errors';
import type { CommittedChange, DomainEvent } from '../planner/events';
import type { Disposable, Log, PlanStore, Transaction, View } from '../planner/ports';
import { ChangeFeed } from './changeFeed';
import { type Disk, realDisk } from './disk';
import { asPlannerError, outcomeUnknown, storeLost } from './fileErrors';
import type { Journal, PendingRecord } from './journal';
import { JournalFolder } from './journalFolder';
import { type Condition, JournalKeeper, type Purpose } from './journalKeeper';
import { encodeRecord, newId } from './journalRecord';
import { keptCopies } from './keptCopies';
import { PlanFiles } from './planFiles';
import { foreignKernels } from './presence';
import { openProjection } from './projection';
import { Recovery } from './recovery';
import { SnapshotWriter } from './snapshotWriter';
import { loadSqlJs } from './sqlJs';
import { openTransaction, storeView } from './storeView';
import { StoreWatcher } from './watcher';

const ROLLOVER_SIZE = 64 * 1024 * 1024;
const REFLECT_ROUNDS = 5;
const MOST_PROBLEMS = 20;

export interface StoreOptions {
  /** Absolute path. */
  folder: string;
  log: Log;
  /** Whether this process writes `store.db`: servers do, editors don't. */
  snapshots: boolean;
  disk?: Disk;
  /** Bytes of a journal after which the next one begins. */
  rolloverSize?: number;
  /** Milliseconds between looks at the folder, for file systems that don't tell of changes. */
  pollInterval?: number;
}

/** A command's result and what it takes to acknowledge it. */
interface Attempt<T> {
  value: T;
  journal: Journal;
  /** Journal offset that must be durable first. */
  offset: number;
  seq: number;
  /** Empty if the command changed nothing. */
  events: readonly DomainEvent[];
  /** False if another change came first: then the command must run again. */
  isAccepted: boolean;
}

/**
 * The store of a workspace, shared with every other process that has it open: an append-only journal that all follow,
 * and a database built from it. Nothing is touched before the first use, nothing made before the first change.
 */
export class WorkspaceStore implements PlanStore {
  readonly folder: string;
  private readonly log: Log;
  private readonly disk: Disk;
  private readonly feed: ChangeFeed;
  private readonly keeper: JournalKeeper;
  private readonly journals: JournalFolder;
  private readonly files: PlanFiles;
  private readonly watcher: StoreWatcher;
  private readonly snapshots: SnapshotWriter | undefined;
  private readonly rolloverSize: number;
  private readonly running = new Set<Promise<unknown>>();
  private fileProblems: string[] = [];
  private nextRollover = 0;
  private isClosed = false;

  constructor({ folder, log, snapshots, disk = realDisk, rolloverSize = ROLLOVER_SIZE, pollInterval }: StoreOptions) {
    this.folder = folder;
    this.log = log;
    this.disk = disk;
    this.rolloverSize = rolloverSize;
    this.feed = new ChangeFeed(log);
    this.files = new PlanFiles(folder, log);
    this.journals = new JournalFolder({
      disk,
      folder,
      log,
      loadProjections: async () => {
        const sqlJs = await loadSqlJs();
        return (image) => openProjection(sqlJs, image);
      },
      onChange: (change) => this.noteChange(change),
    });
    this.keeper = new JournalKeeper(this.journals, new Recovery(this.journals, this.files, log), this.feed, log);
    if (snapshots) this.snapshots = new SnapshotWriter(this.journals, () => this.keeper.current, log);
    this.watcher = new StoreWatcher(folder, () => this.refresh(), pollInterval);
  }

  /** Whether the store is there, or what became of it. */
  get condition(): Condition {
    return this.keeper.condition;
  }

  async transact<T>(by: string, command: (tx: Transaction) => T): Promise<T> {
    this.refuseWhenClosed();
    return this.track(this.runTransaction(by, command));
  }

  async read<T>(query: (view: View) => T): Promise<T> {
    this.refuseWhenClosed();
    return this.track(this.whenReady('read', () => query(this.view())));
  }

  onDidChange(listener: (change: CommittedChange) => void): Disposable {
    const listening = this.feed.listen(listener);
    this.watcher.start();
    return {
      dispose: () => {
        listening.dispose();
        if (!this.feed.hasListeners) this.watcher.stop();
      },
    };
  }

  /** What is wrong with the store itself, in sentences: damage, copies that were kept, files that couldn't be written. */
  problems(): string[] {
    const damage = this.keeper.current?.damage ?? [];
    return [...damage, ...keptCopies(this.disk, this.folder), ...foreignKernels(this.folder), ...this.fileProblems];
  }

  /** Begins a new journal that holds only the present state. Does nothing if there is no store. */
  compact(): Promise<void> {
    return this.track(this.rollOver());
  }

  /** After the store was deleted under a running process: writes its last state again where it was. */
  async restoreLast(): Promise<void> {
    await this.read(() => undefined);
    await this.keeper.restoreLost();
    await this.whenReady('read', () => this.restoreFiles());
  }

  /** After the store was deleted or moved: lets the next change begin an empty one. */
  async startAnew(): Promise<void> {
    await this.read(() => undefined);
    await this.keeper.startAnew();
  }

  /** Waits for what runs, writes a snapshot and lets go of everything. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.watcher.stop();
    await Promise.allSettled([...this.running]);
    await this.snapshots?.close();
    await this.keeper.close();
  }

  private refuseWhenClosed(): void {
    if (this.isClosed) throw new PlannerError('DATABASE_ERROR', 'The store is closed.', 'Start 9plan again.');
  }

  private async track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }

  /** Runs `work` on a state that has caught up; nothing happens between the two. */
  private async whenReady<R>(purpose: Purpose, work: (journal: Journal | undefined) => R): Promise<R> {
    for (;;) {
      const obstacle = this.look(purpose);
      if (obstacle === undefined) return work(this.keeper.current);
      try {
        await this.keeper.overcome(obstacle);
      } catch (error) {
        // A sealed journal can still be read.
        if (purpose === 'write' || obstacle !== 'full') throw error;
      }
    }
  }

  private look(purpose: Purpose): ReturnType<JournalKeeper['look']> {
    try {
      return this.keeper.look(purpose);
    } catch (error) {
      throw asPlannerError(error, `Reading the store in ${this.folder}`);
    }
  }

  private view(): View {
    return storeView(this.keeper.projection, this.files, () => this.problems());
  }

  private async runTransaction<T>(by: string, command: (tx: Transaction) => T): Promise<T> {
    const id = newId();
    let last: Attempt<T> | undefined;
    for (;;) {
      try {
        last = await this.whenReady('write', (journal) => this.attempt(present(journal), id, by, command, last));
      } catch (error) {
        if (!this.isStartingAnew(by, command)) throw error;
        await this.keeper.startAnew();
        continue;
      }
      if (!last.isAccepted) continue;
      try {
        if (!(await this.isDurable(id, last))) continue;
        if (last.events.length > 0) await this.whenReady('read', () => this.reflect(present(last)));
      } finally {
        if (last.events.length > 0) this.feed.release(last.seq);
      }
      this.rollOverWhenLarge();
      return last.value;
    }
  }

  /** The critical section: one run of the command, one write, and a look at whether it came in time. */
  private attempt<T>(
    journal: Journal,
    id: string,
    by: string,
    command: (tx: Transaction) => T,
    last: Attempt<T> | undefined,
  ): Attempt<T> {
    const { projection, position } = journal;
    if (last && projection.hasCommand(id)) return { ...last, journal, offset: position.offset, isAccepted: true };
    const record = { seq: position.seq + 1, at: new Date().toISOString(), by, id };
    const { value, events } = this.run(record, command);
    if (events.length === 0) {
      projection.rollback();
      return { value, journal, offset: position.offset, seq: position.seq, events, isAccepted: true };
    }
    const { line, sum } = encodeRecord({ ...record, prev: position.sum, events: [...events] });
    let failure: unknown;
    try {
      journal.file.append(line);
    } catch (error) {
      failure = error;
    }
    const isAccepted = this.readBack(journal, { line, sum, record, events });
    if (!isAccepted && failure !== undefined) throw asPlannerError(failure, `Writing ${journal.file.path}`);
    return { value, journal, offset: journal.position.offset, seq: record.seq, events, isAccepted };
  }

  /** Runs a command in a transaction of the projection and leaves that open, unless the command throws. */
  private run<T>(
    record: { seq: number; at: string; by: string },
    command: (tx: Transaction) => T,
  ): { value: T; events: readonly DomainEvent[] } {
    const { projection } = this.keeper;
    const { tx, events, end } = openTransaction(projection, this.view(), record);
    projection.begin();
    try {
      const value = command(tx);
      if (value instanceof Promise) throw new Error('A command must be synchronous.');
      return { value, events };
    } catch (error) {
      projection.rollback();
      throw error;
    } finally {
      end();
    }
  }

  private readBack(journal: Journal, pending: PendingRecord): boolean {
    try {
      return journal.catchUp(pending);
    } catch (error) {
      throw outcomeUnknown(journal.file.path, error);
    }
  }

  /**
   * Waits until the attempt is on the medium, in the journal that counts. False if it has to be made again, because
   * another store is there now.
   */
  private async isDurable<T>(id: string, { journal, offset, events }: Attempt<T>): Promise<boolean> {
    try {
      await this.journals.makeDurable(journal, offset);
      if (journal.file.isInPlace()) return true;
    } catch (error) {
      this.log.error({ error, path: journal.file.path }, 'The disk failed to keep what was written.');
    }
    if (events.length === 0) return false;
    for (;;) {
      const now = await this.whenReady('write', (current) => ({
        journal: present(current),
        offset: present(current).position.offset,
        isThere: this.keeper.projection.hasCommand(id),
      })).catch((error) => {
        throw this.isLost ? storeLost(this.folder, this.keeper.condition, 'while this change was written') : error;
      });
      if (!now.isThere) return false;
      await this.journals.makeDurable(now.journal, now.offset).catch((error) => {
        throw outcomeUnknown(now.journal.file.path, error);
      });
      if (now.journal.file.isInPlace()) return true;
    }
  }

  private get isLost(): boolean {
    return this.condition === 'deleted' || this.condition === 'moved';
  }

  /** Whether the command creates a session where the store was lost: then it may begin an empty one. */
  private isStartingAnew<T>(by: string, command: (tx: Transaction) => T): boolean {
    if (!this.isLost || this.look('read') !== undefined) return false;
    try {
      const { events } = this.run({ seq: 0, at: new Date().toISOString(), by }, command);
      this.keeper.projection.rollback();
      return events[0]?.type === 'session_created';
    } catch {
      return false;
    }
  }

  /** Makes the plan files follow; again if another process changed the same meanwhile, so that the newest text stays. */
  private reflect<T>({ events }: Attempt<T>): void {
    for (let round = 0; round < REFLECT_ROUNDS; round++) {
      const seq = this.keeper.current?.position.seq;
      this.noteFileProblems(() => this.files.reflect(events, this.view()));
      if (this.look('read') !== undefined || this.keeper.current?.position.seq === seq) return;
    }
  }

  private restoreFiles(): void {
    const view = this.view();
    for (const session of view.sessionsWithOpenWork()) {
      this.noteFileProblems(() => this.files.restoreMissing(session, view));
    }
  }

  /** The change itself is safe in the journal: what goes wrong with a working copy is reported, not refused. */
  private noteFileProblems(work: () => string[]): void {
    let problems: string[];
    try {
      problems = work();
    } catch (error) {
      problems = [error instanceof Error ? error.message : String(error)];
    }
    for (const problem of problems) this.log.warn({}, problem);
    this.fileProblems = [...new Set([...this.fileProblems, ...problems])].slice(-MOST_PROBLEMS);
  }

  private noteChange(change: CommittedChange): void {
    this.feed.add(change);
    this.snapshots?.changed();
  }

  private async rollOver(): Promise<void> {
    const before = await this.whenReady('read', (journal) => journal?.number);
    if (before === undefined) return;
    while ((await this.whenReady('write', (journal) => journal?.number)) === before) {
      await this.keeper.overcome('full');
    }
  }

  /** In the background, and again only after it has grown by a quarter if there was no room. */
  private rollOverWhenLarge(): void {
    const journal = this.keeper.current;
    if (journal?.status !== 'live') return;
    const size = journal.position.offset;
    if (size < Math.max(this.rolloverSize, 2 * journal.stateSize, this.nextRollover)) return;
    this.nextRollover = size * 1.25;
    this.track(this.rollOver()).then(
      () => {
        this.nextRollover = 0;
      },
      (error) => this.log.warn({ error }, 'The journal could not be rolled over; it goes on as it is.'),
    );
  }

  /** Lets the listeners know of what other processes did. */
  private refresh(): void {
    if (this.isClosed) return;
    this.read(() => undefined).catch((error) => this.log.warn({ error }, 'The store could not be read.'));
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The store is not there.');
  return value;
}
