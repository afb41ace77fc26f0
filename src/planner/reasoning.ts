import type { Caller } from './caller';
import { PlannerError } from './errors';
import type { BackendKind, OrderedPlan, PlanBackend } from './planBackend';
import { orderSteps, type RawStep } from './steps';

export interface ReasonedPlan {
  /** Null if the steps are in no session of this store. */
  session: string | null;
  assumed: boolean;
  goal: string;
  /** In topological order. `planId` is the backend's id; null if nothing was stored. */
  steps: { id: string; planId: string | null; title: string; after: string[] }[];
  persisted: BackendKind | 'none';
  /** Why the steps are not where they should be. */
  warning: string | undefined;
  /** The plan for reading. */
  text: string;
}

/** Breaks a goal into ordered steps and keeps them in the first backend that takes plans (`reasoning_plan`). */
export class Reasoning {
  /** `backends` in the order of their priority. */
  constructor(private readonly backends: readonly PlanBackend[]) {}

  /** VALIDATION_ERROR for steps that make no plan. A backend that fails costs persistence, never the plan. */
  async plan(
    caller: Caller,
    input: { sessionName?: string; goal: string; steps: readonly RawStep[] },
  ): Promise<ReasonedPlan> {
    const plan = orderSteps(input.goal, input.steps);
    const warnings: string[] = [];
    for (const backend of this.backends) {
      try {
        const answer = await backend.createPlan(caller, { sessionName: input.sessionName, plan });
        if ('ids' in answer) return reasonedPlan(plan, backend.kind, warnings, answer);
        warnings.push(answer.unavailable);
      } catch (error) {
        if (error instanceof PlannerError && !isOutage(error)) throw error;
        warnings.push(`The steps could not be stored: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
    }
    return reasonedPlan(plan, 'none', warnings, { ids: [], session: caller.session ?? null, assumed: false });
  }
}

/** The store is out of order, as opposed to a call that asks for the impossible. */
function isOutage(error: PlannerError): boolean {
  return error.category === 'FILE_SYSTEM_ERROR' || error.category === 'DATABASE_ERROR';
}

function reasonedPlan(
  plan: OrderedPlan,
  persisted: ReasonedPlan['persisted'],
  warnings: readonly string[],
  stored: { ids: string[]; session: string | null; assumed: boolean },
): ReasonedPlan {
  return {
    session: stored.session,
    assumed: stored.assumed,
    goal: plan.goal,
    steps: plan.steps.map(({ id, title, after }, index) => ({ id, planId: stored.ids[index] ?? null, title, after })),
    persisted,
    warning: warnings.length > 0 ? warnings.join(' ') : undefined,
    text: formatSteps(plan, stored.ids),
  };
}

/** The plan as a numbered list; `ids` (may be empty) are shown beside the steps. */
export function formatSteps(plan: OrderedPlan, ids: readonly string[]): string {
  const steps = plan.steps.map((step, index) => {
    const facts = [ids[index], step.after.length > 0 ? `after: ${step.after.join(', ')}` : undefined].filter(Boolean);
    const heading = `${step.id}. ${step.title}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`;
    const done = step.acceptanceCriteria === '' ? '' : `Done when: ${step.acceptanceCriteria}`;
    return [heading, ...[step.description, done].filter((text) => text !== '').map(indented)].join('\n');
  });
  return `Plan: ${plan.goal}\n\n${steps.join('\n')}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
