import type { Transaction } from './ports';
import { addPlans, enteringPlan, type NewPlan } from './queueing';

/** Adds a plan at the end of the session's queue. Returns its id. */
export function appendPlan(tx: Transaction, session: string, plan: NewPlan, parent: string | null = null): string {
  const [added] = addPlans(tx, session, [enteringPlan(plan)], 'back', parent);
  return (added as { planId: string }).planId;
}
