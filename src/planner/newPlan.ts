import type { PlanSections } from './model';
import type { Transaction } from './ports';
import { addPlans } from './queueing';
import { EMPTY_SECTIONS } from './text';

/** Adds a plan, its texts as they enter the store, at the end of the session's queue. Returns its id. */
export function appendPlan(
  tx: Transaction,
  session: string,
  sections: Partial<PlanSections> & { goal: string },
  parent: string | null = null,
): string {
  const [added] = addPlans(tx, session, [{ ...EMPTY_SECTIONS, ...sections }], 'back', parent);
  return (added as NonNullable<typeof added>).planId;
}
