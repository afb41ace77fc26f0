import type { CommittedChange } from '../planner/events';
import { newerVersion } from './fileErrors';
import { findGenesis, type Genesis, startOf } from './genesis';
import { Journal } from './journal';
import type { JournalFile } from './journalFile';
import type { JournalFolder } from './journalFolder';
import { TimeSlice } from './pause';
import type { Follower } from './projectionPort';
import { RecentCommands } from './recentCommands';

/**
 * Something that no change tells of. `start`: the stream begins here. `gap`: changes before this point are not kept any
 * more. `damage`: the journal can't be read without loss. `exchanged`: another store is there now. `gone`: there is none.
 */
export type Notice = 'start' | 'gap' | 'damage' | 'exchanged' | 'gone';

/** Whoever has read up to here goes on from its `seq` later. */
export type StreamItem = CommittedChange | { seq: number; notice: Notice; message: string };

interface Beginning {
  number: number;
  file: JournalFile;
  genesis: Genesis;
}

/**
 * The changes of a store as its journals hold them, each once and in order, without the state that they make: so it is
 * cheap to follow, and can begin anywhere in what is kept. Only one `news` at a time. It creates and changes nothing.
 */
export class ChangeStream {
  private journal: Journal<Follower> | undefined;
  private readonly found: CommittedChange[] = [];
  private readonly commands = new CommandsSeen();
  private isGone = false;
  private hasBegun = false;

  /** @param since the last `seq` that is known already; without it only changes from the first `news` on are told. */
  constructor(
    private readonly folder: JournalFolder,
    private since: number | undefined,
  ) {}

  /**
   * All that came since the last time; the first item ever is `start`.
   * PlannerError if a newer version wrote the store; the file system's error if it can't be read.
   */
  async *news(): AsyncGenerator<StreamItem, void> {
    if (!this.hasBegun) yield* this.begin();
    for (;;) {
      yield* this.readOn();
      yield* this.noticeBehind();
      const next = await this.next();
      if (!next) break;
      yield* this.enter(next);
    }
    yield* this.noticeGone();
  }

  async close(): Promise<void> {
    await this.journal?.close();
  }

  private async *begin(): AsyncGenerator<StreamItem, void> {
    this.hasBegun = true;
    const first = await this.earliestWanted();
    if (first) this.follow(first);
    if (this.since === undefined) {
      await this.skip();
      this.since = this.journal?.position.seq ?? 0;
    }
    yield { seq: this.since, notice: 'start', message: `Changes after ${this.since} in ${this.folder.path}` };
    if (first) yield* this.missed(first, this.since);
  }

  /** Reads the journal to its present end. */
  private async *readOn(): AsyncGenerator<StreamItem, void> {
    const slice = new TimeSlice();
    for (let before = -1; this.journal && this.journal.position.seq > before; ) {
      before = this.journal.position.seq;
      this.journal.catchUp(undefined, slice);
      if (this.journal.status === 'damaged') yield* this.readDamaged(this.journal);
      yield* this.take();
      if (this.journal.status === 'newer') throw newerVersion(this.journal.file.path, this.journal.obstacle);
      await slice.pause();
    }
  }

  private *take(): Generator<StreamItem, void> {
    for (const change of this.found.splice(0)) {
      if (change.seq <= (this.since ?? 0)) continue;
      this.since = change.seq;
      yield change;
    }
  }

  /** Everything that still reads counts, as it does for those who keep the state. */
  private async *readDamaged({ file, stateSize, position }: Journal<Follower>): AsyncGenerator<StreamItem, void> {
    yield* this.take();
    const { seq } = position;
    this.journal = new Journal(file, this.commands, stateSize, position, (change) => this.found.push(change));
    await this.journal.replay({ report: true });
    const message = `${file.path} is damaged after record ${seq}: changes may be missing here. Read the state anew.`;
    yield { seq: Math.max(seq, this.since ?? 0), notice: 'damage', message };
  }

  /** Reads without telling. */
  private async skip(): Promise<void> {
    for await (const _ of this.readOn());
  }

