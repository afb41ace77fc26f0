import type { Session, SessionSummary } from '../planner/model';
import type { View } from '../planner/ports';
import type { Sql } from './sqlJs';

type SessionQueries = Pick<View, 'session' | 'sessions' | 'selectedSession' | 'sessionsWithOpenWork'>;

const COLUMNS = 'name, task_description AS taskDescription, created_at AS createdAt, archived_at AS archivedAt';

const SESSION = `SELECT ${COLUMNS} FROM sessions WHERE name = ?`;

export function sessionQueries(sql: Sql): SessionQueries {
  return {
    session: (name) => sql.get<Session>(SESSION, name),

    sessions: ({ archived = false } = {}) =>
      sql
        .all<Omit<SessionSummary, 'hasActivePlan'> & { hasActivePlan: number }>(
          `SELECT ${COLUMNS}, queue_length AS queueLength, completed_count AS completedCount, changed_at AS changedAt,
             EXISTS (SELECT 1 FROM plans WHERE session_name = name AND status = 'active') AS hasActivePlan
           FROM sessions ${archived ? '' : 'WHERE archived_at IS NULL'} ORDER BY sessions.rowid DESC`,
        )
        .map((row) => ({ ...row, hasActivePlan: row.hasActivePlan === 1 })),

    selectedSession: () => sql.value<string>('SELECT name FROM sessions WHERE selected = 1'),

    sessionsWithOpenWork: () =>
      sql
        .all<{ name: string }>(
          `SELECT name FROM sessions WHERE archived_at IS NULL AND (queue_length > 0
             OR EXISTS (SELECT 1 FROM plans WHERE session_name = name AND status = 'active'))
           ORDER BY sessions.rowid DESC`,
        )
        .map(({ name }) => name),
  };
}
