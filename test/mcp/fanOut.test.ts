import assert from 'node:assert/strict';
import { type Agent, Bench, plan } from './support/agent';

/** As the skill teaches it. */
describe('several agents on one task', () => {
  const bench = new Bench();
  after(() => bench.clear());

  async function branch(parent: Agent, parentName: unknown, what: string) {
    const { session_name } = await parent.ok('9plan_session_create', { task_description: `${what} of ${parentName}` });
    const plans = [plan(`${what}: first`), plan(`${what}: last`)];
    const added = await parent.ok('9plan_queue_add_batch', { session_name, plans });
    return { name: String(session_name), last: (added.plans as { plan_id: string }[])[1]?.plan_id };
  }

  async function workOff(agent: Agent, child: string, parent: unknown): Promise<void> {
    await agent.ok('9plan_session_resume', { session_name: child });
    for (;;) {
      const pulled = await agent.ok('9plan_queue_pull');
      assert.equal(pulled.session_name, child);
      if (pulled.queue_empty) break;
      await agent.ok('9plan_plan_complete', { outcome: `${pulled.goal} is done` });
    }
    await agent.ok('9plan_queue_add', { session_name: parent, ...plan(`Branch done: ${child}`) });
  }

  it('work a session each, report to the parent, and the plan that brings them together waits for all', async () => {
    const parent = await bench.agent();
    const { session_name } = await parent.ok('9plan_session_create', { task_description: 'Build a house' });
    const branches = [await branch(parent, session_name, 'Roof'), await branch(parent, session_name, 'Cellar')];
    await parent.ok('9plan_session_resume', { session_name });
    const { plan_id } = await parent.ok('9plan_queue_add', plan('Move in'));
    await parent.ok('task_dep', { id: plan_id, add: branches.map(({ last }) => last) });
    const { plan_id: nothing, blocked } = await parent.ok('9plan_queue_pull');
    assert.equal(nothing, null);
    assert.deepEqual((blocked as { id: string }[])[0]?.id, plan_id);

    const children = await Promise.all(branches.map(() => bench.agent({ store: parent.store })));
    const work = Promise.all(children.map((agent, i) => workOff(agent, String(branches[i]?.name), session_name)));
    const pulled = [];
    while (pulled.length < 3) {
      const next = await parent.ok('9plan_queue_pull', { wait_seconds: 30 });
      assert.equal(next.session_name, session_name);
      pulled.push(String(next.goal));
      await parent.ok('9plan_plan_complete', { outcome: 'seen' });
    }
    await work;
    assert.deepEqual([...pulled].sort(), [...branches.map(({ name }) => `Branch done: ${name}`), 'Move in'].sort());
    const { matches } = await parent.ok('9plan_history_search', { query: 'cellar last', all_sessions: true });
    assert.equal((matches as { id: string }[])[0]?.id, branches[1]?.last);
  });
});
