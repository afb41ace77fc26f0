import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type Agent, Bench, plan } from './support/agent';

const PROCESSES = 4;
const MUTATIONS = Number(process.env.MCP_MUTATIONS ?? 500);

interface Acknowledged {
  added: Set<string>;
  completed: Set<string>;
  discarded: Set<string>;
}

describe('many calls at once', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('to one server: each is answered, each plan is there, in a queue without gaps', async () => {
    const agent = await bench.agent();
    await agent.ok('9plan_session_create');
    const goals = Array.from({ length: 200 }, (_, n) => `goal ${n}`);
    const added = await Promise.all(goals.map((goal) => agent.ok('9plan_queue_add', plan(goal))));
    assert.equal(new Set(added.map(({ plan_id }) => plan_id)).size, 200);
    const { queue } = (await agent.ok('9plan_admin_state')) as { queue: { goal: string; position: number }[] };
    assert.deepEqual(
      queue.map(({ position }) => position),
      goals.map((_, n) => n + 1),
    );
    assert.deepEqual(queue.map(({ goal }) => goal).sort(), goals.sort());
    await assertClean(agent);
  });

  it(`from ${PROCESSES} processes with ${MUTATIONS} changes each: all that was acknowledged is there`, async function () {
    this.timeout(180_000);
    const store = bench.store();
    const first = await bench.agent({ store });
    const shared = String((await first.ok('9plan_session_create')).session_name);
    const agents = await Promise.all(
      Array.from({ length: PROCESSES - 1 }, (_, n) => bench.agent({ store, client: `agent-${n}` })),
    );
    const all = [first, ...agents];
    const results = await Promise.all(all.map((agent) => work(agent, shared)));

    const reader = await bench.agent({ store });
    for (const { own, acknowledged } of results) await assertThere(reader, own, acknowledged);
    const added = new Set(results.flatMap(({ shared: ids }) => ids));
    assert.equal(added.size, results.flatMap(({ shared: ids }) => ids).length, 'no id was given twice');
    const state = (await reader.ok('9plan_admin_state', { session_name: shared })) as { queue: { id: string }[] };
    assert.deepEqual(new Set(state.queue.map(({ id }) => id)), added);
    for (const session of [shared, ...results.map(({ own }) => own)]) await assertClean(reader, session);
    const names = readdirSync(store, { recursive: true }).map(String);
    assert.deepEqual(
      names.filter((name) => /\.(lock|tmp)$/i.test(name)),
      [],
    );
  });
});

/** A mix of every kind of change, in a session of its own, with one in five in the shared one. */
async function work(agent: Agent, shared: string) {
  const own = String((await agent.ok('9plan_session_create')).session_name);
  const acknowledged: Acknowledged = { added: new Set(), completed: new Set(), discarded: new Set() };
  const sharedIds: string[] = [];
  let changes = 1;
  const change = async (tool: string, args: Record<string, unknown>) => {
    changes++;
    return await agent.ok(tool, args);
  };
  for (let n = 0; changes < MUTATIONS; n++) {
    const id = String((await change('9plan_queue_add', plan(`goal ${n}`, { session_name: own }))).plan_id);
    acknowledged.added.add(id);
    const end = n % 2 ? 'front' : 'back';
    const there = await change('9plan_queue_add', plan(`shared ${n}`, { session_name: shared, position: end }));
    sharedIds.push(String(there.plan_id));
    if (n % 3 === 0) await change('9plan_plan_update', { plan_id: id, append_notes: `note ${n}` });
    if (n % 4 === 0) await change('9plan_queue_move', { plan_id: id, position: 'front' });
    const { plan_id } = await change('9plan_queue_pull', { session_name: own });
    if (n % 5 === 0) {
      await change('9plan_plan_defer', { reason: 'later', session_name: own });
    } else if (n % 7 === 0) {
      await change('9plan_plan_discard', { reason: 'not needed', session_name: own });
      acknowledged.discarded.add(String(plan_id));
    } else {
      await change('9plan_plan_complete', { outcome: `outcome ${n}`, session_name: own });
      acknowledged.completed.add(String(plan_id));
    }
  }
  return { own, acknowledged, shared: sharedIds };
}

async function assertThere(reader: Agent, session: string, { added, completed, discarded }: Acknowledged) {
  const state = (await reader.ok('9plan_admin_state', { session_name: session })) as {
    queue: { id: string }[];
    completed_count: number;
  };
  const open = [...added].filter((id) => !completed.has(id) && !discarded.has(id));
  assert.deepEqual(new Set(state.queue.map(({ id }) => id)), new Set(open));
  assert.equal(state.completed_count, completed.size);
  for (const id of completed) {
    const kept = await reader.ok('9plan_history_get', { plan_id: id });
    assert.match(String(kept.outcome), /^outcome \d+$/);
  }
}

async function assertClean(agent: Agent, session?: string): Promise<void> {
  const report = await agent.ok('9plan_admin_validate', session ? { session_name: session } : {});
  assert.deepEqual(report.issues, []);
  assert.equal(report.valid, true);
}
