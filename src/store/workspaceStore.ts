import { PlannerError } from '../planner/errors';
import type { CommittedChange } from '../planner/events';
import type { Disposable, Log, PlanStore, Transaction, View } from '../planner/ports';
import { ChangeFeed } from './changeFeed';
import { type Disk, realDisk } from './disk';
import { Indexer } from './indexer';
import type { Journal } from './journal';
import { JournalFolder } from './journalFolder';
import { JournalKeeper } from './journalKeeper';
import { JournalLoader } from './journalLoader';
import { keptCopies } from './keptCopies';
import type { Condition } from './obstacles';
import { PlanFiles } from './planFiles';
import { PlanFileUpkeep } from './planFileUpkeep';
import { foreignKernels } from './presence';
import { openProjection } from './projection';
import type { Projection } from './projectionPort';
import { Recovery } from './recovery';
import { SnapshotWriter } from './snapshotWriter';
import { loadSqlJs } from './sqlJs';
import { repairStore, type StoreRepair } from './storeRepair';
import { storeView } from './storeView';
import { Transactor } from './transactor';
import { StoreWatcher } from './watcher';

const ROLLOVER_SIZE = 64 * 1024 * 1024;

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
  private readonly transactor: Transactor;
  private readonly files: PlanFiles;
  private readonly upkeep: PlanFileUpkeep;
  private readonly watcher: StoreWatcher;
  private readonly snapshots: SnapshotWriter | undefined;
  private readonly indexer: Indexer;
  private readonly rolloverSize: number;
  private readonly running = new Set<Promise<unknown>>();
  private nextRollover = 0;
  private isClosed = false;
  private shown: { projection: Projection; view: View } | undefined;
  private readonly conditionListeners = new Set<() => void>();
  private toldOf: { condition: Condition; journal: Journal | undefined } | undefined;

  constructor({ folder, log, snapshots, disk = realDisk, rolloverSize = ROLLOVER_SIZE, pollInterval }: StoreOptions) {
    this.folder = folder;
    this.log = log;
    this.disk = disk;
    this.rolloverSize = rolloverSize;
    this.feed = new ChangeFeed(log);
    this.files = new PlanFiles(folder, log);
    const journals = new JournalFolder(disk, folder);
    const loader = new JournalLoader({
      folder: journals,
      loadProjections: async () => {
        const sqlJs = await loadSqlJs();
        return (image) => openProjection(sqlJs, image);
      },
      onChange: (change) => this.noteChange(change),
      log,
    });
    const recovery = new Recovery(journals, loader, this.files, log);
    this.keeper = new JournalKeeper(journals, loader, recovery, this.feed, log);
    this.transactor = new Transactor({ keeper: this.keeper, journals, feed: this.feed, view: () => this.view(), log });
    this.upkeep = new PlanFileUpkeep({ keeper: this.keeper, files: this.files, view: () => this.view(), log });
    this.indexer = new Indexer(() => this.keeper.current?.projection, log);
    if (snapshots) this.snapshots = new SnapshotWriter(journals, () => this.keeper.current, log);
    this.watcher = new StoreWatcher(folder, () => this.refresh(), pollInterval);
  }

  /** Whether the store is there, or what became of it. */
  get condition(): Condition {
    return this.keeper.condition;
  }

  /** Answers come from the last state then, and changes are refused. */
  get trouble(): string | undefined {
    const { condition } = this;
    if (condition !== 'deleted' && condition !== 'moved') return undefined;
    return `The store in ${this.folder} was ${condition} while it was in use: what is shown is its last state, and changes are refused.`;
  }

  /** Called when a look at the folder finds that the store came, went, or is another one: no change tells of that. */
  onDidChangeCondition(listener: () => void): Disposable {
    const own = () => listener();
    this.conditionListeners.add(own);
    return { dispose: () => this.conditionListeners.delete(own) };
  }

  async transact<T>(by: string, command: (tx: Transaction) => T): Promise<T> {
    this.refuseWhenClosed();
    return this.track(this.runTransaction(by, command));
  }

  async read<T>(query: (view: View) => T): Promise<T> {
    this.refuseWhenClosed();
    return this.track(this.keeper.whenReady('read', () => query(this.view())));
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

  /** What is wrong with the store itself, in sentences: damage, copies that were kept, another kernel at work. */
  problems(): string[] {
    const lost = this.trouble === undefined ? [] : [this.trouble];
    const damage = [...lost, ...(this.keeper.current?.damage ?? [])];
    return [...damage, ...keptCopies(this.disk, this.folder), ...foreignKernels(this.folder)];
  }

  /** Begins a new journal that holds only the present state. Does nothing if there is no store. */
  compact(): Promise<void> {
    return this.track(this.rollOver());
  }

  /** Copies everything to a backup, then mends what can be mended. Refuses where a newer version has written. */
  repair(): Promise<StoreRepair> {
    this.refuseWhenClosed();
    const { disk, folder, log } = this;
    return this.track(
      repairStore({
        ...{ disk, folder },
        open: () => this.keeper.whenReady('read', () => this.condition),
        restoreLost: () => this.keeper.restoreLost(),
        settleJournal: () => this.keeper.settle(),
        restorePlanFiles: () => this.upkeep.restore(),
        storeIn: (other) => new WorkspaceStore({ ...{ disk, log }, folder: other, snapshots: false }),
      }),
    );
  }

  /** After the store was deleted under a running process: writes its last state again where it was. */
  async restoreLast(): Promise<void> {
    await this.read(() => undefined);
    await this.keeper.restoreLost();
    await this.upkeep.restore();
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
    this.indexer.close();
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

  private view(): View {
    const { projection } = this.keeper;
    if (this.shown?.projection !== projection) {
      this.shown = { projection, view: storeView(projection, this.files, () => this.problems()) };
    }
    return this.shown.view;
  }

  private async runTransaction<T>(by: string, command: (tx: Transaction) => T): Promise<T> {
    await this.upkeep.mend();
    const { value, events, seq } = await this.transactor.run(by, command);
    if (events.length === 0) return value;
    await this.upkeep.follow(events);
    this.feed.release(seq);
    this.rollOverWhenLarge();
    return value;
  }

  private noteChange(change: CommittedChange): void {
    this.feed.add(change);
    this.indexer.changed();
    this.snapshots?.changed();
  }

  private async rollOver(): Promise<void> {
    const before = await this.keeper.whenReady('read', (journal) => journal?.number);
    if (before === undefined) return;
    while ((await this.keeper.whenReady('write', (journal) => journal?.number)) === before) {
      await this.keeper.overcome('full');
    }
  }

  /** In the background, and again only after it has grown by a quarter if there was no room. */
  private rollOverWhenLarge(): void {
    const journal = this.keeper.current;
    if (this.isClosed || journal?.status !== 'live') return;
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
    this.read(() => undefined)
      .catch((error) => this.log.warn({ error }, 'The store could not be read.'))
      .finally(() => this.tellCondition());
  }

  private tellCondition(): void {
    const { condition, current: journal } = this.keeper;
    const before = this.toldOf;
    this.toldOf = { condition, journal };
    if (!before || (before.condition === condition && before.journal === journal)) return;
    for (const listener of [...this.conditionListeners]) listener();
  }
}
