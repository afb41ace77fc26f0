import type { Sql } from './sqlJs';

export interface PlanRow {
  rowid: number;
  session: string;
  status: string;
  /** Null unless queued. */
  position: number | null;
}

/** Keeps the positions of each session's queue 1..n, and its length. */
export class QueuePlaces {
  constructor(private readonly sql: Sql) {}

  /** Opens a gap for one plan that joins the queue; returns its position. */
  open(session: string, position: number): number {
    const length = this.length(session);
    const place = within(position, length + 1);
    this.shift(session, place, length, 1);
    this.sql.run('UPDATE sessions SET queue_length = ? WHERE name = ?', length + 1, session);
    return place;
  }

  /** Closes the gap that a plan leaves, if it is in a queue; its own row has yet to get another status or position. */
  leave({ session, position }: PlanRow): void {
    if (position === null) return;
    const length = this.length(session);
    this.shift(session, position + 1, length, -1);
    this.sql.run('UPDATE sessions SET queue_length = ? WHERE name = ?', length - 1, session);
  }

  /** `position` is the plan's own in the end. */
  move({ rowid, session, position: from }: PlanRow, position: number): void {
    if (from === null) return;
    const to = within(position, this.length(session));
    if (to > from) this.shift(session, from + 1, to, -1);
    else this.shift(session, to, from - 1, 1);
    this.place(rowid, to);
  }

  private length(session: string): number {
    return this.sql.value<number>('SELECT queue_length FROM sessions WHERE name = ?', session) ?? 0;
  }

  private place(rowid: number, position: number): void {
    this.sql.run('UPDATE plans SET queue_position = ? WHERE rowid = ?', position, rowid);
  }

  private shift(session: string, first: number, last: number, by: 1 | -1): void {
    if (first > last) return;
    // `+?` as in the queries of plans.
    this.sql.run(
      `UPDATE plans SET queue_position = queue_position + ?
       WHERE session_name = +? AND status = 'queued' AND queue_position BETWEEN ? AND ?`,
      by,
      session,
      first,
      last,
    );
  }
}

function within(position: number, last: number): number {
  return Math.min(Math.max(1, position), last);
}
