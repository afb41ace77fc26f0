import * as z from 'zod';
import { PLAN_MODE_STANDARDS } from '../../planner/standards';
import { chanceLater, hear } from '../approval';
import { definePlainTool, defineTool, inSession, type Tool, type ToolCall } from '../tool';
import { Waiting } from '../waiting';
import { joined } from './phrases';
import { noProposalAnswer, verdictAnswer, verdictOutput } from './verdict';

const todo = z.strictObject({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  priority: z.enum(['high', 'medium', 'low']).optional(),
});

const todoList = z.array(z.object({ content: z.string(), status: z.string(), priority: z.string().optional() }));

export const planModeTools: Tool[] = [
  defineTool({
    name: 'enter_plan_mode',
    title: 'Enter plan mode',
    description:
      'Before work of several steps, a refactoring, or anything hard to undo: plan first. Then read get_plan_mode_standards, research without changing anything, and hand the plan in with exit_plan_mode.',
    toolset: 'planmode',
    input: { reason: z.string().optional(), goal: z.string().optional(), ...inSession },
    output: { proposal_id: z.string(), status: z.string(), superseded: z.string().nullable() },
    async handle({ session_name, reason, goal }, { planner, caller }) {
      const entered = await planner.planMode.enter(caller, { sessionName: session_name, reason, goal });
      const { session, assumed, proposalId, status, superseded } = entered;
      return {
        session,
        assumed,
        text: `You are in plan mode: proposal ${proposalId}.${superseded ? ` Your open proposal ${superseded} is superseded.` : ''}`,
        structured: { proposal_id: proposalId, status, superseded },
        message:
          'Read get_plan_mode_standards, research, then call exit_plan_mode with the plan. Change nothing before it is approved.',
      };
    },
  }),
  definePlainTool({
    name: 'get_plan_mode_standards',
    title: 'Read the standards of plan mode',
    description:
      'The rules for planning and carrying out a plan. Read it on entering plan mode, and again when you have lost it.',
    toolset: 'planmode',
    input: {},
    hints: { readOnly: true, idempotent: true },
    handle: async () => PLAN_MODE_STANDARDS,
  }),
  defineTool({
    name: 'todo_write',
    title: 'Write the to-do list',
    description: 'Replace your to-do list. At most one entry is in_progress.',
    toolset: 'planmode',
    input: { todos: z.array(todo), ...inSession },
    output: {
      todos: todoList,
      counts: z.object({ pending: z.number(), in_progress: z.number(), completed: z.number() }),
    },
    hints: { idempotent: true },
    async handle({ session_name, todos }, { planner, caller }) {
      const written = await planner.planMode.writeTodos(caller, { sessionName: session_name, todos });
      const { pending, in_progress, completed } = written.counts;
      return {
        session: written.session,
        assumed: written.assumed,
        text: `${pending} pending, ${in_progress} in progress, ${completed} completed.`,
        structured: { todos: written.todos, counts: written.counts },
      };
    },
  }),
  defineTool({
    name: 'exit_plan_mode',
    title: 'Submit the plan for approval',
    description:
      'Hand in the whole plan (Markdown) and wait for a person to approve it, request changes or reject it. Start only when status is approved.',
    toolset: 'planmode',
    input: { plan: z.string(), todos: z.array(todo).optional(), ...inSession },
    output: verdictOutput,
    async handle({ session_name, plan, todos }, call) {
      const submitted = await call.planner.planMode.submit(call.caller, { sessionName: session_name, plan, todos });
      const { verdict, chance } = await hear(call, submitted, plan);
      const answer = verdictAnswer(verdict, chance, pullTool(call));
      const { superseded } = submitted;
      if (superseded === null) return answer;
      return { ...answer, message: joined(answer.message, `Your earlier proposal ${superseded} is superseded.`) };
    },
  }),
  defineTool({
    name: 'plan_mode_status',
    title: 'Ask how the proposal stands',
    description: 'The decision on your latest proposal, also one made after exit_plan_mode returned.',
    toolset: 'planmode',
    input: {
      wait_seconds: z.number().int().min(0).max(3600).optional().describe('wait so long for a decision'),
      ...inSession,
    },
    output: verdictOutput,
    hints: { readOnly: true, idempotent: true },
    async handle({ session_name, wait_seconds }, call) {
      const { session, assumed, verdict, others } = await call.planner.planMode.status(call.caller, {
        sessionName: session_name,
      });
      if (!verdict) return noProposalAnswer(session, assumed, others);
      const settled = await decided(call, verdict.proposalId, wait_seconds ?? 0);
      // Who asks may have lost the plan; and two agents of one client can't be told apart without an id of their own.
      const approvedPlan = settled.status === 'approved' ? (settled.approvedPlan ?? settled.plan) : null;
      const chance = settled.status === 'submitted' ? await chanceLater(call) : 'nothing';
      return verdictAnswer({ ...settled, assumed, approvedPlan }, chance, pullTool(call));
    },
  }),
];

const pullTool = ({ offers }: ToolCall) => ['9plan_queue_pull', 'task_update'].find(offers);

async function decided({ planner, signal, progress }: ToolCall, proposalId: string, seconds: number) {
  const ask = async () => {
    const verdict = await planner.planMode.verdict(proposalId);
    return verdict.status === 'submitted' ? undefined : verdict;
  };
  const beat = (elapsed: number) => progress(elapsed, seconds, 'Waiting for a decision on the plan');
  const verdict = await new Waiting(planner.store, signal).forAnswer(ask, seconds, beat);
  return verdict ?? planner.planMode.verdict(proposalId);
}