  /** What there is to read after the journal: its successor, or what took its place. */
  private async next(): Promise<Beginning | undefined> {
    const { journal } = this;
    if (!journal) return await this.earliestWanted();
    if (journal.status === 'sealed') {
      const successor = await this.firstAbove(journal.number);
      if (successor || journal.file.isInPlace()) return successor;
    }
    if (journal.status === 'live' && journal.file.isInPlace()) return undefined;
    const [highest, ...others] = await this.beginnings();
    for (const { file } of others) await file.close();
    return highest;
  }

  private async *enter(next: Beginning): AsyncGenerator<StreamItem, void> {
    const former = this.journal;
    this.follow(next);
    await former?.file.close();
    if (next.genesis.prev === former?.position.sum) return;
    if (!former || (former.status === 'sealed' && next.number > former.number)) {
      yield* this.missed(next, former?.position.seq ?? this.since ?? 0);
      return;
    }
    await this.skip();
    yield* this.exchanged();
  }

  /** A store that has not come as far as what is known of it is another one. */
  private *noticeBehind(): Generator<StreamItem, void> {
    if (this.journal && this.journal.position.seq < (this.since ?? 0)) yield* this.exchanged();
  }

  private *exchanged(): Generator<StreamItem, void> {
    this.since = this.journal?.position.seq ?? 0;
    const message = `Another state is in ${this.folder.path} now, at ${this.since}. Read it anew.`;
    yield { seq: this.since, notice: 'exchanged', message };
  }

  /** Says so if the journals between `known` and this one are gone. */
  private *missed({ number, genesis }: Beginning, known: number): Generator<StreamItem, void> {
    // A journal that isn't the first one follows on the seal of another, which is no change.
    const last = genesis.seq - (number > 1 ? 2 : 1);
    if (known >= last) return;
    this.since = genesis.seq;
    const message = `Changes ${known + 1} to ${last} are not kept any more. Read the state anew.`;
    yield { seq: this.since, notice: 'gap', message };
  }

  private *noticeGone(): Generator<StreamItem, void> {
    const wasGone = this.isGone;
    this.isGone = this.journal?.status === 'replaced' || this.journal?.file.isInPlace() === false;
    if (wasGone || !this.isGone) return;
    const message = `The store is not in ${this.folder.path} any more. What comes there next will be told.`;
    yield { seq: this.since ?? 0, notice: 'gone', message };
  }

  private follow({ number, file, genesis }: Beginning): void {
    const position = startOf(number, genesis);
    this.journal = new Journal(file, this.commands, genesis.end, position, (change) => this.found.push(change));
  }

  /** The highest journal counts; the earlier ones of it that are still there are wanted as far as `since` lies in them. */
  private async earliestWanted(): Promise<Beginning | undefined> {
    const all = await this.beginnings();
    let wanted = all.shift();
    for (let before = all.shift(); wanted && before; before = all.shift()) {
      const isWanted =
        this.since !== undefined && this.since < wanted.genesis.seq && before.genesis.seq < wanted.genesis.seq;
      if (isWanted) [wanted, before] = [before, wanted];
      await before.file.close();
    }
    return wanted;
  }

  private async firstAbove(number: number): Promise<Beginning | undefined> {
    for (const candidate of this.folder.numbers().reverse()) {
      const beginning = candidate > number ? await this.open(candidate) : undefined;
      if (beginning) return beginning;
    }
    return undefined;
  }

  /** Highest first. */
  private async beginnings(): Promise<Beginning[]> {
    const opened = [];
    for (const number of this.folder.numbers()) opened.push(await this.open(number));
    return opened.filter((beginning) => beginning !== undefined);
  }

  private async open(number: number): Promise<Beginning | undefined> {
    const file = this.folder.open(number);
    if (!file) return undefined;
    const { genesis } = await findGenesis(file);
    if (genesis) return { number, file, genesis };
    await file.close();
    return undefined;
  }
}

/** All that a journal asks of a state here: whether a command was seen, which matters after damage. */
class CommandsSeen implements Follower {
  private readonly seen = new RecentCommands();

  hasCommand(id: string): boolean {
    return this.seen.has(id);
  }

  rememberCommand(id: string): void {
    this.seen.add(id);
  }

  begin(): void {}
  commit(): void {}
  rollback(): void {}
  apply(): void {}
  setPosition(): void {}
  close(): void {}
}
