import * as z from 'zod';
import { PlannerError } from '../../planner/errors';
import type { PlanSections } from '../../planner/model';
import { quoted } from '../../planner/names';
import type { FinishedPlan, MoveTarget, NewPlan } from '../../planner/queue';
import { cut, GOAL_SHOWN } from '../excerpts';
import { type Answer, defineTool, id, inSession, type Tool } from '../tool';
import { fileRemark, headings, joined, nextLine, plans } from './phrases';
import { pullTool } from './pull';

const end = z.enum(['front', 'back']).optional();
const planId = id;

const newPlan = {
  context: z.string().describe('where this plan fits in the whole'),
  goal: z.string(),
  approach: z.string().describe('concrete steps'),
  success_criteria: z.string(),
  inputs: z.string().optional().describe('what it needs of other plans, by description'),
  outputs: z.string().optional().describe('what it makes, in words a search will find'),
};

const finished = {
  plan_id: z.string(),
  queue_length: z.number(),
  completed_count: z.number(),
  next: z.object({ id: z.string(), goal: z.string() }).nullable(),
};

const added = { plan_id: z.string(), plan_path: z.string(), queue_position: z.number() };

export const queueTools: Tool[] = [
  defineTool({
    name: '9plan_queue_add',
    title: 'Add a plan',
    description:
      'Queue a plan that can be carried out without further questions. front: blocking work; back (default): the rest.',
    toolset: 'queue',
    input: { ...newPlan, position: end, ...inSession },
    output: added,
    async handle({ position, session_name, ...plan }, { planner, caller }) {
      const { session, assumed, plans } = await planner.queue.add(caller, {
        sessionName: session_name,
        plans: [toNewPlan(plan)],
        position,
      });
      const [first] = plans;
      if (first === undefined) throw new Error('the planner added no plan');
      return {
        session,
        assumed,
        text: `Plan ${first.planId} is at position ${first.queuePosition} of the queue.\nFile: ${first.planPath}`,
        structured: { plan_id: first.planId, plan_path: first.planPath, queue_position: first.queuePosition },
      };
    },
  }),
  defineTool({
    name: '9plan_queue_add_batch',
    title: 'Add several plans',
    description: 'Queue several plans at once, all or none, in the given order (at the front too).',
    toolset: 'queue',
    input: { plans: z.array(z.strictObject(newPlan)).min(1), position: end, ...inSession },
    output: { plans: z.array(z.object(added)) },
    async handle({ plans: given, position, session_name }, { planner, caller }) {
      const result = await planner.queue.add(caller, {
        sessionName: session_name,
        plans: given.map(toNewPlan),
        position,
      });
      return {
        session: result.session,
        assumed: result.assumed,
        text: `Queued ${plans(result.plans.length)}: ${result.plans.map((plan) => `${plan.queuePosition}. ${plan.planId}`).join(', ')}.`,
        structured: {
          plans: result.plans.map((plan) => ({
            plan_id: plan.planId,
            plan_path: plan.planPath,
            queue_position: plan.queuePosition,
          })),
        },
      };
    },
  }),
  pullTool,
  defineTool({
    name: '9plan_queue_move',
    title: 'Move a queued plan',
    description: 'Give exactly one of position, before, after.',
    toolset: 'queue',
    input: {
      plan_id: planId,
      position: end,
      before: planId.optional().describe('plan id'),
      after: planId.optional().describe('plan id'),
    },
    output: { plan_id: z.string(), queue_position: z.number() },
    hints: { idempotent: true },
    async handle(args, { planner, caller }) {
      const { session, assumed, queuePosition, waitingFor } = await planner.queue.move(caller, {
        planIds: [args.plan_id],
        to: moveTarget(args),
      });
      return {
        session,
        assumed,
        text: `Plan ${args.plan_id} is now at position ${queuePosition}.`,
        structured: { plan_id: args.plan_id, queue_position: queuePosition },
        message:
          waitingFor.length > 0
            ? `It can be pulled only after what it still waits for: ${headings(waitingFor)}.`
            : undefined,
      };
    },
  }),
  defineTool({
    name: '9plan_plan_update',
    title: 'Edit a plan',
    description: 'Replace sections of a queued or active plan, or append to its notes.',
    toolset: 'queue',
    input: {
      plan_id: planId,
      context: z.string().optional(),
      goal: z.string().optional(),
      inputs: z.string().optional(),
      outputs: z.string().optional(),
      approach: z.string().optional(),
      success_criteria: z.string().optional(),
      notes: z.string().optional(),
      append_notes: z.string().optional(),
    },
    output: { plan_id: z.string(), plan_path: z.string() },
    hints: { destructive: true },
    async handle({ plan_id, append_notes, success_criteria, ...sections }, { planner, caller }) {
      const result = await planner.queue.update(caller, {
        planId: plan_id,
        sections: sectionsGiven({ ...sections, successCriteria: success_criteria }),
        appendNotes: append_notes,
      });
      return {
        session: result.session,
        assumed: result.assumed,
        text: `Plan ${result.planId} is updated.\nFile: ${result.planPath}`,
        structured: { plan_id: result.planId, plan_path: result.planPath },
        message: fileRemark(result),
      };
    },
  }),
  defineTool({
    name: '9plan_plan_defer',
    title: 'Defer the active plan',
    description: 'Put the active plan back unfinished. front: blocked for now; back (default): split up or later.',
    toolset: 'queue',
    input: { reason: z.string(), position: end, plan_id: planId.optional(), ...inSession },
    output: { plan_id: z.string(), queue_position: z.number() },
    async handle(args, { planner, caller }) {
      const { session, assumed, planId, queuePosition, pulledByOther } = await planner.queue.defer(caller, {
        sessionName: args.session_name,
        planId: args.plan_id,
        reason: args.reason,
        position: args.position,
      });
      return {
        session,
        assumed,
        text: `Plan ${planId} is back in the queue at position ${queuePosition}; the reason stands in its notes.`,
        structured: { plan_id: planId, queue_position: queuePosition },
        message: joined(
          otherPulledRemark(pulledByOther),
          args.position === 'front'
            ? 'The next pull gives it again: before that, queue at the front what has to come first.'
            : undefined,
        ),
      };
    },
  }),
  defineTool({
    name: '9plan_plan_complete',
    title: 'Complete the active plan',
    description: 'Mark the active plan done. Its outcome is what later plans find by search.',
    toolset: 'queue',
    input: {
      outcome: z.string().describe('result, with the outputs made'),
      plan_id: planId.optional(),
      ...inSession,
    },
    output: finished,
    async handle(args, { planner, caller }) {
      const result = await planner.queue.complete(caller, {
        sessionName: args.session_name,
        planId: args.plan_id,
        outcome: args.outcome,
      });
      return { ...finishedAnswer('completed', result), message: otherPulledRemark(result.pulledByOther) };
    },
  }),
  defineTool({
    name: '9plan_plan_discard',
    title: 'Discard a plan',
    description: 'Abandon the active plan, or a queued one given by plan_id, that is obsolete or mistaken.',
    toolset: 'queue',
    input: { reason: z.string(), plan_id: planId.optional(), ...inSession },
    output: finished,
    hints: { destructive: true },
    async handle(args, { planner, caller }) {
      const result = await planner.queue.discard(caller, {
        sessionName: args.session_name,
        planId: args.plan_id,
        reason: args.reason,
      });
      const { released, fileLeft } = result;
      return {
        ...finishedAnswer('discarded', result),
        message: joined(
          otherPulledRemark(result.pulledByOther),
          released.length > 0
            ? `No longer waiting for it, and without what it would have made: ${headings(released)}.`
            : undefined,
          fileLeft && `${fileLeft} The file is left as it is.`,
        ),
      };
    },
  }),
];

