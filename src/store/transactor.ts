import type { DomainEvent } from '../planner/events';
import type { Log, Transaction, View } from '../planner/ports';
import type { ChangeFeed } from './changeFeed';
import { asPlannerError, outcomeUnknown, outcomeUnread, storeLost } from './fileErrors';
import type { Journal, PendingRecord } from './journal';
import type { JournalFolder } from './journalFolder';
import type { JournalKeeper } from './journalKeeper';
import { encodeRecord, newId } from './journalRecord';
import type { Projection } from './projectionPort';
import { openTransaction } from './storeView';

export interface Committed<T> {
  value: T;
  /** Empty if the command changed nothing. */
  events: readonly DomainEvent[];
  seq: number;
}

interface Attempt<T> extends Committed<T> {
  /** Undefined if nothing was there and nothing was changed. */
  journal: Journal | undefined;
  /** Journal offset that must be durable before the result may be told. */
  offset: number;
  /** False if another change came first: then the command must run again. */
  isAccepted: boolean;
}

interface TransactorParts {
  keeper: JournalKeeper;
  journals: JournalFolder;
  feed: ChangeFeed;
  view: () => View;
  log: Log;
}

/** Runs commands: each on the newest state, its events appended as one record, acknowledged when they are on the medium. */
export class Transactor {
  constructor(private readonly parts: TransactorParts) {}

  /** The caller must release a change that was made from the feed. Rejects with what the command threw, or PlannerError. */
  async run<T>(by: string, command: (tx: Transaction) => T): Promise<Committed<T>> {
    const { keeper, feed } = this.parts;
    const id = newId();
    let last: Attempt<T> | undefined;
    for (;;) {
      last = await keeper.whenReady(
        'write',
        (journal) => this.attempt(journal as Journal, id, by, command, last),
        (obstacle) => this.rehearse(obstacle, by, command),
      );
      if (last === STARTING_ANEW) await keeper.startAnew();
      if (!last.isAccepted) continue;
      try {
        if (await this.isDurable(id, last)) return last;
      } catch (error) {
        feed.release(last.seq);
        throw error;
      }
      feed.release(last.seq);
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
    const { value, events } = this.runCommand(record, command);
    if (events.length === 0) {
      projection.rollback();
      return { value, journal, offset: position.offset, seq: position.seq, events, isAccepted: true };
    }
    const { line, sum } = this.encode(projection, { ...record, prev: position.sum, events: [...events] });
    let failure: unknown;
    try {
      journal.file.append(line);
      // The disk is at work while the change is read back and committed; whether it has to count is seen later.
      journal.file.beginSync();
    } catch (error) {
      failure = error;
    }
    const isAccepted = readBack(journal, { line, sum, record, events });
    if (!isAccepted && failure !== undefined) throw asPlannerError(failure, `Writing ${journal.file.path}`);
    return { value, journal, offset: journal.position.offset, seq: record.seq, events, isAccepted };
  }

  /** Ends the command's transaction if its record can't be made: nobody else would. */
  private encode(projection: Projection, record: Parameters<typeof encodeRecord>[0]): ReturnType<typeof encodeRecord> {
    try {
      return encodeRecord(record);
    } catch (error) {
      projection.rollback();
      throw error;
    }
  }

  /**
   * Where there is no journal, a command may still be refused or change nothing. One that changes something makes the
   * journal; where the store was lost only if it creates a session: then an empty one is begun.
   */
  private rehearse<T>(
    obstacle: 'unbegun' | 'lost',
    by: string,
    command: (tx: Transaction) => T,
  ): Attempt<T> | undefined {
    const { value, events } = this.runCommand({ seq: 1, at: new Date().toISOString(), by }, command);
    this.parts.keeper.projection.rollback();
    if (events.length === 0) return { value, journal: undefined, offset: 0, seq: 0, events, isAccepted: true };
    const startsAnew = obstacle === 'lost' && events[0]?.type === 'session_created';
    return startsAnew ? STARTING_ANEW : undefined;
  }

  /** Runs a command in a transaction of the projection and leaves that open, unless the command throws. */
  private runCommand<T>(
    record: { seq: number; at: string; by: string },
    command: (tx: Transaction) => T,
  ): { value: T; events: readonly DomainEvent[] } {
    const { projection } = this.parts.keeper;
    const { tx, events, end } = openTransaction(projection, this.parts.view(), record);
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

  /** Waits until the attempt is on the medium, in the journal that counts. False if it has to be made again. */
  private async isDurable<T>(id: string, { journal, offset, events }: Attempt<T>): Promise<boolean> {
    if (!journal) return true;
    try {
      await this.parts.journals.makeDurable(journal, offset);
      if (journal.file.isInPlace()) return true;
    } catch (error) {
      this.parts.log.error({ error, path: journal.file.path }, 'The disk failed to keep what was written.');
    }
    return events.length > 0 && (await this.isElsewhere(id));
  }

  /** Whether the journal that counts now has the change, and durably: after a rollover, or another attempt to sync. */
  private async isElsewhere(id: string): Promise<boolean> {
    const { journals } = this.parts;
    for (;;) {
      const now = await this.journalInUse();
      if (!now.projection.hasCommand(id)) return false;
      try {
        await journals.makeDurable(now, now.position.offset);
      } catch (error) {
        throw outcomeUnknown(now.file.path, error);
      }
      if (now.file.isInPlace()) return true;
    }
  }

  /** Where the change is looked for; it may be there, whatever keeps it from being read. */
  private async journalInUse(): Promise<Journal> {
    const { keeper, journals } = this.parts;
    let lost: unknown;
    const refuse = () => {
      lost = storeLost(journals.path, keeper.condition, 'while this change was written');
      throw lost;
    };
    try {
      return await keeper.whenReady('write', (journal) => journal as Journal, refuse);
    } catch (error) {
      throw error === lost ? lost : outcomeUnread(journals.path, error);
    }
  }
}

/** The attempt that was none: the store is to be begun anew first. */
const STARTING_ANEW: Attempt<never> = {
  value: undefined as never,
  journal: undefined,
  offset: 0,
  seq: 0,
  events: [],
  isAccepted: false,
};

function readBack(journal: Journal, pending: PendingRecord): boolean {
  try {
    return journal.catchUp(pending);
  } catch (error) {
    throw outcomeUnknown(journal.file.path, error);
  }
}
