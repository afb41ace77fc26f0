import * as vscode from 'vscode';
import type { Plan } from '../../planner/model';
import type { Planner } from '../../planner/planner';
import { planLabel } from '../views/planText';
import { type CommandParts, editor } from './command';

/** Puts moved plans back before the ones they stood before. `before` is the whole queue as it was. */
export async function restoreOrder(planner: Planner, before: string[], moved: string[]): Promise<void> {
  const wasAt = (id: string) => before.indexOf(id);
  // Some of those behind may have left the queue meanwhile.
  const stays = await planner.store.read((view) => {
    const session = view.plan(moved[0] ?? '')?.sessionName;
    return new Set(session ? view.queue(session).map(({ id }) => id) : []);
  });
  // From the back on, so that the plan to stand before is in its place already.
  for (const id of [...moved].sort((a, b) => wasAt(b) - wasAt(a))) {
    const next = before.slice(wasAt(id) + 1).find((behind) => stays.has(behind));
    await planner.queue.move(editor(), { planIds: [id], to: next ? { before: next } : { position: 'back' } });
  }
}

/** The plan behind this one in the queue, which tells its place when it is put back. */
export async function followerOf(planner: Planner, plan: Plan): Promise<string | undefined> {
  if (plan.status !== 'queued') return undefined;
  const queue = await planner.store.read((view) => view.queue(plan.sessionName));
  return queue[queue.findIndex((other) => other.id === plan.id) + 1]?.id;
}

/** `plan` as it was in the queue, before `follower`, until it was made the active one. */
export function rememberStart({ lastChange }: CommandParts, planner: Planner, plan: Plan, follower?: string): void {
  const label = vscode.l10n.t('Started “{0}”.', planLabel(plan.goal));
  lastChange.remember(label, () => restorePlan(planner, plan, follower));
}

/** Takes back that `plan` was started, completed or discarded: it is again what it was. */
export async function restorePlan(planner: Planner, plan: Plan, follower: string | undefined): Promise<void> {
  const now = await planner.store.read((view) => view.plan(plan.id));
  if (now?.status === 'completed' || now?.status === 'discarded') {
    await planner.queue.reopen(editor(), { planId: plan.id, position: 'front', quietly: true });
  }
  if (now?.status === 'active' && plan.status === 'queued') {
    await planner.queue.release(editor(), { planId: plan.id });
  }
  if (plan.status === 'active') {
    await planner.queue.move(editor(), { planIds: [plan.id], to: { position: 'front' } });
    const idle = await planner.store.read(
      (view) => !view.activePlan(plan.sessionName) && view.firstReady(plan.sessionName)?.id === plan.id,
    );
    // If somebody pulled another plan meanwhile, the front of the queue is the next best place.
    if (idle) await planner.queue.pull(editor(), { sessionName: plan.sessionName });
    return;
  }
  const isQueued = await planner.store.read((view) => follower && view.plan(follower)?.status === 'queued');
  if (follower && isQueued) await planner.queue.move(editor(), { planIds: [plan.id], to: { before: follower } });
  else await planner.queue.move(editor(), { planIds: [plan.id], to: { position: 'back' } });
}

/** Takes back that `before` was deferred: it is active again, and its notes don't say otherwise. */
export async function restoreDeferred(planner: Planner, before: Plan, deferred: Plan): Promise<void> {
  await restorePlan(planner, before, undefined);
  const now = await planner.store.read((view) => view.plan(before.id));
  // What others noted meanwhile stays, and the reason with it.
  if (now?.notes !== deferred.notes) return;
  await planner.queue.update(editor(), { planId: before.id, sections: { notes: before.notes } });
}
