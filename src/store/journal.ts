import { type CommittedChange, type DomainEvent, EVENT_VERSION } from '../planner/events';
import { type Genesis, startOf } from './genesis';
import type { JournalFile, JournalLine } from './journalFile';
import { decodeRecord, genesisPart, type JournalRecord, sealOf, TAIL_LENGTH } from './journalRecord';
import { TimeSlice } from './pause';
import type { Follower, JournalPosition, Projection } from './projectionPort';

/**
 * How a journal stands for this process. `damaged`: records are missing, it must be read anew leniently; `replaced`:
 * the file doesn't hold what was read from it; `newer`: a record that this version doesn't understand stands next.
 */
export type JournalStatus = 'live' | 'sealed' | 'damaged' | 'replaced' | 'newer';

/** A record of ours, appended, whose changes are in the projection's open transaction. */
export interface PendingRecord {
  line: Buffer;
  sum: string;
  record: { seq: number; id: string; at: string; by: string };
  events: readonly DomainEvent[];
}

type AcceptedRecord = Pick<JournalRecord, 'seq' | 'sum' | 'id'> & Partial<JournalRecord>;

/** Follows one journal and keeps its projection, or whatever else follows, at the last accepted record. */
export class Journal<State extends Follower = Projection> {
  status: JournalStatus = 'live';
  /** What was found damaged, in sentences; a journal with damage must be rolled over before it is written to. */
  readonly damage = new Set<string>();
  /** Why `status` is `newer`. */
  obstacle: unknown;
  /** Id of the last accepted command, if one was read. */
  lastCommand: string | undefined;
  sealedForDamage = false;

  constructor(
    readonly file: JournalFile,
    readonly projection: State,
    /** About how many bytes the whole state takes: so much a rollover can't save. */
    readonly stateSize: number,
    public position: JournalPosition,
    private readonly onChange: (change: CommittedChange) => void,
  ) {}

  get number(): number {
    return this.position.journal;
  }

  /** Bytes that other processes appended and this one hasn't looked at. */
  get unread(): number {
    return this.file.size - Math.max(this.position.offset, this.file.readTo);
  }

  /**
   * Applies what was appended since. With `pending`, ends that record's transaction: true if it was accepted, and
   * committed; false if it must be tried again, on a state that may have changed.
   */
  catchUp(pending?: PendingRecord, slice?: TimeSlice): boolean {
    let own = pending;
    const from = this.position.seq;
    try {
      for (const line of this.unreadLines()) {
        if (slice?.isOver && this.position.seq > from) break;
        if (own && isLine(line, own.line)) {
          this.commitOwn(own, line.end);
          own = undefined;
          return true;
        }
        const record = decodeRecord(line.bytes);
        if (!record || this.isVoid(record)) continue;
        if (this.isGap(record)) {
          this.status = 'damaged';
          break;
        }
        if (own) this.projection.rollback();
        own = undefined;
        this.applyAlone(record, line.end);
        if (this.status !== 'newer') this.report(record);
        if (this.status !== 'live') break;
      }
      return false;
    } finally {
      if (own) this.projection.rollback();
    }
  }

  /** Catches up with much, giving the event loop its turns. */
  async catchUpInSlices(): Promise<void> {
    const slice = new TimeSlice();
    let before: number;
    do {
      before = this.position.seq;
      this.catchUp(undefined, slice);
      await slice.pause();
    } while (this.status === 'live' && this.position.seq > before);
  }

  /**
   * Applies everything from the position on, however damaged: what still reads is never dropped. Gives the event loop
   * its turns; nothing else may use the journal meanwhile. Changes are reported only if `report` is set.
   */
  async replay({ report = false } = {}): Promise<void> {
    const slice = new TimeSlice();
    for (let before = -1; this.status === 'live' && this.position.seq > before; ) {
      before = this.position.seq;
      for (const record of this.applyTogether(slice)) if (report) this.report(record);
      await slice.pause();
    }
  }

  /** In one transaction, which is much faster; each in its own if one of them can't be applied, so that the others are. */
  private applyTogether(slice: TimeSlice): JournalRecord[] {
    const { position, lastCommand } = this;
    this.projection.begin();
    try {
      const applied = this.applyUnread(slice, (record, end) => {
        this.apply(record);
        this.accept(record, this.register(record, end));
      });
      this.projection.commit();
      return applied;
    } catch {
      this.projection.rollback();
      Object.assign(this, { position, lastCommand, status: 'live' });
      return this.applyUnread(slice, (record, end) => this.applyAlone(record, end));
    }
  }

