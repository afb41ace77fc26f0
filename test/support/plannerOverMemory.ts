import type { Caller } from '../../src/planner/caller';
import { newCaller } from '../../src/planner/caller';
import { Planner } from '../../src/planner/planner';
import { MemoryStore } from './memoryStore';

/** A planner over a fresh store, one agent in a session of its own, and short ways to do common things. */
export class PlannerOverMemory {
  readonly planner: Planner;

  private constructor(
    readonly store: MemoryStore,
    readonly agent: Caller,
  ) {
    this.planner = new Planner(store);
  }

  static async open(): Promise<PlannerOverMemory> {
    const opened = new PlannerOverMemory(await MemoryStore.open(), newCaller('agent'));
    await opened.planner.sessions.create(opened.agent, { taskDescription: 'Move house' });
    return opened;
  }

  get session(): string {
    if (this.agent.session === undefined) throw new Error('the agent has no session');
    return this.agent.session;
  }

  /** Adds plans with these goals at the back; gives their ids. */
  async add(...goals: string[]): Promise<string[]> {
    const { plans } = await this.planner.queue.add(this.agent, { plans: goals.map((goal) => ({ goal })) });
    return plans.map(({ planId }) => planId);
  }

  async link(plan: string, ...waitsFor: string[]): Promise<void> {
    await this.store.transact('agent', (tx) => {
      for (const blocker of waitsFor) tx.emit({ type: 'plan_linked', plan, waitsFor: blocker });
    });
  }

  /** Goals of the queue, front to back. */
  async goals(): Promise<string[]> {
    const { plans } = await this.planner.queue.list(this.agent, {});
    plans.forEach((plan, index) => {
      if (plan.queuePosition !== index + 1) throw new Error('positions have gaps');
    });
    return plans.map(({ goal }) => goal);
  }

  plan(id: string) {
    return this.store.read((view) => {
      const plan = view.plan(id);
      if (plan === undefined) throw new Error(`no plan ${id}`);
      return plan;
    });
  }

  /** Edits the plan's file as a person would: with a text editor, some time later. */
  editFile(id: string, change: (text: string) => string): void {
    const text = this.store.fileText(this.session, id);
    if (text === undefined) throw new Error(`plan ${id} has no file`);
    this.store.editFile(this.session, id, change(text));
  }
}
