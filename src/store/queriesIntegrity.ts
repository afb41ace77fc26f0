import type { Invariant, View } from '../planner/ports';
import type { Sql } from './sqlJs';

type Issue = { invariant: Invariant | 'store'; issue: string };

/** Facts that no sequence of the planner's events brings about: each means a defect or a database changed from outside. */
export function integrityQueries(sql: Sql): Pick<View, 'inconsistencies'> {
  return {
    inconsistencies: (session) => [
      ...activePlans(sql, session),
      ...queueOrder(sql, session),
      ...contradictoryPlans(sql, session),
      ...wrongCounts(sql, session),
      ...orphans(sql),
      ...searchIndex(sql),
    ],
  };
}

function activePlans(sql: Sql, session: string): Issue[] {
  const active = sql.all<{ id: string }>(
    `SELECT id FROM plans WHERE session_name = ? AND status = 'active' ORDER BY pulled_at, id`,
    session,
  );
  if (active.length <= 1) return [];
  const ids = active.map(({ id }) => id).join(', ');
  return [{ invariant: 'single_active_plan', issue: `${active.length} plans are active at once: ${ids}.` }];
}

function queueOrder(sql: Sql, session: string): Issue[] {
  return sql
    .all<{ id: string; position: number | null; expected: number }>(
      `SELECT * FROM (SELECT id, queue_position AS position, row_number() OVER (ORDER BY queue_position, id) AS expected
         FROM plans WHERE session_name = ? AND status = 'queued')
       WHERE position IS NOT expected ORDER BY expected`,
      session,
    )
    .map(({ id, position, expected }) => ({
      invariant: 'queue_order_preserved' as const,
      issue: `Queued plan ${id} has position ${position ?? 'none'} where ${expected} is due.`,
    }));
}

function contradictoryPlans(sql: Sql, session: string): Issue[] {
  return sql
    .all<{ id: string; status: string; field: string }>(
      `SELECT id, status, field FROM (
         SELECT id, status, 'queue_position' AS field FROM plans
           WHERE session_name = ?1 AND queue_position IS NOT NULL AND status <> 'queued'
         UNION ALL SELECT id, status, 'pulled_at' FROM plans
           WHERE session_name = ?1 AND (pulled_at IS NOT NULL) <> (status = 'active')
         UNION ALL SELECT id, status, 'completed_at' FROM plans
           WHERE session_name = ?1 AND (completed_at IS NOT NULL) <> (status = 'completed')
         UNION ALL SELECT id, status, 'discarded_at' FROM plans
           WHERE session_name = ?1 AND (discarded_at IS NOT NULL) <> (status = 'discarded')
         UNION ALL SELECT id, status, 'finish_order' FROM plans
           WHERE session_name = ?1 AND (finish_order IS NOT NULL) <> (status IN ('completed', 'discarded'))
       ) ORDER BY id, field`,
      session,
    )
    .map(({ id, status, field }) => ({
      invariant: field === 'queue_position' ? ('queue_order_preserved' as const) : ('store' as const),
      issue: `Plan ${id} is ${status}, but its ${field} says otherwise.`,
    }));
}

function wrongCounts(sql: Sql, session: string): Issue[] {
  const counts = sql.get<{ queued: number; kept: number; completed: number; keptCompleted: number }>(
    `SELECT queue_length AS kept, completed_count AS keptCompleted,
       (SELECT count(*) FROM plans WHERE session_name = name AND status = 'queued') AS queued,
       (SELECT count(*) FROM plans WHERE session_name = name AND status = 'completed') AS completed
     FROM sessions WHERE name = ?`,
    session,
  );
  if (counts === undefined) return [];
  const issues: Issue[] = [];
  if (counts.kept !== counts.queued) {
    issues.push({
      invariant: 'store',
      issue: `The session counts ${counts.kept} queued plans, but has ${counts.queued}.`,
    });
  }
  if (counts.keptCompleted !== counts.completed) {
    issues.push({
      invariant: 'store',
      issue: `The session counts ${counts.keptCompleted} completed plans, but has ${counts.completed}.`,
    });
  }
  return issues;
}

function orphans(sql: Sql): Issue[] {
  return sql
    .all<{ table: string; count: number; parent: string }>(
      'SELECT "table", parent, count(*) AS count FROM pragma_foreign_key_check() GROUP BY "table", parent',
    )
    .map(({ table, parent, count }) => ({
      invariant: 'store' as const,
      issue: `${count} ${count === 1 ? 'row' : 'rows'} of ${table} refer to a missing row of ${parent}.`,
    }));
}

function searchIndex(sql: Sql): Issue[] {
  const indexed = sql.value<number>('SELECT count(*) FROM search_docsize');
  const completed = sql.value<number>(
    `SELECT count(*) FROM plans WHERE finish_order IS NOT NULL AND status = 'completed'`,
  );
  if (indexed === completed) return [];
  return [{ invariant: 'store', issue: `The search index holds ${indexed} plans, but ${completed} are completed.` }];
}
