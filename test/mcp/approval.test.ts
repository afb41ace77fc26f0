import assert from 'node:assert/strict';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { PlannerError } from '../../src/planner/errors';
import { Bench } from './support/agent';

const PLAN = '# Move\n\nOn Friday, for $15,000.';

describe('approval across processes', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  it('is given by a form', async () => {
    let shown = '';
    const agent = await bench.agent({
      answer: ({ message }): ElicitResult => {
        shown = message;
        return { action: 'accept', content: { decision: 'Approve the plan', feedback: 'Go.' } };
      },
    });
    await agent.ok('enter_plan_mode', { goal: 'Move' });
    const answer = await agent.ok('exit_plan_mode', { plan: PLAN });
    assert.equal(answer.status, 'approved');
    assert.equal(answer.decided_by, 'test-agent');
    assert.equal(answer.feedback, 'Go.');
    assert.ok(shown.includes(PLAN));
  });

  it('is given in an editor window, comments and changed text included, without a word in the chat', async () => {
    const store = bench.store();
    const window = bench.window(store);
    const agent = await bench.agent({ store });
    await agent.ok('9plan_session_create');
    const todos = [{ content: 'Order the van', status: 'pending' }];
    const call = agent.ok('exit_plan_mode', { plan: PLAN, todos });
    await window.decide({
      approvedPlan: 'On Saturday.',
      comments: [{ quote: 'Friday', comment: 'Nobody has time.', occurrence: 1 }],
      queueTodos: [0],
    });
    const answer = await call;
    assert.match(String(answer.message), /Comment 1 is about occurrence 2 of its quote/);
    assert.equal(answer.status, 'approved');
    assert.equal(answer.approved_plan, 'On Saturday.');
    assert.deepEqual(answer.comments, [{ quote: 'Friday', comment: 'Nobody has time.' }]);
    const pulled = await agent.ok('9plan_queue_pull');
    assert.deepEqual([pulled.plan_id], answer.queued_plans);
    assert.equal(pulled.goal, 'Order the van');
  });

  it('goes through rounds until the plan is right', async () => {
    const store = bench.store();
    const window = bench.window(store);
    const agent = await bench.agent({ store });
    await agent.ok('enter_plan_mode', {});
    const first = agent.ok('exit_plan_mode', { plan: PLAN });
    await window.decide({ decision: 'changes_requested', feedback: 'Cheaper.' });
    const asked = await first;
    assert.equal(asked.status, 'rejected');
    assert.equal(asked.decision, 'changes_requested');
    const second = agent.ok('exit_plan_mode', { plan: 'For $900.' });
    await window.decide({ decision: 'rejected' });
    const rejected = await second;
    assert.equal(rejected.proposal_id, asked.proposal_id);
    assert.equal(rejected.decision, 'rejected');
  });

  it('is the first of two decisions; the other window is told', async () => {
    const store = bench.store();
    const [one, two] = [bench.window(store), bench.window(store)];
    const agent = await bench.agent({ store });
    await agent.ok('enter_plan_mode', {});
    const call = agent.ok('exit_plan_mode', { plan: PLAN });
    const waiting = await one.waiting();
    const results = await Promise.allSettled([
      one.decide({ ...waiting, decision: 'approved' }),
      two.decide({ ...waiting, decision: 'rejected' }),
    ]);
    const [won] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const [lost] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.ok(lost instanceof PlannerError);
    assert.match(lost.message, /already settled/);
    assert.equal((await call).decision, won?.decision);
  });

  it('is found after the server was killed in the middle of the wait', async () => {
    const store = bench.store();
    const window = bench.window(store);
    const agent = await bench.agent({ store });
    const { session_name } = await agent.ok('enter_plan_mode', {});
    const call = agent.call('exit_plan_mode', { plan: PLAN });
    const waiting = await window.waiting();
    process.kill(agent.pid, 'SIGKILL');
    await assert.rejects(call);
    await window.decide({ ...waiting, decision: 'changes_requested', feedback: 'Cheaper.' });
    const again = await bench.agent({ store });
    const status = await again.ok('plan_mode_status');
    assert.equal(status.session_name, session_name);
    assert.equal(status.decision, 'changes_requested');
    assert.equal(status.feedback, 'Cheaper.');
    // It goes on where it was: the next plan is the next round.
    const next = again.ok('exit_plan_mode', { plan: 'For $900.' });
    await window.decide({ proposalId: waiting.proposalId, round: (await window.waiting()).round });
    assert.equal((await next).proposal_id, waiting.proposalId);
  });

  it('waits for a window although the plan is the first thing in the store', async () => {
    const store = bench.store();
    const window = bench.window(store);
    const agent = await bench.agent({ store });
    const call = agent.ok('exit_plan_mode', { plan: PLAN });
    await window.waiting();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await window.decide();
    assert.equal((await call).status, 'approved');
  });

  it("leaves another client's open proposal and list alone", async () => {
    const store = bench.store();
    const [claude, codex] = [
      await bench.agent({ store, client: 'claude-code' }),
      await bench.agent({ store, client: 'codex' }),
    ];
    const todos = [{ content: 'Order the van', status: 'pending' }];
    const { session_name } = await claude.ok('todo_write', { todos });
    const mine = await claude.ok('exit_plan_mode', { plan: PLAN });
    assert.equal(mine.status, 'submitted');
    const theirs = await codex.ok('enter_plan_mode', { session_name });
    assert.equal(theirs.superseded, null);
    await codex.ok('todo_write', { session_name, todos: [] });
    assert.equal((await claude.ok('plan_mode_status', {})).proposal_id, mine.proposal_id);
    assert.equal((await claude.ok('plan_mode_status', {})).status, 'submitted');
  });

  it('reads the name and id of the agent from the environment', async () => {
    const store = bench.store();
    const env = { PLAN_MODE_CLIENT: 'openclaw', PLAN_MODE_AGENT_ID: 'a7' };
    const agent = await bench.agent({ store, env });
    await agent.ok('exit_plan_mode', { plan: PLAN });
    const window = bench.window(store);
    const { proposalId } = await window.waiting();
    const proposal = await window.planner.store.read((view) => view.proposal(proposalId));
    assert.deepEqual([proposal?.client, proposal?.agent], ['openclaw', 'a7']);
  });
});
