import { join } from 'node:path';
import { type Caller, newCaller } from '../../../src/planner/caller';
import type { Exported } from '../../../src/planner/exchange/exported';
import { Planner } from '../../../src/planner/planner';
import type { View } from '../../../src/planner/ports';
import type { Disk } from '../../../src/store/disk';
import { WorkspaceStore } from '../../../src/store/workspaceStore';
import { silent } from '../../support/silentLog';

/** One process on a store, as it were, with short ways to do common things. Plans are named by their goals. */
export class House {
  readonly store: WorkspaceStore;
  readonly planner: Planner;
  readonly caller: Caller = newCaller('test');

  constructor(
    readonly folder: string,
    options: { snapshots?: boolean; disk?: Disk } = {},
  ) {
    this.store = new WorkspaceStore({ folder, log: silent, snapshots: false, ...options });
    this.planner = new Planner(this.store);
  }

  /** The one session there is. */
  async session(): Promise<string> {
    const [first] = await this.store.read((view) => view.sessions());
    if (!first) throw new Error('there is no session');
    return first.name;
  }

  async add(...goals: string[]): Promise<void> {
    const plans = goals.map((goal) => ({ goal, context: `Why ${goal}.`, approach: `How ${goal}.` }));
    await this.planner.queue.add(this.caller, { sessionName: await this.session(), plans });
  }

  async pull(): Promise<void> {
    await this.planner.queue.pull(this.caller, { sessionName: await this.session() });
  }

  async complete(outcome: string): Promise<void> {
    await this.planner.queue.complete(this.caller, { sessionName: await this.session(), outcome });
  }

  async defer(reason: string): Promise<void> {
    await this.planner.queue.defer(this.caller, { sessionName: await this.session(), reason });
  }

  async idOf(goal: string): Promise<string> {
    const queue = await this.planner.queue.list(this.caller, { sessionName: await this.session() });
    const found = queue.plans.find((plan) => plan.goal === goal);
    if (!found) throw new Error(`no plan ${goal} is queued`);
    return found.id;
  }

  async planFile(goal: string): Promise<string> {
    const [session, id] = [await this.session(), await this.idOf(goal)];
    return this.store.read((view) => view.planPath(session, id));
  }

  /** What is wrong, as the agents' integrity check tells it, with every session. */
  async issues(): Promise<string[]> {
    const sessions = await this.store.read((view) => view.sessions({ archived: true }));
    const reports = sessions.map(({ name }) => this.planner.integrity.validate(this.caller, { sessionName: name }));
    const found = (await Promise.all(reports)).flatMap(({ issues }) => issues);
    // Without a session nobody is told of the store by that tool: ask the store itself.
    return sessions.length > 0 ? [...new Set(found)] : this.store.problems();
  }

  /** As the editor's command repairs, for every session; what is left wrong then. */
  async repair(): Promise<{ backup: string; left: string[]; rescued: Exported[] }> {
    const { backup, problems, rescued } = await this.store.repair();
    for (const { name } of await this.store.read((view) => view.sessions({ archived: true }))) {
      await this.planner.integrity.setAsideUnreadable(this.caller, { sessionName: name });
    }
    return { backup, rescued, left: [...problems, ...(await this.issues())] };
  }

  dump(): Promise<string> {
    return this.store.read(dumpOf);
  }

  path(name: string): string {
    return join(this.folder, name);
  }
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** All that is known of sessions and plans, without what differs from run to run: names, ids and times. */
export function dumpOf(view: View): string {
  const sessions = view.sessions({ archived: true }).map(({ name, taskDescription }) => {
    const planOf = (id: string) => {
      const { goal, context, inputs, outputs, approach, successCriteria, notes, outcome, discardReason } =
        view.plan(id) ?? {};
      const waitsFor = view.blockersOf(id).map((blocker) => blocker.goal);
      const texts = { goal, context, inputs, outputs, approach, successCriteria, notes, outcome, discardReason };
      return { ...texts, waitsFor: waitsFor.sort() };
    };
    const finished = (status: 'completed' | 'discarded') =>
      view
        .history(name, { status, offset: 0, limit: 1000 })
        .map(({ id }) => planOf(id))
        .sort((a, b) => String(a.goal).localeCompare(String(b.goal)));
    const active = view.activePlan(name);
    return {
      taskDescription,
      active: active ? planOf(active.id) : null,
      queue: view.queue(name).map(({ id, queuePosition }) => ({ queuePosition, ...planOf(id) })),
      completed: finished('completed'),
      discarded: finished('discarded'),
      todos: view.todoLists(name).map(({ todos }) => todos),
      proposals: view.proposals({ session: name }).map(({ status, client, agent, goal: aim, rounds }) => ({
        ...{ status, client, agent, aim },
        rounds: rounds.map(({ plan, decision, feedback, comments }) => ({ plan, decision, feedback, comments })),
      })),
    };
  });
  const byTask = sessions.sort((a, b) => String(a.taskDescription).localeCompare(String(b.taskDescription)));
  return JSON.stringify(byTask).replaceAll(TIME, 'time');
}
