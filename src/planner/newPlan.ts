import type { PlanSections } from './model';
import { newPlanId } from './names';
import type { Transaction } from './ports';

const EMPTY: PlanSections = {
  context: '',
  goal: '',
  inputs: '',
  outputs: '',
  approach: '',
  successCriteria: '',
  notes: '',
};

/** Adds a plan, its texts as they enter the store, at the end of the session's queue. Returns its id. */
export function appendPlan(
  tx: Transaction,
  session: string,
  sections: Partial<PlanSections> & { goal: string },
  parent: string | null = null,
): string {
  const plan = newPlanId((id) => tx.plan(id) !== undefined);
  const position = tx.queueLength(session) + 1;
  tx.emit({ type: 'plan_added', plan, session, position, sections: { ...EMPTY, ...sections }, parent });
  return plan;
}
