import * as vscode from 'vscode';
import type { Plan } from '../../planner/model';
import type { Planner } from '../../planner/planner';
import { planLabel } from '../views/planText';
import { type CommandParts, editor, planOf } from './command';

/** How what is noted here is taken back. It needs the planner's rules, so it is loaded only then. */
export const takingBack = () => import('../../planner/takingBack');

/** Plans behind another that tell its place: enough, though some of them leave the queue meanwhile. */
const NEAREST = 50;

/** The plans behind this one in the queue, the nearest first. They tell its place when it is put back. */
export async function plansBehind(planner: Planner, plan: Plan): Promise<string[]> {
  if (plan.status !== 'queued') return [];
  const queue = await planner.store.read((view) => view.queue(plan.sessionName));
  const place = queue.findIndex((other) => other.id === plan.id) + 1;
  return queue.slice(place, place + NEAREST).map(({ id }) => id);
}

/** `before` as it was in the queue, before those `behind`, until it was made the active one. */
export async function rememberStart(
  { lastChange }: CommandParts,
  planner: Planner,
  before: Plan,
  behind: string[],
): Promise<void> {
  const after = await planOf(planner, before.id);
  const label = vscode.l10n.t('Started “{0}”.', planLabel(before.goal));
  lastChange.remember(label, async () =>
    (await takingBack()).takeBack(planner.store, editor(), [{ before, behind, after }]),
  );
}
