import assert from 'node:assert/strict';
import { type Agent, Bench, plan } from './support/agent';
import { INITIALIZE, INITIALIZED, toolCall } from './support/serverProcess';

describe('a pull that waits', () => {
  const bench = new Bench();
  let agent: Agent;
  let session: string;
  beforeEach(async () => {
    agent = await bench.agent();
    session = String((await agent.ok('9plan_session_create')).session_name);
  });
  afterEach(() => bench.clear());

  it('returns a plan that another process adds meanwhile, at once', async () => {
    const other = await bench.agent({ store: agent.store });
    const pulled = agent.call('9plan_queue_pull', { wait_seconds: 30 });
    await agent.client.ping();
    const { plan_id } = await other.ok('9plan_queue_add', plan('late', { session_name: session }));
    const start = performance.now();
    assert.equal((await pulled).structured?.plan_id, plan_id);
    assert.ok(performance.now() - start < 5_000);
  });

  it('waits for what blocks the queue, which it names', async () => {
    const [first, second] = [
      await agent.ok('9plan_queue_add', plan('first')),
      await agent.ok('9plan_queue_add', plan('second')),
    ];
    const elsewhere = await bench.agent({ store: agent.store });
    await elsewhere.ok('9plan_session_create');
    const { plan_id: blocker } = await elsewhere.ok('9plan_queue_add', plan('blocker'));
    for (const { plan_id } of [first, second]) await agent.ok('task_dep', { id: plan_id, add: [blocker] });

    const blocked = await agent.call('9plan_queue_pull');
    assert.equal(blocked.isError, false);
    assert.deepEqual(blocked.structured?.blocked, [
      { id: first.plan_id, waiting_for: [blocker] },
      { id: second.plan_id, waiting_for: [blocker] },
    ]);
    assert.deepEqual([blocked.structured?.plan_id, blocked.structured?.queue_empty], [null, false]);
    assert.match(String(blocked.structured?.message), /wait_seconds/);

    const pulled = agent.call('9plan_queue_pull', { wait_seconds: 30 });
    await elsewhere.ok('9plan_queue_pull');
    await elsewhere.ok('9plan_plan_complete', { outcome: 'out of the way' });
    assert.equal((await pulled).structured?.goal, 'first');
  });

  it('returns empty-handed when the time is over', async () => {
    const start = performance.now();
    const { structured } = await agent.call('9plan_queue_pull', { wait_seconds: 1 });
    assert.ok(performance.now() - start >= 990);
    assert.equal(structured?.queue_empty, true);
  });

  it('keeps the other calls of its connection going', async () => {
    const pulled = agent.call('9plan_queue_pull', { wait_seconds: 30 });
    await agent.ok('9plan_queue_add', plan('own'));
    assert.equal((await pulled).structured?.goal, 'own');
  });

  it('takes no plan after it was cancelled', async () => {
    const cancel = new AbortController();
    const pulled = agent.call('9plan_queue_pull', { wait_seconds: 30 }, { signal: cancel.signal });
    await agent.client.ping();
    cancel.abort();
    await assert.rejects(pulled);
    await agent.ok('9plan_queue_add', plan('later'));
    const state = await agent.ok('9plan_admin_state');
    assert.equal(state.active_plan, null);
    assert.equal((await agent.ok('9plan_queue_pull')).goal, 'later');
  });

  it('takes no plan after it was cancelled, whatever its id', async () => {
    for (const id of [0, '', 'a']) {
      const store = bench.store();
      const server = bench.server({ NINEPLAN_SESSIONS_PATH: store });
      const pull = toolCall(id, '9plan_queue_pull', { wait_seconds: 30 });
      server.send(INITIALIZE, INITIALIZED, toolCall(3, '9plan_session_create'));
      await server.answer(3);
      server.send(pull, { jsonrpc: '2.0', id: 4, method: 'ping' });
      await server.answer(4);
      server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      server.send(toolCall(5, '9plan_queue_add', plan('later')));
      await server.answer(5);
      // A pull that still waits takes it now.
      await new Promise((resolve) => setTimeout(resolve, 100));
      server.send(toolCall(6, '9plan_queue_pull'));
      assert.match(JSON.stringify(await server.answer(6)), /"goal":"later"/, JSON.stringify(id));
      await server.end();
    }
  });

  it('tells a client that asked how long it has waited', async () => {
    const beats: { progress: number; total?: number }[] = [];
    await agent.call('9plan_queue_pull', { wait_seconds: 6 }, { onprogress: (beat) => beats.push(beat) });
    // One beat each five seconds; on a busy machine the call may end late enough for another.
    assert.ok(beats.length >= 1);
    assert.ok(beats.every(({ progress, total }) => progress >= 5 && total === 6));
  });
});
