import * as z from 'zod';
import type { Plan } from '../../planner/model';
import { defineTool, inSession, type Tool } from '../tool';
import { heading } from './phrases';

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
    async handle(args, { planner, caller }) {
      const { session, assumed, matches } = await planner.history.search(caller, {
        sessionName: args.session_name,
        query: args.query,
        maxResults: args.max_results,
        allSessions: args.all_sessions,
      });
      const lines = matches.map((match) =>
        [
          `${match.relevanceRank}. ${heading(match)}${match.sessionName === session ? '' : ` (${match.sessionName})`}`,
          match.outcome ?? '',
        ].join('\n'),
      );
      return {
        session: session || null,
        assumed,
        text: matches.length > 0 ? lines.join('\n\n') : 'No completed plan matches.',
        structured: {
          session_name: session || null,
          matches: matches.map((match) => ({
            id: match.id,
            goal: match.goal,
            outcome: match.outcome,
            relevance_rank: match.relevanceRank,
            session_name: match.sessionName,
          })),
        },
        message: matches.length > 0 ? undefined : 'Try fewer or other words, or all_sessions: true.',
      };
    },
  }),
  defineTool({
    name: '9plan_history_get',
    title: 'Read a completed plan',
    description: 'The whole text of a completed plan of any session, with its outcome.',
    toolset: 'history',
    input: { plan_id: z.string() },
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
  return [`Plan ${plan.id}, completed ${plan.completedAt ?? ''}`, ...shown].join('\n\n');
}
