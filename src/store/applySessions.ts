import type { SessionEvent } from '../planner/events';
import type { Handlers } from './eventHandlers';
import type { Search } from './search';
import type { Sql } from './sqlJs';

export function sessionHandlers(sql: Sql, search: Search): Handlers<SessionEvent> {
  return {
    session_created: ({ session, taskDescription }, { at }) => {
      ensureSession(sql, session, at);
      sql.run('UPDATE sessions SET task_description = ? WHERE name = ?', taskDescription, session);
    },

    session_described: ({ session, taskDescription }, { at }) =>
      sql.run('UPDATE sessions SET task_description = ?, changed_at = ? WHERE name = ?', taskDescription, at, session),

    session_archived: ({ session, archived }, { at }) =>
      sql.run('UPDATE sessions SET archived_at = ?, changed_at = ? WHERE name = ?', archived ? at : null, at, session),

    session_deleted: ({ session }) => {
      const completed = `SELECT rowid FROM plans WHERE session_name = ? AND status = 'completed'`;
      for (const { rowid } of sql.all<{ rowid: number }>(completed, session)) search.remove(rowid);
      sql.run('DELETE FROM sessions WHERE name = ?', session);
    },

    session_selected: ({ session }) =>
      sql.run('UPDATE sessions SET selected = (name IS ?1) WHERE selected <> (name IS ?1)', session),
  };
}

/** The session's row, made if there is none: a plan whose session's creation was lost to damage still needs one. */
export function ensureSession(sql: Sql, name: string, at: string): void {
  sql.run('INSERT OR IGNORE INTO sessions (name, created_at, changed_at) VALUES (?, ?, ?)', name, at, at);
}
