import type { Caller } from './caller';
import { PlannerError } from './errors';
import { pullPlan, releasePlan, reopenPlan, requireNoActivePlan } from './lifecycle';
import type { Plan } from './model';
import { namedPlan, requireReady, requireStatus } from './planChoice';
import type { PlanStore, Transaction } from './ports';
import { movePlans } from './queueing';

/*
 * Each in one transaction: an agent that waits for a plan must not be given one that is only on its way back.
 */

/** What a plan was before it was changed, with those behind it in the queue, and what the change made of it. */
export interface PlanChange {
  before: Plan;
  behind: readonly string[];
  after: Plan;
}

/**
 * Takes back that plans were started, completed, discarded or released: they are again what they were. None is if somebody
 * went on with one of them meanwhile, or works on another plan where one was active: PlannerError.
 */
export function takeBack(store: PlanStore, caller: Caller, changes: readonly PlanChange[]): Promise<void> {
  return store.transact(caller.client, (tx) => {
    for (const change of changes) requireUntouched(tx, caller, change);
    for (const change of changes) restore(tx, caller, change);
  });
}

/** The same for a plan that was deferred: nor do its notes say so any more. */
export function takeBackDeferral(store: PlanStore, caller: Caller, change: PlanChange): Promise<void> {
  const { before, after } = change;
  return store.transact(caller.client, (tx) => {
    requireUntouched(tx, caller, change);
    restore(tx, caller, change);
    // What others noted meanwhile stays, and the reason with it.
    if (namedPlan(tx, before.id).notes !== after.notes) return;
    tx.emit({ type: 'plan_edited', plan: before.id, sections: { notes: before.notes }, source: 'command' });
  });
}

/**
 * Puts moved plans back before those they stood before; VALIDATION_ERROR if one isn't in the queue any more. `before` is
 * the whole queue as it was.
 */
export function takeBackMove(store: PlanStore, caller: Caller, before: string[], moved: string[]): Promise<void> {
  const wasAt = (id: string) => before.indexOf(id);
  // From the back on, so that the plan to stand before is in its place already.
  const backToFront = [...moved].sort((a, b) => wasAt(b) - wasAt(a));
  return store.transact(caller.client, (tx) => {
    for (const id of backToFront) {
      const plan = namedPlan(tx, id);
      requireStatus(tx, plan, ['queued'], 'moved');
      putBefore(tx, plan, before.slice(wasAt(id) + 1));
    }
  });
}

function requireUntouched(tx: Transaction, caller: Caller, { before, after }: PlanChange): void {
  const now = namedPlan(tx, after.id);
  const { goal, status } = now;
  const facts = ['status', 'pulledAt', 'completedAt', 'discardedAt'] as const;
  if (facts.some((fact) => now[fact] !== after[fact])) {
    throw new PlannerError('VALIDATION_ERROR', `Plan ${now.id} is ${status} by somebody else.`, 'Look at it first.', {
      matter: { kind: 'status', goal, status },
    });
  }
  if (before.status !== 'active') return;
  requireNoActivePlan(tx, caller, now.sessionName);
  requireReady(tx, now);
}

function restore(tx: Transaction, caller: Caller, { before, behind, after }: PlanChange): void {
  const plan = () => namedPlan(tx, before.id);
  if (after.status === 'active') releasePlan(tx, plan());
  else if (after.status !== 'queued') reopenPlan(tx, plan(), 'front', true);
  if (before.status === 'active') pullPlan(tx, plan(), caller);
  else putBefore(tx, plan(), behind);
}

/** Before the first of those `behind` that is still in the queue, else to its end. */
function putBefore(tx: Transaction, plan: Plan, behind: readonly string[]): void {
  const next = behind.find((id) => tx.plan(id)?.status === 'queued');
  movePlans(tx, [plan], next ? { before: next } : { position: 'back' });
}
