import type { Plan, PlanHeading, QueuedPlan } from '../planner/model';
import type { View } from '../planner/ports';
import type { Sql } from './sqlJs';

type PlanQueries = Pick<
  View,
  | 'plan'
  | 'activePlan'
  | 'queue'
  | 'queueLength'
  | 'completedCount'
  | 'firstReady'
  | 'history'
  | 'blockersOf'
  | 'blockedBy'
  | 'childrenOf'
>;

type PlanRow = Omit<Plan, 'metadata'> & { metadata: string | null };

const COLUMNS = `id, session_name AS sessionName, status, queue_position AS queuePosition, context, goal, inputs, outputs,
  approach, success_criteria AS successCriteria, notes, outcome, created_at AS createdAt, created_by AS createdBy,
  completed_at AS completedAt, pulled_by AS pulledBy, pulled_at AS pulledAt, discard_reason AS discardReason,
  discarded_at AS discardedAt, parent_id AS parentId, metadata, file_version AS fileVersion`;

/** Of plan p: the dependencies that still hold it back. */
const UNFINISHED_BLOCKERS = `FROM dependencies d JOIN plans b ON b.id = d.waits_for
  WHERE d.plan_id = p.id AND b.finish_order IS NULL`;

// Not put together at each call: a statement is found by its text.
const PLAN = `SELECT ${COLUMNS} FROM plans WHERE id = ?`;
const ACTIVE_PLAN = `SELECT ${COLUMNS} FROM plans WHERE session_name = +? AND status = 'active' ORDER BY pulled_at, id`;
const FIRST_READY = `SELECT id, goal FROM plans p WHERE session_name = +? AND status = 'queued'
  AND NOT EXISTS (SELECT 1 ${UNFINISHED_BLOCKERS}) ORDER BY queue_position LIMIT 1`;

/**
 * Queries of plans say `+?`: where a bare parameter stands beside the terms of a partial index, SQLite
 * plans the query anew at every call, which takes longer than the query.
 */
export function planQueries(sql: Sql): PlanQueries {
  const headings = (query: string, id: string): PlanHeading[] => sql.all<PlanHeading>(query, id);
  return {
    plan: (id) => planOf(sql.get<PlanRow>(PLAN, id)),

    activePlan: (session) => planOf(sql.get<PlanRow>(ACTIVE_PLAN, session)),

    queue: (session, { offset, limit } = { offset: 0, limit: -1 }) =>
      sql
        .all<Omit<QueuedPlan, 'waitingFor'> & { waitingFor: string | null }>(
          `SELECT id, goal, queue_position AS queuePosition,
             (SELECT group_concat(d.waits_for, ' ' ORDER BY d.waits_for) ${UNFINISHED_BLOCKERS}) AS waitingFor
           FROM plans p WHERE session_name = +? AND status = 'queued' ORDER BY queue_position LIMIT ? OFFSET ?`,
          session,
          limit,
          offset,
        )
        .map((row) => ({ ...row, waitingFor: row.waitingFor?.split(' ') ?? [] })),

    queueLength: (session) => sql.value<number>('SELECT queue_length FROM sessions WHERE name = ?', session) ?? 0,

    completedCount: (session) => sql.value<number>('SELECT completed_count FROM sessions WHERE name = ?', session) ?? 0,

    firstReady: (session) => sql.get<PlanHeading>(FIRST_READY, session),

    history: (session, { status, offset, limit }) => {
      const rows =
        session === undefined
          ? sql.all<PlanRow>(
              `SELECT ${COLUMNS} FROM plans WHERE finish_order IS NOT NULL AND status = +?
               ORDER BY finish_order DESC LIMIT ? OFFSET ?`,
              status,
              limit,
              offset,
            )
          : sql.all<PlanRow>(
              `SELECT ${COLUMNS} FROM plans WHERE finish_order IS NOT NULL AND session_name = +? AND status = +?
               ORDER BY finish_order DESC LIMIT ? OFFSET ?`,
              session,
              status,
              limit,
              offset,
            );
      return rows.map((row) => planOf(row) as Plan);
    },

    blockersOf: (plan) =>
      headings(
        'SELECT id, goal FROM dependencies JOIN plans ON id = waits_for WHERE plan_id = +? ORDER BY waits_for',
        plan,
      ),
    blockedBy: (plan) =>
      headings(
        'SELECT id, goal FROM dependencies JOIN plans ON id = plan_id WHERE waits_for = +? ORDER BY plan_id',
        plan,
      ),
    childrenOf: (plan) => headings('SELECT id, goal FROM plans WHERE parent_id = +? ORDER BY rowid', plan),
  };
}

function planOf(row: PlanRow | undefined): Plan | undefined {
  if (row === undefined) return undefined;
  return { ...row, metadata: row.metadata === null ? null : JSON.parse(row.metadata) };
}
