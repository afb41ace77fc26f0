import type { PlanModeEvent } from '../planner/events';
import type { ProposalStatus } from '../planner/model';
import type { Handlers } from './eventHandlers';
import type { Sql } from './sqlJs';

/** Proposals and to-do lists as rows; what is inside a round stays JSON, because it is never asked for alone. */
export function planModeHandlers(sql: Sql): Handlers<PlanModeEvent> {
  const setStatus = (proposal: string, status: ProposalStatus): void =>
    sql.run('UPDATE proposals SET status = ? WHERE id = ?', status, proposal);

  return {
    proposal_opened: ({ proposal, owner, reason, goal }, { at }) =>
      sql.run(
        `INSERT OR IGNORE INTO proposals (id, session_name, client, agent, status, created_at, reason, goal)
         SELECT ?, name, ?, ?, 'planning', ?, ?, ? FROM sessions WHERE name = ?`,
        proposal,
        owner.client,
        owner.agent,
        at,
        reason,
        goal,
        owner.session,
      ),

    proposal_submitted: ({ proposal, round, plan, todos }, { at }) => {
      sql.run(
        `INSERT OR REPLACE INTO proposal_rounds (proposal_id, round, submitted_at, plan, todos)
         SELECT id, ?, ?, ?, ? FROM proposals WHERE id = ?`,
        round,
        at,
        plan,
        JSON.stringify(todos),
        proposal,
      );
      setStatus(proposal, 'submitted');
    },

    proposal_decided: (event, { at }) => {
      sql.run(
        `UPDATE proposal_rounds SET decision = ?, decided_by = ?, decided_at = ?, feedback = ?, comments = ?,
           approved_plan = ?, queued_plans = ? WHERE proposal_id = ? AND round = ?`,
        event.decision,
        event.decidedBy,
        at,
        event.feedback,
        JSON.stringify(event.comments),
        event.approvedPlan,
        JSON.stringify(event.queuedPlans),
        event.proposal,
        event.round,
      );
      setStatus(event.proposal, event.decision === 'approved' ? 'approved' : 'rejected');
    },

    proposal_superseded: ({ proposal }) => setStatus(proposal, 'superseded'),

    todos_replaced: ({ owner, todos }, { at }) => {
      const key = [owner.session, owner.client, owner.agent];
      if (todos.length === 0) {
        sql.run('DELETE FROM todo_lists WHERE session_name = ? AND client = ? AND agent = ?', ...key);
        return;
      }
      sql.run(
        `INSERT INTO todo_lists (session_name, client, agent, changed_at, todos)
         SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM sessions WHERE name = ?1)
         ON CONFLICT DO UPDATE SET changed_at = excluded.changed_at, todos = excluded.todos`,
        ...key,
        at,
        JSON.stringify(todos),
      );
    },
  };
}
