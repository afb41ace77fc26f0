import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import type { Plan } from '../../../src/planner/model';
import { Planner } from '../../../src/planner/planner';
import type { View } from '../../../src/planner/ports';
import { WorkspaceStore } from '../../../src/store/workspaceStore';
import { silent } from '../../support/silentLog';
import type { Change } from './mixedWork';

/** What a store holds against what was done to it: each sentence is a loss. */
export async function account(folder: string, changes: Iterable<Change>): Promise<string[]> {
  const store = new WorkspaceStore({ folder, log: silent, snapshots: false });
  try {
    const plans = await store.read(allPlans);
    return [...lossesIn(plans, [...changes]), ...(await integrityOf(store))];
  } finally {
    await store.close();
  }
}

function lossesIn(plans: readonly Plan[], changes: readonly Change[]): string[] {
  const losses: string[] = [];
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  const goals = new Map<string, number>();
  for (const { goal } of plans) goals.set(goal, (goals.get(goal) ?? 0) + 1);
  const begun = new Set(changes.filter(({ what }) => what === 'goal').map(({ key }) => key));
  for (const [goal, times] of goals) {
    if (times > 1) losses.push(`${goal} is there ${times} times`);
    if (!begun.has(goal)) losses.push(`${goal} was never added`);
  }
  for (const change of changes) {
    const { key, what, plan: id, acknowledged } = change;
    if (what === 'move') continue;
    const plan = id === undefined ? undefined : byId.get(id);
    const times = plan ? timesIn(plan, what, key) : 0;
    if (acknowledged && times === 0) losses.push(`${what} ${key} of plan ${id} was acknowledged and is gone`);
    if (times > 1) losses.push(`${what} ${key} of plan ${id} is there ${times} times`);
  }
  return losses;
}

function timesIn(plan: Plan, what: Change['what'], key: string): number {
  if (what === 'goal') return plan.goal === key ? 1 : 0;
  if (what === 'outcome') return plan.status === 'completed' && plan.outcome === key ? 1 : 0;
  if (what === 'discard') return plan.status === 'discarded' && plan.discardReason === key ? 1 : 0;
  return plan.notes.split(key).length - 1;
}

function allPlans(view: View): Plan[] {
  const all = { offset: 0, limit: 1_000_000 };
  return view
    .sessions({ archived: true })
    .flatMap(({ name }) => [
      ...[view.activePlan(name)].filter((plan) => plan !== undefined),
      ...view.queue(name).map(({ id }) => view.plan(id) as Plan),
      ...view.history(name, { status: 'completed', ...all }),
      ...view.history(name, { status: 'discarded', ...all }),
    ]);
}

/** One active plan a session, positions from 1 without gaps, files that fit, and what else the tool looks at. */
async function integrityOf(store: WorkspaceStore): Promise<string[]> {
  const { integrity } = new Planner(store);
  const sessions = await store.read((view) => view.sessions({ archived: true }).map(({ name }) => name));
  const issues: string[] = [];
  for (const sessionName of sessions) {
    const report = await integrity.validate(newCaller('test'), { sessionName });
    issues.push(...report.issues);
    const positions = await store.read((view) => view.queue(sessionName).map(({ queuePosition }) => queuePosition));
    assert.deepEqual(
      positions,
      positions.map((_, n) => n + 1),
    );
  }
  return issues;
}