  private applyUnread(slice: TimeSlice, apply: (record: JournalRecord, end: number) => void): JournalRecord[] {
    const applied: JournalRecord[] = [];
    for (const line of this.unreadLines()) {
      const record = decodeRecord(line.bytes);
      if (!record || this.isVoid(record)) continue;
      if (this.isGap(record)) this.damage.add(`${this.file.path} is damaged before record ${record.seq}.`);
      apply(record, line.end);
      if (this.status !== 'newer') applied.push(record);
      if (this.status !== 'live' || slice.isOver) break;
    }
    return applied;
  }

  /** In a transaction of its own. A record that can't be applied isn't from this version: nothing after it is read. */
  private applyAlone(record: JournalRecord, end: number): void {
    this.projection.begin();
    try {
      this.apply(record);
      this.commit(record, end);
    } catch (error) {
      this.projection.rollback();
      this.status = 'newer';
      this.obstacle = error;
    }
  }

  private apply(record: JournalRecord): void {
    if (record.v > EVENT_VERSION) throw new Error(`Record ${record.seq} has version ${record.v}.`);
    if (this.isRepeated(record)) return;
    for (const event of record.events) {
      if (event.type !== 'sealed' && event.type !== 'genesis') this.projection.apply(event, record);
    }
  }

  private commit(record: AcceptedRecord, end: number): void {
    const position = this.register(record, end);
    this.projection.commit();
    this.accept(record, position);
  }

  /** Has the projection keep, with the record's changes, what it knows of the record. */
  private register({ seq, sum, id }: AcceptedRecord, end: number): JournalPosition {
    const position = { journal: this.number, seq, sum, offset: end };
    this.projection.rememberCommand(id);
    this.projection.setPosition(position);
    return position;
  }

  private accept({ id, events }: AcceptedRecord, position: JournalPosition): void {
    this.position = position;
    this.lastCommand = id;
    const seal = events && sealOf(events);
    if (!seal) return;
    this.status = 'sealed';
    this.sealedForDamage = seal.damage === true;
  }

  private commitOwn(own: PendingRecord, end: number): void {
    this.commit({ ...own.record, sum: own.sum }, end);
    this.onChange({ ...own.record, own: true, events: own.events });
  }

  /** The next journal, which begins with the state that the projection has. */
  continueIn(file: JournalFile, genesis: Genesis): Journal<State> {
    const position = startOf(this.number + 1, genesis);
    this.projection.setPosition(position);
    return new Journal(file, this.projection, genesis.end, position, this.onChange);
  }

  async close(): Promise<void> {
    this.projection.close();
    await this.file.close();
  }

  private report(record: JournalRecord): void {
    const events = record.events.filter((event) => event.type !== 'sealed' && event.type !== 'genesis');
    if (events.length > 0) this.onChange({ seq: record.seq, at: record.at, by: record.by, own: false, events });
  }

  /** Lines after the position; none, and `status` is `replaced`, if the last accepted record isn't there any more. */
  private *unreadLines(): Generator<JournalLine, void> {
    if (this.status !== 'live') return;
    const { offset, sum } = this.position;
    let isVerified = offset === 0;
    for (const line of this.file.lines(isVerified ? 0 : offset - TAIL_LENGTH)) {
      if (isVerified) yield line;
      else if (line.end !== offset || line.bytes.toString('latin1') !== `${sum}"}`) break;
      isVerified = true;
    }
    if (!isVerified) this.status = 'replaced';
  }

  /** Lost a race, or is a genesis that came too late. */
  private isVoid(record: JournalRecord): boolean {
    return record.seq <= this.position.seq || genesisPart(record) !== undefined;
  }

  private isGap(record: JournalRecord): boolean {
    return record.seq > this.position.seq + 1 || record.prev !== this.position.sum;
  }

  /** After damage a command may stand there twice: the attempt that had lost its race counts in place of what is lost. */
  private isRepeated(record: JournalRecord): boolean {
    return this.damage.size > 0 && this.projection.hasCommand(record.id);
  }
}

function isLine(line: JournalLine, withNewline: Buffer): boolean {
  return line.bytes.length === withNewline.length - 1 && line.bytes.equals(withNewline.subarray(0, -1));
}
