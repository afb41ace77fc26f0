import assert from 'node:assert/strict';
import { type DependencyGraph, dependencyGraph } from '../../../src/planner/dependencyGraph';
import { PlannerOverMemory } from '../../support/plannerOverMemory';

describe('the graph of dependencies', () => {
  let on: PlannerOverMemory;
  beforeEach(async () => {
    on = await PlannerOverMemory.open();
  });

  const graph = () => on.store.read((view) => dependencyGraph(view, on.session));
  const finish = async () => {
    await on.planner.queue.pull(on.agent, {});
    await on.planner.queue.complete(on.agent, { outcome: 'Done.' });
  };
  const states = ({ plans }: DependencyGraph) => plans.map(({ goal, state }) => `${goal}: ${state}`);
  const arrows = ({ plans, edges }: DependencyGraph) => {
    const goal = (id: string) => plans.find((plan) => plan.id === id)?.goal;
    return edges.map(({ from, to, holds }) => `${goal(from)} ${holds ? '->' : '..'} ${goal(to)}`);
  };

  it('has the open plans as they will be worked off, and what they waited for', async () => {
    const [shop, cook, serve] = await on.add('Shop', 'Cook', 'Serve', 'Sleep');
    await on.link(cook as string, shop as string);
    await on.link(serve as string, cook as string, shop as string);
    await finish();
    await on.planner.queue.pull(on.agent, {});
    const found = await graph();
    assert.deepEqual(states(found), ['Cook: active', 'Serve: waiting', 'Sleep: ready', 'Shop: completed']);
    assert.deepEqual(arrows(found).sort(), ['Cook -> Serve', 'Shop .. Cook', 'Shop .. Serve']);
    assert.deepEqual(
      found.plans.map(({ queuePosition }) => queuePosition),
      [null, 1, 2, null],
    );
    assert.deepEqual(found.leftOut, { plans: 0, edges: 0 });
  });

  it('crosses sessions, any number of steps back and one ahead', async () => {
    const [mine] = await on.add('Mine');
    const own = on.session;
    await on.planner.sessions.create(on.agent, { taskDescription: 'Elsewhere' });
    const elsewhere = on.session;
    const [far, near, after, unrelated] = await on.add('Far', 'Near', 'After', 'Unrelated');
    on.agent.session = own;
    await on.link(near as string, far as string);
    await on.link(mine as string, near as string);
    await on.link(after as string, mine as string);
    const found = await graph();
    assert.deepEqual(states(found), ['Mine: waiting', 'Near: waiting', 'Far: ready', 'After: waiting']);
    assert.deepEqual(arrows(found).sort(), ['Far -> Near', 'Mine -> After', 'Near -> Mine']);
    assert.deepEqual(
      found.sessions.map(({ name }) => name),
      [own, elsewhere],
    );
    assert.ok(!found.plans.some(({ id }) => id === unrelated));
  });

  it('shows what was finished where nothing is open, in the order it was', async () => {
    await on.add('One', 'Two');
    await finish();
    await finish();
    assert.deepEqual(states(await graph()), ['One: completed', 'Two: completed']);
  });

  it('ends where nobody could read on, and counts the rest', async () => {
    const ids = await on.add(...Array.from({ length: 205 }, (_, i) => `Plan ${i}`));
    for (const [i, id] of ids.slice(0, 40).entries()) await on.link(id, ...ids.slice(0, i));
    const found = await graph();
    assert.equal(found.plans.length, 200);
    assert.equal(found.edges.length, 500);
    assert.deepEqual(found.leftOut, { plans: 5, edges: (40 * 39) / 2 - 500 });
  });

  it('says that a plan waits though what it waits for is not shown', async () => {
    const ids = await on.add(...Array.from({ length: 201 }, (_, i) => `Plan ${i}`));
    await on.link(ids[0] as string, ids[200] as string);
    const { plans, edges } = await graph();
    assert.equal(plans[0]?.state, 'waiting');
    assert.deepEqual(edges, []);
  });
});
