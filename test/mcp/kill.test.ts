import assert from 'node:assert/strict';
import { Bench, plan } from './support/agent';
import { INITIALIZE, INITIALIZED, toolCall } from './support/serverProcess';

const KILLS = Number(process.env.MCP_KILLS ?? 20);

describe('a server that is killed at any moment', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it(`has kept what it acknowledged (${KILLS} kills)`, async function () {
    this.timeout(30_000 + KILLS * 5_000);
    const store = bench.store();
    const first = await bench.agent({ store });
    const session = String((await first.ok('9plan_session_create')).session_name);
    await first.close();
    const acknowledged = new Map<string, string>();
    for (let kill = 0; kill < KILLS; kill++) {
      for (const [id, goal] of await addUntilKilled(bench, store, session, kill)) acknowledged.set(id, goal);
    }
    assert.ok(acknowledged.size > KILLS, `only ${acknowledged.size} changes were acknowledged`);

    const survivor = await bench.agent({ store });
    const { queue } = (await survivor.ok('9plan_admin_state', { session_name: session })) as {
      queue: { id: string; goal: string; position: number }[];
    };
    const kept = new Map(queue.map(({ id, goal }) => [id, goal]));
    for (const [id, goal] of acknowledged) assert.equal(kept.get(id), goal);
    assert.deepEqual(
      queue.map(({ position }) => position),
      queue.map((_, n) => n + 1),
    );
    // What was on its way when the kill came may be there too, but whole and once.
    assert.equal(new Set(queue.map(({ goal }) => goal)).size, queue.length);
    const report = await survivor.ok('9plan_admin_validate', { session_name: session });
    assert.deepEqual(report.issues, []);
    await survivor.ok('9plan_queue_pull', { session_name: session });
  });
});

/** Adds plans in bursts until SIGKILL; answers those that were acknowledged before. */
async function addUntilKilled(
  bench: Bench,
  store: string,
  session: string,
  round: number,
): Promise<Map<string, string>> {
  const server = bench.server({ NINEPLAN_SESSIONS_PATH: store });
  const goals = new Map<number, string>();
  server.send(INITIALIZE, INITIALIZED);
  await server.answer(1);
  let dead = false;
  void server.exited.then(() => {
    dead = true;
  });
  let timer: NodeJS.Timeout | undefined;
  const killSoon = () => {
    timer ??= setTimeout(() => server.child.kill('SIGKILL'), Math.random() * 100);
  };
  // One kill in four comes while the server opens the store, the others in the midst of work.
  if (round % 4 === 0) killSoon();
  for (let id = 2; !dead; id++) {
    const goal = `round ${round} goal ${id}`;
    goals.set(id, goal);
    server.send(toolCall(id, '9plan_queue_add', plan(goal, { session_name: session })));
    await Promise.race([server.answer(id).then(killSoon), server.exited]);
  }
  clearTimeout(timer);
  const found = new Map<string, string>();
  for (const { id, result } of server.messages()) {
    const goal = goals.get(Number(id));
    if (goal === undefined) continue;
    const { structuredContent } = result as { structuredContent?: { plan_id: string } };
    assert.ok(structuredContent, JSON.stringify(result));
    found.set(structuredContent.plan_id, goal);
  }
  return found;
}
