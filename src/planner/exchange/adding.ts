import type { Transaction } from '../ports';
import { addPlans, enteringPlan } from '../queueing';
import type { PlanOutline } from './outline';

/**
 * Queues plans at the back of a session, in their order and with what they wait for; those that were finished elsewhere
 * go into the history. Gives the new ids by key.
 */
export function addOutline(tx: Transaction, session: string, plans: readonly PlanOutline[]): Map<string, string> {
  const added = addPlans(
    tx,
    session,
    plans.map((plan) => enteringPlan(sectionsOf(plan), `${plan.key}: `)),
    'back',
  );
  const idOf = new Map(plans.map(({ key }, index) => [key, added[index]?.planId as string]));
  for (const { key, parent, waitsFor, metadata } of plans) {
    const plan = idOf.get(key) as string;
    if (parent !== undefined) tx.emit({ type: 'plan_reparented', plan, parent: idOf.get(parent) ?? null });
    for (const blocker of waitsFor) tx.emit({ type: 'plan_linked', plan, waitsFor: idOf.get(blocker) as string });
    if (metadata) tx.emit({ type: 'plan_annotated', plan, metadata });
  }
  for (const { key, end } of plans) {
    const plan = idOf.get(key) as string;
    if (end?.kind === 'completed') tx.emit({ type: 'plan_completed', plan, outcome: end.text });
    if (end?.kind === 'discarded') tx.emit({ type: 'plan_discarded', plan, reason: end.text });
  }
  return idOf;
}

function sectionsOf({ goal, context, inputs, outputs, approach, successCriteria, notes }: PlanOutline) {
  return { goal, context, inputs, outputs, approach, successCriteria, notes };
}
