import { PlannerError } from '../../planner/errors';
import { requireNoActivePlan } from '../../planner/lifecycle';
import type { Plan } from '../../planner/model';
import { namedPlan, requireReady, requireStatus } from '../../planner/planChoice';
import type { Planner } from '../../planner/planner';
import type { View } from '../../planner/ports';
import { editor } from './command';

/** What a plan was before it was changed, with those behind it in the queue, and what the change made of it. */
export interface PlanChange {
  before: Plan;
  behind: string[];
  after: Plan;
}

/** Puts moved plans back before the ones they stood before. `before` is the whole queue as it was. */
export async function restoreOrder(planner: Planner, before: string[], moved: string[]): Promise<void> {
  await planner.store.read((view) => {
    for (const id of moved) requireStatus(view, namedPlan(view, id), ['queued'], 'moved');
  });
  const wasAt = (id: string) => before.indexOf(id);
  // From the back on, so that the plan to stand before is in its place already.
  for (const id of [...moved].sort((a, b) => wasAt(b) - wasAt(a))) {
    await putBefore(planner, id, before.slice(wasAt(id) + 1));
  }
}

/**
 * Takes back that plans were started, completed, discarded, deferred or released: they are again what they were. None is if
 * somebody went on with one of them meanwhile, or works on another plan where one was active: PlannerError.
 */
export async function restorePlans(planner: Planner, changes: readonly PlanChange[]): Promise<void> {
  await planner.store.read((view) => {
    for (const change of changes) requireUntouched(view, change);
  });
  for (const change of changes) await restorePlan(planner, change);
}

/** Takes back that a plan was deferred: it is active again, and its notes don't say otherwise. */
export async function restoreDeferred(planner: Planner, change: PlanChange): Promise<void> {
  const { before, after } = change;
  await restorePlans(planner, [change]);
  const now = await planner.store.read((view) => view.plan(before.id));
  // What others noted meanwhile stays, and the reason with it.
  if (now?.notes !== after.notes) return;
  await planner.queue.update(editor(), { planId: before.id, sections: { notes: before.notes } });
}

function requireUntouched(view: View, { before, after }: PlanChange): void {
  const now = namedPlan(view, after.id);
  const { goal, status } = now;
  const facts = ['status', 'pulledAt', 'completedAt', 'discardedAt'] as const;
  if (facts.some((fact) => now[fact] !== after[fact])) {
    throw new PlannerError('VALIDATION_ERROR', `Plan ${now.id} is ${status} by somebody else.`, 'Look at it first.', {
      matter: { kind: 'status', goal, status },
    });
  }
  if (before.status !== 'active') return;
  requireNoActivePlan(view, editor(), now.sessionName);
  requireReady(view, now);
}

async function restorePlan(planner: Planner, { before, behind, after }: PlanChange): Promise<void> {
  const planId = before.id;
  if (after.status === 'active') await planner.queue.release(editor(), { planId });
  else if (after.status !== 'queued') {
    await planner.queue.reopen(editor(), { planId, position: 'front', quietly: true });
  }
  if (before.status === 'active') await planner.queue.start(editor(), { planId });
  else await putBefore(planner, planId, behind);
}

/** Before the first of those `behind` that is still in the queue, else to its end. */
async function putBefore(planner: Planner, planId: string, behind: string[]): Promise<void> {
  const next = await planner.store.read((view) => behind.find((id) => view.plan(id)?.status === 'queued'));
  const to = next ? { before: next } : ({ position: 'back' } as const);
  await planner.queue.move(editor(), { planIds: [planId], to });
}
