import type { PlanEvent } from '../planner/events';
import type { PlanSections, PlanStatus, SectionName } from '../planner/model';
import { ensureSession } from './applySessions';
import type { Handlers, RecordFacts } from './eventHandlers';
import { type PlanRow, QueuePlaces } from './queuePlaces';
import type { Search } from './search';
import { longText, type Sql } from './sqlJs';

const SECTION_COLUMNS: Record<SectionName, string> = {
  context: 'context',
  goal: 'goal',
  inputs: 'inputs',
  outputs: 'outputs',
  approach: 'approach',
  successCriteria: 'success_criteria',
  notes: 'notes',
};

/** What a plan's row says of its status; all but the position are null for a queued plan. */
interface StatusColumns {
  queue_position: number;
  pulled_by: string;
  pulled_at: string;
  finish_order: number;
  outcome: string;
  completed_at: string;
  discard_reason: string;
  discarded_at: string;
}

export function planHandlers(sql: Sql, search: Search): Handlers<PlanEvent> {
  const places = new QueuePlaces(sql);

  const planRow = (id: string): PlanRow | undefined =>
    sql.get<PlanRow>(
      'SELECT rowid, session_name AS session, status, queue_position AS position FROM plans WHERE id = ?',
      id,
    );

  const touch = (session: string, { at }: RecordFacts): void =>
    sql.run('UPDATE sessions SET changed_at = ? WHERE name = ?', at, session);

  /** For events about one plan; nothing happens if damage to the journal lost the plan. */
  const onPlan =
    <E extends { plan: string }>(change: (plan: PlanRow, event: E, record: RecordFacts) => void) =>
    (event: E, record: RecordFacts): void => {
      const plan = planRow(event.plan);
      if (plan === undefined) return;
      change(plan, event, record);
      touch(plan.session, record);
    };

  /** Undoes what the plan's status means outside of its row. */
  const leave = (plan: PlanRow): void => {
    if (plan.status === 'completed') {
      search.remove(plan.rowid);
      sql.run('UPDATE sessions SET completed_count = completed_count - 1 WHERE name = ?', plan.session);
    }
    places.leave(plan);
  };

  /** All that the row says of its status in one go: each change writes the long texts again, too. */
  const enter = ({ rowid }: PlanRow, status: PlanStatus, facts: Partial<StatusColumns>): void =>
    sql.run(
      `UPDATE plans SET status = ?, queue_position = ?, pulled_by = ?, pulled_at = ?, finish_order = ?,
         outcome = CAST(? AS TEXT), completed_at = ?, discard_reason = ?, discarded_at = ? WHERE rowid = ?`,
      status,
      facts.queue_position ?? null,
      facts.pulled_by ?? null,
      facts.pulled_at ?? null,
      facts.finish_order ?? null,
      facts.outcome === undefined ? null : longText(facts.outcome),
      facts.completed_at ?? null,
      facts.discard_reason ?? null,
      facts.discarded_at ?? null,
      rowid,
    );

  const nextFinish = (): number =>
    (sql.value<number>('SELECT max(finish_order) FROM plans WHERE finish_order IS NOT NULL') ?? 0) + 1;

  return {
    plan_added: ({ plan, session, position, sections, parent }, record) => {
      if (planRow(plan) !== undefined) return;
      ensureSession(sql, session, record.at);
      sql.run(
        `INSERT INTO plans (id, session_name, status, queue_position, parent_id, created_at, created_by,
           context, goal, inputs, outputs, approach, success_criteria, notes)
         VALUES (?, ?, 'queued', ?, (SELECT id FROM plans WHERE id = ?), ?, ?, CAST(? AS TEXT), CAST(? AS TEXT),
           CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))`,
        plan,
        session,
        places.open(session, position),
        parent,
        record.at,
        record.by,
        longText(sections.context),
        longText(sections.goal),
        longText(sections.inputs),
        longText(sections.outputs),
        longText(sections.approach),
        longText(sections.successCriteria),
        longText(sections.notes),
      );
      touch(session, record);
    },

    plan_edited: onPlan(({ rowid, status }, { sections, fileVersion }) => {
      if (fileVersion !== undefined) sql.run('UPDATE plans SET file_version = ? WHERE rowid = ?', fileVersion, rowid);
      if (status === 'completed') search.remove(rowid);
      editSections(sql, rowid, sections);
      if (status === 'completed') search.add(rowid);
    }),

    plan_moved: onPlan((plan, { position }) => places.move(plan, position)),

    plan_pulled: onPlan((plan, { client }, { at }) => {
      leave(plan);
      enter(plan, 'active', { pulled_by: client, pulled_at: at });
    }),

    plan_requeued: onPlan((plan, { position }) => {
      leave(plan);
      enter(plan, 'queued', { queue_position: places.open(plan.session, position) });
    }),

    plan_completed: onPlan((plan, { outcome }, { at }) => {
      leave(plan);
      enter(plan, 'completed', { outcome, completed_at: at, finish_order: nextFinish() });
      sql.run('UPDATE sessions SET completed_count = completed_count + 1 WHERE name = ?', plan.session);
      search.add(plan.rowid);
    }),

    plan_discarded: onPlan((plan, { reason }, { at }) => {
      leave(plan);
      enter(plan, 'discarded', { discard_reason: reason, discarded_at: at, finish_order: nextFinish() });
    }),

    plan_linked: onPlan((_plan, { plan, waitsFor }) =>
      sql.run(
        'INSERT OR IGNORE INTO dependencies (plan_id, waits_for) SELECT ?, id FROM plans WHERE id = ?',
        plan,
        waitsFor,
      ),
    ),

    plan_unlinked: onPlan((_plan, { plan, waitsFor }) =>
      sql.run('DELETE FROM dependencies WHERE plan_id = ? AND waits_for = ?', plan, waitsFor),
    ),

    plan_reparented: onPlan(({ rowid }, { parent }) =>
      sql.run('UPDATE plans SET parent_id = (SELECT id FROM plans WHERE id = ?) WHERE rowid = ?', parent, rowid),
    ),

    plan_annotated: onPlan(({ rowid }, { metadata }) =>
      sql.run(
        'UPDATE plans SET metadata = ? WHERE rowid = ?',
        metadata === null ? null : JSON.stringify(metadata),
        rowid,
      ),
    ),
  };
}

function editSections(sql: Sql, rowid: number, sections: Partial<PlanSections>): void {
  const given = Object.entries(SECTION_COLUMNS).flatMap(([section, column]) => {
    const text = sections[section as SectionName];
    return text === undefined ? [] : [{ column, text }];
  });
  if (given.length === 0) return;
  sql.run(
    `UPDATE plans SET ${given.map(({ column }) => `${column} = CAST(? AS TEXT)`).join(', ')} WHERE rowid = ?`,
    ...given.map(({ text }) => longText(text)),
    rowid,
  );
}
