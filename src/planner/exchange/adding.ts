import type { Transaction } from '../ports';
import { addPlans, enteringPlan } from '../queueing';
import type { PlanOutline } from './outline';

/**
 * Queues plans at the back of a session, in their order and with what they wait for; those that were finished elsewhere
 * go into the history. Gives the new ids by key.
 */
export function addOutline(tx: Transaction, session: string, plans: readonly PlanOutline[]): Map<string, string> {
  const idOf = new Map<string, string>();
  const add = (chosen: readonly PlanOutline[]) => {
    const sections = chosen.map((plan) => enteringPlan(sectionsOf(plan), `${plan.key}: `));
    const added = addPlans(tx, session, sections, 'back');
    for (const [index, { key }] of chosen.entries()) idOf.set(key, added[index]?.planId as string);
  };
  // A finished plan leaves the queue while nothing stands behind it: moving the others up takes its time.
  for (const plan of plans) {
    if (!plan.end) continue;
    add([plan]);
    finish(tx, idOf.get(plan.key) as string, plan.end);
  }
  add(plans.filter(({ end }) => !end));
  for (const { key, parent, waitsFor, metadata } of plans) {
    const plan = idOf.get(key) as string;
    if (parent !== undefined) tx.emit({ type: 'plan_reparented', plan, parent: idOf.get(parent) ?? null });
    for (const blocker of waitsFor) tx.emit({ type: 'plan_linked', plan, waitsFor: idOf.get(blocker) as string });
    if (metadata) tx.emit({ type: 'plan_annotated', plan, metadata });
  }
  return idOf;
}

function finish(tx: Transaction, plan: string, { kind, text }: NonNullable<PlanOutline['end']>): void {
  if (kind === 'completed') tx.emit({ type: 'plan_completed', plan, outcome: text });
  else tx.emit({ type: 'plan_discarded', plan, reason: text });
}

function sectionsOf({ goal, context, inputs, outputs, approach, successCriteria, notes }: PlanOutline) {
  return { goal, context, inputs, outputs, approach, successCriteria, notes };
}
