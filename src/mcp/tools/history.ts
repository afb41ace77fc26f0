import * as z from 'zod';
import type { Plan } from '../../planner/model';
import { cut, excerptAround, GOAL_SHOWN, shareOf } from '../excerpts';
import { defineTool, id, inSession, type Tool } from '../tool';
import { cutRemark, heading } from './phrases';

/** Characters of all outcomes of a search together. */
const OUTCOMES_BUDGET = 20_000;

const orNull = (text: string) => (text === '' ? null : text);

export const historyTools: Tool[] = [
  defineTool({
    name: '9plan_history_search',
    title: 'Search completed plans',
    description:
      "Find completed plans by words of their goal, context, inputs, outputs or outcome, e.g. to get an input's source.",
    toolset: 'history',
    input: {
      query: z.string(),
      max_results: z.number().int().min(1).max(100).optional().describe('default 10'),
      all_sessions: z.boolean().optional(),
      ...inSession,
    },
    output: {
      session_name: z.string().nullable(),
      matches: z.array(
        z.object({
          id: z.string(),
          goal: z.string(),
          outcome: z.string().nullable(),
          relevance_rank: z.number().describe('1 is best'),
          session_name: z.string(),
        }),
      ),
    },
    hints: { readOnly: true, idempotent: true },
    async handle(args, call) {
      const { planner, caller } = call;
      const { session, assumed, matches } = await planner.history.search(caller, {
        sessionName: args.session_name,
        query: args.query,
        maxResults: args.max_results,
        allSessions: args.all_sessions,
      });
      const shown = shareOf(OUTCOMES_BUDGET, matches.length, 200, 1_000);
      const goals = matches.map(({ goal }) => goal);
      const outcomes = matches.map(({ outcome }) => outcome ?? '');
      const excerpts = matches.map(({ outcome }) => outcome && excerptAround(outcome, args.query, shown));
      const lines = matches.map((match, index) =>
        [
          `${match.relevanceRank}. ${heading(match)}${match.sessionName === session ? '' : ` (${match.sessionName})`}`,
          excerpts[index] ?? '',
        ].join('\n'),
      );
      return {
        session: session || null,
        assumed,
        text: matches.length > 0 ? lines.join('\n\n') : 'No completed plan matches.',
        structured: {
          session_name: session || null,
          matches: matches.map((match, index) => ({
            id: match.id,
            goal: cut(match.goal, GOAL_SHOWN),
            outcome: excerpts[index] ?? null,
            relevance_rank: match.relevanceRank,
            session_name: match.sessionName,
          })),
        },
        message:
          matches.length === 0
            ? noMatch(args.query, args.all_sessions)
            : (cutRemark(goals, GOAL_SHOWN, call) ?? cutRemark(outcomes, shown, call)),
      };
    },
  }),
  defineTool({
    name: '9plan_history_get',
    title: 'Read a plan',
    description:
      'The whole text of a plan of any session, with its status and outcome: completed ones, but also open ones.',
    toolset: 'history',
    input: { plan_id: id },
    output: {
      id: z.string(),
      status: z.string(),
      queue_position: z.number().nullable(),
      goal: z.string(),
      context: z.string().nullable(),
      inputs: z.string().nullable(),
      outputs: z.string().nullable(),
      approach: z.string().nullable(),
      success_criteria: z.string().nullable(),
      notes: z.string().nullable(),
      outcome: z.string().nullable(),
      created_at: z.string(),
      completed_at: z.string().nullable(),
    },
    hints: { readOnly: true, idempotent: true },
    async handle({ plan_id }, { planner, caller }) {
      const plan = await planner.history.get(caller, { planId: plan_id });
      return { session: plan.sessionName, text: asText(plan), structured: asSeedPlan(plan) };
    },
  }),
];

/** The seed's Plan (section 5.2) in snake case: an empty section is null. */
function asSeedPlan(plan: Plan) {
  return {
    id: plan.id,
    status: plan.status,
    queue_position: plan.queuePosition,
    goal: plan.goal,
    context: orNull(plan.context),
    inputs: orNull(plan.inputs),
    outputs: orNull(plan.outputs),
    approach: orNull(plan.approach),
    success_criteria: orNull(plan.successCriteria),
    notes: orNull(plan.notes),
    outcome: plan.outcome,
    created_at: plan.createdAt,
    completed_at: plan.completedAt,
  };
}

function noMatch(query: string, everywhere: boolean | undefined): string {
  if (query.trim() === '') return 'The query is empty: give some words of the plan you look for.';
  return everywhere ? 'Try fewer or other words.' : 'Try fewer or other words, or all_sessions: true.';
}

function standing(plan: Plan): string {
  switch (plan.status) {
    case 'completed':
      return `completed ${plan.completedAt}`;
    case 'discarded':
      return `discarded ${plan.discardedAt}: ${plan.discardReason}`;
    case 'active':
      return `active, pulled by ${plan.pulledBy} at ${plan.pulledAt}`;
    case 'queued':
      return `queued at position ${plan.queuePosition}`;
  }
}

function asText(plan: Plan): string {
  const sections: [string, string | null][] = [
    ['Goal', plan.goal],
    ['Context', plan.context],
    ['Inputs', plan.inputs],
    ['Outputs', plan.outputs],
    ['Approach', plan.approach],
    ['Success Criteria', plan.successCriteria],
    ['Notes', plan.notes],
    ['Outcome', plan.outcome],
  ];
  const shown = sections.filter(([, text]) => text).map(([name, text]) => `# ${name}\n${text}`);
  return [`Plan ${plan.id}, ${standing(plan)}`, ...shown].join('\n\n');
}
