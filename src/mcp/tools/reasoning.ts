import * as z from 'zod';
import type { ReasonedPlan } from '../../planner/reasoning';
import { defineTool, inSession, type Tool } from '../tool';

export const reasoningTools: Tool[] = [
  defineTool({
    name: 'reasoning_plan',
    title: 'Break a goal into steps',
    description:
      'Order the steps of a goal (200 at most) by what they depend on and keep them, so that they outlive the conversation.',
    toolset: 'reasoning',
    input: {
      goal: z.string(),
      steps: z.array(
        // Open, because the planner knows aliases and names an unknown field together with its step.
        z.looseObject({
          title: z.string(),
          description: z.string().optional(),
          depends_on: z.array(z.number()).optional().describe('zero-based indexes of steps'),
          acceptance_criteria: z.string().optional(),
        }),
      ),
      ...inSession,
    },
    output: {
      session_name: z.string().nullable().describe('null if the steps are in no session'),
      goal: z.string(),
      steps: z.array(
        z.object({ id: z.string(), plan_id: z.string().nullable(), title: z.string(), after: z.array(z.string()) }),
      ),
      persisted: z.enum(['queue', 'task_backend', 'none']),
      warning: z.string().optional(),
    },
    async handle({ session_name, goal, steps }, { planner, caller, offers }) {
      const plan = await planner.reasoning.plan(caller, { sessionName: session_name, goal, steps });
      return {
        session: plan.session,
        assumed: plan.assumed,
        text: plan.warning === undefined ? plan.text : `${plan.text}\n\nWarning: ${plan.warning}`,
        structured: {
          session_name: plan.session,
          goal: plan.goal,
          steps: plan.steps.map(({ planId, ...step }) => ({ ...step, plan_id: planId })),
          persisted: plan.persisted,
          ...(plan.warning === undefined ? {} : { warning: plan.warning }),
        },
        message: whatNext(plan, ['9plan_queue_pull', 'task_update'].find(offers)),
      };
    },
  }),
];

function whatNext({ persisted, steps }: ReasonedPlan, pull: string | undefined): string {
  const count = steps.length === 1 ? '1 step is' : `${steps.length} steps are`;
  switch (persisted) {
    case 'queue':
      return `${count} queued in this order, each waiting for those it comes after.${pull ? ` Take the next with ${pull}.` : ''}`;
    case 'task_backend':
      return `${count} stored by the task backend; plan_id is its task id.`;
    case 'none':
      return 'The plan stands in this conversation alone: nothing was stored. Work through it in this order.';
  }
}
