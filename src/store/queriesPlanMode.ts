import type { Owner, Proposal, ProposalRound, Todo } from '../planner/model';
import type { View } from '../planner/ports';
import type { Sql, SqlValue } from './sqlJs';

type PlanModeQueries = Pick<View, 'proposal' | 'proposals' | 'todos' | 'todoLists'>;

type ProposalRow = Omit<Proposal, 'rounds'>;
type RoundRow = Omit<ProposalRound, 'todos' | 'comments' | 'queuedPlans'> & {
  todos: string;
  comments: string;
  queuedPlans: string;
};

const COLUMNS = 'id, session_name AS session, client, agent, status, reason, goal, created_at AS createdAt';

export function planModeQueries(sql: Sql): PlanModeQueries {
  const withRounds = (row: ProposalRow): Proposal => ({ ...row, rounds: roundsOf(sql, row.id) });
  return {
    proposal: (id) => {
      const row = sql.get<ProposalRow>(`SELECT ${COLUMNS} FROM proposals WHERE id = ?`, id);
      return row && withRounds(row);
    },

    proposals: ({ owner, session, status, limit }) => {
      const conditions: string[] = [];
      const params: SqlValue[] = [];
      const require = (condition: string, ...values: SqlValue[]): void => {
        conditions.push(condition);
        params.push(...values);
      };
      if (owner) require('session_name = ? AND client = ? AND agent = ?', owner.session, owner.client, owner.agent);
      if (session !== undefined) require('session_name = ?', session);
      if (status) require(`status IN (${status.map(() => '?').join(', ')})`, ...status);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      return sql
        .all<ProposalRow>(
          `SELECT ${COLUMNS} FROM proposals ${where} ORDER BY rowid DESC LIMIT ?`,
          ...params,
          limit ?? -1,
        )
        .map(withRounds);
    },

    todos: ({ session, client, agent }) => {
      const todos = sql.value<string>(
        'SELECT todos FROM todo_lists WHERE session_name = ? AND client = ? AND agent = ?',
        session,
        client,
        agent,
      );
      return todos === undefined ? [] : (JSON.parse(todos) as Todo[]);
    },

    todoLists: (session) =>
      sql
        .all<{ client: string; agent: string; todos: string; changedAt: string }>(
          `SELECT client, agent, todos, changed_at AS changedAt FROM todo_lists WHERE session_name = ?
           ORDER BY client, agent`,
          session,
        )
        .map(({ client, agent, todos, changedAt }) => ({
          owner: { session, client, agent } satisfies Owner,
          todos: JSON.parse(todos) as Todo[],
          changedAt,
        })),
  };
}

function roundsOf(sql: Sql, proposal: string): ProposalRound[] {
  return sql
    .all<RoundRow>(
      `SELECT round, plan, todos, submitted_at AS submittedAt, decision, decided_by AS decidedBy,
         decided_at AS decidedAt, feedback, comments, approved_plan AS approvedPlan, queued_plans AS queuedPlans
       FROM proposal_rounds WHERE proposal_id = ? ORDER BY round`,
      proposal,
    )
    .map((row) => ({
      ...row,
      todos: JSON.parse(row.todos),
      comments: JSON.parse(row.comments),
      queuedPlans: JSON.parse(row.queuedPlans),
    }));
}
