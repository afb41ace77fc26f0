import assert from 'node:assert/strict';
import type { DomainEvent } from '../../src/planner/events';
import { type Agent, Bench, plan } from './support/agent';

const AGENTS = 4;
const PLANS = 40;

/** Two plans before the n-th, most of them in other sessions; the same at every run. */
function blockersOf(n: number): number[] {
  return n === 0 ? [] : [...new Set([(n * 7 + 3) % n, (n * 13 + 5) % n])];
}

describe('plans that wait for plans of other sessions', () => {
  const bench = new Bench();
  after(() => bench.clear());

  /** Works until the session's queue is empty; every pull waits for as long as others need. */
  async function workOff(agent: Agent): Promise<void> {
    for (let done = 0; done < PLANS / AGENTS; done++) {
      const pulled = await agent.ok('9plan_queue_pull', { wait_seconds: 50 });
      assert.ok(pulled.plan_id, `a pull came back with ${JSON.stringify(pulled.blocked)}`);
      await agent.ok('9plan_plan_complete', { outcome: 'Done.' });
    }
    assert.equal((await agent.ok('9plan_queue_pull')).queue_empty, true);
  }

  it(`are pulled by ${AGENTS} agents in an order that respects each of them`, async () => {
    const store = bench.store();
    const agents = await Promise.all(Array.from({ length: AGENTS }, () => bench.agent({ store })));
    const session = new Map<Agent, unknown>();
    for (const agent of agents) session.set(agent, (await agent.ok('9plan_session_create')).session_name);
    const ids: string[] = [];
    for (let n = 0; n < PLANS; n++) {
      const agent = agents[n % AGENTS] as Agent;
      // Those that come last stand in front: only what waits for what tells the order.
      const added = await agent.ok('9plan_queue_add', { ...plan(`Plan ${n}`), position: 'front' });
      ids.push(String(added.plan_id));
      const add = blockersOf(n).map((blocker) => ids[blocker]);
      if (add.length > 0) await agent.ok('task_dep', { id: added.plan_id, add });
    }
    const window = bench.window(store);
    const events: DomainEvent[] = [];
    await window.planner.store.read(() => undefined);
    window.planner.store.onDidChange((change) => events.push(...change.events));

    await Promise.all(agents.map(workOff));
    await window.planner.store.read(() => undefined);
    const finished = new Set<string>();
    for (const event of events) {
      if (event.type === 'plan_completed') finished.add(event.plan);
      if (event.type !== 'plan_pulled') continue;
      for (const blocker of blockersOf(ids.indexOf(event.plan))) {
        assert.ok(finished.has(ids[blocker] ?? ''), `plan ${ids.indexOf(event.plan)} came before plan ${blocker}`);
      }
    }
    assert.equal(finished.size, PLANS);
  });
});