function otherPulledRemark(client: string | null): string | undefined {
  if (client === null) return undefined;
  return `${quoted(client)} had pulled it: if that was another agent, it learns of this with its next call.`;
}

function toNewPlan({
  success_criteria,
  ...plan
}: { success_criteria: string; goal: string } & Partial<NewPlan>): NewPlan {
  return { ...plan, successCriteria: success_criteria };
}

function sectionsGiven(sections: Partial<PlanSections>): Partial<PlanSections> {
  return Object.fromEntries(Object.entries(sections).filter(([, text]) => text !== undefined));
}

function moveTarget({
  position,
  before,
  after,
}: {
  position?: 'front' | 'back';
  before?: string;
  after?: string;
}): MoveTarget {
  const targets: (MoveTarget | undefined)[] = [
    position && { position },
    before === undefined ? undefined : { before },
    after === undefined ? undefined : { after },
  ];
  const [target, ...more] = targets.filter((item) => item !== undefined);
  if (target !== undefined && more.length === 0) return target;
  throw new PlannerError(
    'VALIDATION_ERROR',
    'Exactly one of `position`, `before` and `after` must be given.',
    'Call 9plan_queue_move again with one of them.',
  );
}

function finishedAnswer(how: string, result: FinishedPlan): Answer<z.input<z.ZodObject<typeof finished>>> {
  const { session, assumed, planId, queueLength, completedCount, next } = result;
  return {
    session,
    assumed,
    text: `Plan ${planId} is ${how}. ${queueLength} queued, ${completedCount} completed.\n${nextLine(next, queueLength)}`,
    structured: {
      plan_id: planId,
      queue_length: queueLength,
      completed_count: completedCount,
      next: next && { id: next.id, goal: cut(next.goal, GOAL_SHOWN) },
    },
  };
}
