import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

describe('the history', () => {
  let house: PlannerOverMemory;
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
  });
  afterEach(() => house.store.close());

  const finish = async (goal: string, outcome: string): Promise<string> => {
    const [id] = (await house.add(goal)) as [string];
    await house.planner.queue.pull(house.agent, {});
    await house.planner.queue.complete(house.agent, { outcome });
    return id;
  };

  it('finds completed plans of the session, or of all', async () => {
    const { history, sessions } = house.planner;
    const shed = await finish('Paint the shed', 'Shed painted green');
    const first = house.session;
    await sessions.create(house.agent, {});
    const fence = await finish('Paint the fence', 'Fence painted green');
    const own = await history.search(house.agent, { query: 'green' });
    assert.deepEqual(own.matches, [
      {
        id: fence,
        goal: 'Paint the fence',
        outcome: 'Fence painted green',
        sessionName: house.session,
        relevanceRank: 1,
      },
    ]);
    const named = await history.search(house.agent, { query: 'green', sessionName: first });
    assert.deepEqual([named.session, named.matches[0]?.id], [first, shed]);
    const all = await history.search(house.agent, { query: 'green', allSessions: true });
    assert.deepEqual(all.matches.map(({ id }) => id).sort(), [fence, shed].sort());
    assert.deepEqual(
      all.matches.map(({ relevanceRank }) => relevanceRank),
      [1, 2],
    );
    const bounded = await history.search(house.agent, { query: 'green', allSessions: true, maxResults: 1 });
    assert.equal(bounded.matches.length, 1);
  });

  it('of all sessions can be searched without one of its own', async () => {
    await finish('Paint the shed', 'green');
    const found = await house.planner.history.search(newCaller('new'), { query: 'shed', allSessions: true });
    assert.deepEqual([found.session, found.assumed, found.matches.length], ['', false, 1]);
    await refusal('SESSION_NOT_FOUND', () => house.planner.history.search(newCaller('new'), { query: 'shed' }));
    await refusal('SESSION_NOT_FOUND', () =>
      house.planner.history.search(newCaller('new'), { query: 'shed', allSessions: true, sessionName: 'a-b-c' }),
    );
  });

  it('refuses an impossible number of results', async () => {
    for (const maxResults of [0, -1, 1.5, 101, Number.NaN]) {
      await refusal('VALIDATION_ERROR', () => house.planner.history.search(house.agent, { query: 'x', maxResults }));
    }
  });

  it('gives a plan of any session and status, an open one with the edits of its file', async () => {
    const { history, queue, sessions } = house.planner;
    const shed = await finish('Paint the shed', 'green');
    await sessions.create(house.agent, {});
    const plan = await history.get(house.agent, { planId: shed });
    assert.deepEqual([plan.goal, plan.outcome, plan.status], ['Paint the shed', 'green', 'completed']);
    const [queued] = (await house.add('later')) as [string];
    house.editFile(queued, (text) => text.replace('later', 'much later'));
    const edited = await history.get(house.agent, { planId: queued });
    assert.deepEqual([edited.status, edited.goal], ['queued', 'much later']);
    assert.equal((await house.plan(queued)).goal, 'later', 'reading changes nothing');
    house.editFile(queued, () => 'no plan');
    assert.equal((await history.get(house.agent, { planId: queued })).goal, 'later');
    await queue.discard(house.agent, { planId: queued, reason: 'r' });
    assert.equal((await history.get(house.agent, { planId: queued })).status, 'discarded');
    await refusal('PLAN_NOT_FOUND', () => history.get(house.agent, { planId: 'zzzzz' }));
    await refusal('VALIDATION_ERROR', () => history.get(house.agent, { planId: 'x'.repeat(10_000) }));
  });

  it('is listed newest first, in pages', async () => {
    for (const goal of ['a', 'b', 'c']) await finish(goal, 'ok');
    const page = async (offset: number, sessionName?: string): Promise<string> =>
      (await house.planner.history.list({ sessionName, status: 'completed', offset, limit: 2 }))
        .map(({ goal }) => goal)
        .join('');
    assert.deepEqual([await page(0), await page(2), await page(0, house.session)], ['cb', 'a', 'cb']);
    await refusal('SESSION_NOT_FOUND', () => page(0, 'a-b-c'));
  });
});
