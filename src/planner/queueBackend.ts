import type { Caller } from './caller';
import { appendPlan } from './newPlan';
import type { BackendAnswer, OrderedPlan, OrderedStep, PlanBackend } from './planBackend';
import type { PlanStore } from './ports';
import { sessionForWork, settle } from './sessionForWork';
import { excerpt } from './text';

/** Keeps the steps in the session's own queue: one plan a step, each waiting for those before it. */
export class QueueBackend implements PlanBackend {
  readonly kind = 'queue';

  constructor(private readonly store: PlanStore) {}

  async createPlan(caller: Caller, input: { sessionName?: string; plan: OrderedPlan }): Promise<BackendAnswer> {
    const { plan } = input;
    const stored = await this.store.transact(caller.client, (tx) => {
      const session = sessionForWork(tx, caller, input.sessionName, plan.goal);
      const planOf = new Map<string, string>();
      for (const step of plan.steps) {
        const id = appendPlan(tx, session.session, {
          context: stepContext(plan, step),
          goal: step.title,
          inputs: stepInputs(plan, step, planOf),
          approach: step.description,
          successCriteria: step.acceptanceCriteria,
        });
        planOf.set(step.id, id);
        for (const before of step.after) {
          tx.emit({ type: 'plan_linked', plan: id, waitsFor: planOf.get(before) as string });
        }
      }
      return { ...session, ids: [...planOf.values()] };
    });
    return settle(caller, stored);
  }
}

/** The whole goal stands before the first step; the others say what they are a part of. */
function stepContext({ goal, steps }: OrderedPlan, { id }: OrderedStep): string {
  const place = `This is step ${id} of ${steps.length}`;
  return id === 'q1' ? `Goal of the whole plan: ${goal}\n\n${place}.` : `${place} toward: ${excerpt(goal, 200)}`;
}

/** The order survives in words too: an agent may read a step alone, long after the plan was made. */
function stepInputs({ steps }: OrderedPlan, { after }: OrderedStep, planOf: ReadonlyMap<string, string>): string {
  if (after.length === 0) return '';
  const sources = steps
    .filter(({ id }) => after.includes(id))
    .map(({ id, title }) => `- result of ${id}, "${excerpt(title)}": plan ${planOf.get(id)}`);
  return [`after: ${after.join(', ')}`, ...sources].join('\n');
}
