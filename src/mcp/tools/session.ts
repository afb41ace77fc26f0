import * as z from 'zod';
import { cut, GOAL_SHOWN, shareOf, TASK_SHOWN } from '../excerpts';
import { activeShape } from '../shapes';
import { defineTool, id, type Tool } from '../tool';
import { cutRemark, goalsOf, heading, joined, queueLines, readAgain } from './phrases';

const RESUME_QUEUE_LIMIT = 50;
/** Characters of all goals together. */
const QUEUE_BUDGET = 6_000;

export const sessionTools: Tool[] = [
  defineTool({
    name: '9plan_session_create',
    title: 'Create a session',
    description: 'Start a planning session for a larger piece of work. Returns the three-word name to resume it by.',
    toolset: 'session',
    input: { task_description: z.string().optional().describe('the whole task, in a sentence or two') },
    output: { session_path: z.string() },
    async handle({ task_description }, { planner, caller, offers }) {
      const { session, sessionPath } = await planner.sessions.create(caller, { taskDescription: task_description });
      return {
        session,
        text: `Session ${session} is ready.\nFolder: ${sessionPath}`,
        structured: { session_path: sessionPath },
        message: offers('9plan_queue_add') ? 'Next: add plans with 9plan_queue_add.' : undefined,
      };
    },
  }),
  defineTool({
    name: '9plan_session_resume',
    title: 'Resume a session',
    description: 'Go on with an existing session: its task, queue, active plan and progress.',
    toolset: 'session',
    input: { session_name: id.describe('word-word-word') },
    output: {
      session_path: z.string(),
      task_description: z.string().nullable(),
      queue: z.array(
        z.object({ id: z.string(), goal: z.string(), queue_position: z.number(), waiting_for: z.array(z.string()) }),
      ),
      queue_length: z.number(),
      active_plan: z.object({ id: z.string(), goal: z.string(), file_path: z.string() }).nullable(),
      completed_count: z.number(),
    },
    hints: { readOnly: true, idempotent: true },
    async handle({ session_name }, call) {
      const { planner, caller } = call;
      const state = await planner.sessions.resume(caller, {
        sessionName: session_name,
        queueLimit: RESUME_QUEUE_LIMIT,
      });
      const { activePlan, queueLength, completedCount } = state;
      const queue = state.queue.slice(0, RESUME_QUEUE_LIMIT);
      const more = queueLength - queue.length;
      const shown = shareOf(QUEUE_BUDGET, queue.length, 40, GOAL_SHOWN);
      const task = state.taskDescription && cut(state.taskDescription, TASK_SHOWN);
      return {
        session: state.session,
        text: [
          `Task: ${task ?? 'not described'}`,
          `Active plan: ${activePlan ? `${heading(activePlan)}\n  ${activePlan.filePath}` : 'none'}`,
          `Queue: ${queueLength} queued, ${completedCount} completed`,
          ...queueLines(queue, shown),
          ...(more > 0 ? [`  … and ${more} more`] : []),
        ].join('\n'),
        structured: {
          session_path: state.sessionPath,
          task_description: task,
          queue: queue.map(({ id, goal, queuePosition, waitingFor }) => ({
            id,
            goal: cut(goal, shown),
            queue_position: queuePosition,
            waiting_for: waitingFor,
          })),
          queue_length: queueLength,
          active_plan: activePlan && activeShape(activePlan, activePlan.filePath),
          completed_count: completedCount,
        },
        message: joined(
          more > 0 ? `The queue shows its first ${queue.length} plans of ${queueLength}.` : undefined,
          readAgain(state, call),
          cutRemark(goalsOf(state), shown, call),
        ),
      };
    },
  }),
];
