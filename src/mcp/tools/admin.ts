import * as z from 'zod';
import { excerpt } from '../../planner/text';
import { cut, GOAL_SHOWN, shareOf, TASK_SHOWN } from '../excerpts';
import { activeShape, queuedShape, sessionShape } from '../shapes';
import { defineTool, inSession, type Tool } from '../tool';
import { cutRemark, goalsOf, heading, queueLines } from './phrases';

/** Characters of all goals of a queue together: it is never paged. */
const QUEUE_BUDGET = 35_000;

export const adminTools: Tool[] = [
  defineTool({
    name: '9plan_admin_validate',
    title: 'Check the store',
    description: "Check a session's queue, its plan files and the store against what must always hold.",
    toolset: 'admin',
    input: inSession,
    output: {
      valid: z.boolean(),
      invariants: z.object({
        single_active_plan: z.boolean(),
        queue_order_preserved: z.boolean(),
        files_match_database: z.boolean(),
        no_orphaned_files: z.boolean(),
      }),
      issues: z.array(z.string()),
    },
    hints: { readOnly: true, idempotent: true },
    async handle({ session_name }, { planner, caller }) {
      const report = await planner.integrity.validate(caller, { sessionName: session_name });
      const { session, assumed, valid, invariants, issues } = report;
      return {
        session,
        assumed,
        text: valid ? 'Everything holds.' : ['Found:', ...issues.map((issue) => `- ${issue}`)].join('\n'),
        structured: { valid, invariants, issues },
        message: valid ? undefined : 'Show the person what you cannot mend yourself.',
      };
    },
  }),
  defineTool({
    name: '9plan_admin_sessions',
    title: 'List sessions',
    description: 'All sessions with their task, date and progress: find the one to resume here.',
    toolset: 'admin',
    input: {},
    output: {
      session_name: z.string().nullable().describe("this connection's"),
      sessions: z.array(
        z.object({
          name: z.string(),
          created: z.string(),
          task_description: z.string().nullable(),
          queue_length: z.number(),
          completed_count: z.number(),
          has_active_plan: z.boolean(),
        }),
      ),
    },
    hints: { readOnly: true, idempotent: true },
    async handle(_, { planner, caller }) {
      const sessions = await planner.sessions.list({});
      const lines = sessions.map((session) => {
        const counts = `${session.queueLength} queued, ${session.completedCount} completed`;
        const active = session.hasActivePlan ? ', one active' : '';
        const current = session.name === caller.session ? ' (this connection works on it)' : '';
        const task = session.taskDescription ? excerpt(session.taskDescription, GOAL_SHOWN) : '(no task given)';
        return `${session.createdAt.slice(0, 10)} ${task}\n  ${session.name}${current}: ${counts}${active}`;
      });
      return {
        session: caller.session ?? null,
        text: lines.join('\n'),
        structured: {
          session_name: caller.session ?? null,
          sessions: sessions.map(sessionShape),
        },
        message: lines.length > 0 ? undefined : 'There are no sessions yet. Make one with 9plan_session_create.',
      };
    },
  }),
  defineTool({
    name: '9plan_admin_state',
    title: "Show a session's state",
    description: 'The whole queue, the active plan and the plan files of a session.',
    toolset: 'admin',
    input: inSession,
    output: {
      task_description: z.string().nullable(),
      queue: z.array(
        z.object({ id: z.string(), goal: z.string(), position: z.number(), waiting_for: z.array(z.string()) }),
      ),
      active_plan: z.object({ id: z.string(), goal: z.string(), file_path: z.string() }).nullable(),
      completed_count: z.number(),
      plan_files: z.array(z.string()),
      file_db_match: z.boolean(),
    },
    hints: { readOnly: true, idempotent: true },
    async handle({ session_name }, call) {
      const { planner, caller } = call;
      const state = await planner.sessions.state(caller, { sessionName: session_name });
      const { session, assumed, activePlan, planFiles, filesMatch } = state;
      const shown = shareOf(QUEUE_BUDGET, state.queue.length, 40, GOAL_SHOWN);
      const task = state.taskDescription && cut(state.taskDescription, TASK_SHOWN);
      return {
        session,
        assumed,
        text: [
          `Task: ${task ?? 'not described'}`,
          `Active plan: ${activePlan ? `${heading(activePlan)}\n  ${activePlan.filePath}` : 'none'}`,
          `Queue: ${state.queueLength} queued, ${state.completedCount} completed`,
          ...queueLines(state.queue, shown),
          filesMatch
            ? 'Plan files match the queue.'
            : 'Plan files do not match the queue: 9plan_admin_validate says which.',
        ].join('\n'),
        structured: {
          task_description: task,
          queue: state.queue.map((plan) => queuedShape(plan, shown)),
          active_plan: activePlan && activeShape(activePlan, activePlan.filePath),
          completed_count: state.completedCount,
          plan_files: planFiles,
          file_db_match: filesMatch,
        },
        message: cutRemark(goalsOf(state), shown, call),
      };
    },
  }),
];
