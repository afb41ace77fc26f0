import type { DomainEvent } from '../planner/events';
import type { View } from '../planner/ports';

/** What the projection knows of the journal it was built from; kept in its meta table, so also in `store.db`. */
export interface JournalPosition {
  /** Number n of `journal-n.ndjson`. */
  journal: number;
  seq: number;
  /** `sum` of the last accepted record. */
  sum: string;
  /** Byte offset after the last accepted record's newline. */
  offset: number;
}

/** One piece of the whole state, as genesis records carry it: a table's name and one row. */
export type StateRow = { table: string; row: Record<string, string | number | null> };

/** What a journal drives while it is followed. All calls are synchronous. */
export interface Follower {
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Applies one event of a record. Must be inside begin…commit. Throws on an unknown event type. */
  apply(event: DomainEvent, record: { at: string; by: string; seq: number }): void;
  /** The ids of the last 1,000 records belong to the state. */
  rememberCommand(id: string): void;
  hasCommand(id: string): boolean;
  setPosition(position: JournalPosition): void;
  close(): void;
}

/** The sql.js database that every process builds from the journal. The journal drives it; nothing else writes to it. */
export interface Projection extends Follower {
  /** Queries of the current state (also of the uncommitted one, inside begin…commit). */
  readonly view: Omit<View, 'planFiles' | 'workingCopy' | 'sessionPath' | 'planPath'>;
  position(): JournalPosition | undefined;
  /**
   * The search index follows late. Takes completed plans up into it until `isEnough` says so; false if some are left. A
   * search does it first, too, but with many it takes long. Not necessary for anything else.
   */
  index(isEnough?: () => boolean): boolean;
  /** The whole state but the position, for a genesis; `load` of these into an empty projection gives the same state. */
  rows(): Iterable<StateRow>;
  /** May be called row by row, inside one begin…commit. */
  load(rows: Iterable<StateRow>): void;
  /** A SQLite image of the database. Not inside begin…commit. */
  export(): Uint8Array;
}
