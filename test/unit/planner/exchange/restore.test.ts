import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { newCaller } from '../../../../src/planner/caller';
import type { PlannerError } from '../../../../src/planner/errors';
import { Exchange } from '../../../../src/planner/exchange/exchange';
import { readExported } from '../../../../src/planner/exchange/exported';
import { UnreadableImport } from '../../../../src/planner/exchange/outline';
import { Planner } from '../../../../src/planner/planner';
import type { WorkspaceStore } from '../../../../src/store/workspaceStore';
import { StoreBench } from '../../../support/openStore';

const person = newCaller('editor');

describe('an export that is imported again', () => {
  let from: StoreBench;
  let into: StoreBench;
  beforeEach(() => {
    from = new StoreBench();
    into = new StoreBench();
  });
  afterEach(async () => {
    await from.end();
    await into.end();
  });

  it('gives the same store in an empty one, plan files too', async () => {
    const store = from.open();
    await fill(store);
    const exported = await new Exchange(store).exportJson(person, {});
    const copy = into.open();
    const text = JSON.stringify(exported);
    await new Exchange(copy).restore(person, { exported: readExported(JSON.parse(text)) });

    assert.equal(JSON.stringify(await new Exchange(copy).exportJson(person, {})), text);
    assert.deepEqual(await state(copy), await state(store));
  });

  it('is still the same after the store was closed and opened', async () => {
    const store = from.open();
    await fill(store);
    const exported = await new Exchange(store).exportJson(person, {});
    const copy = into.open();
    await new Exchange(copy).restore(person, { exported });
    await copy.close();
    assert.deepEqual(await state(into.open()), await state(store));
  });

  it('holds the hand edits of plan files', async () => {
    const store = from.open();
    const planner = new Planner(store);
    const agent = newCaller('agent');
    await planner.sessions.create(agent, {});
    const { plans } = await planner.queue.add(agent, { plans: [{ goal: 'Before' }] });
    writeFileSync(plans[0]?.planPath as string, '# Goal\nAfter\n');
    const exported = await new Exchange(store).exportJson(person, {});
    assert.equal(exported.sessions[0]?.plans[0]?.goal, 'After');
  });

  it('may hold hand edits of any length', async () => {
    const store = from.open();
    const planner = new Planner(store);
    const agent = newCaller('agent');
    await planner.sessions.create(agent, {});
    const { plans } = await planner.queue.add(agent, { plans: [{ goal: 'Read the log' }] });
    const notes = 'a line of a log\n'.repeat(70_000).trimEnd();
    writeFileSync(plans[0]?.planPath as string, `# Notes\n${notes}\n`);
    const exported = await new Exchange(store).exportJson(person, {});
    const copy = into.open();
    await new Exchange(copy).restore(person, { exported });
    const plan = await copy.read((view) => view.plan(plans[0]?.planId as string));
    assert.equal(plan?.notes, notes);
    await planner.queue.pull(agent, {});
    await assert.rejects(
      planner.queue.defer(agent, { reason: 'later' }),
      ({ message, suggestion }: PlannerError) => /^notes would have/.test(message) && /shorter ones/.test(suggestion),
    );
  });

  it('stands beside what is there, under other names where they are taken', async () => {
    const store = from.open();
    await fill(store);
    const exchange = new Exchange(store);
    const exported = await exchange.exportJson(person, {});
    const { sessions, plans } = await exchange.restore(person, { exported });
    assert.equal(plans, exported.sessions.flatMap((session) => session.plans).length);
    const names = exported.sessions.map(({ name }) => name);
    assert.deepEqual(
      sessions.filter((name) => names.includes(name)),
      [],
    );
    const both = await exchange.exportJson(person, {});
    assert.equal(both.selected_session, exported.selected_session);
    const copies = both.sessions.filter(({ name }) => sessions.includes(name));
    assert.deepEqual(shape(copies), shape(exported.sessions));
    assert.deepEqual(
      both.sessions.filter(({ name }) => names.includes(name)).map(withoutRanks),
      exported.sessions.map(withoutRanks),
    );
  });

  it('may be of one session', async () => {
    const store = from.open();
    const { first } = await fill(store);
    const exported = await new Exchange(store).exportJson(person, { sessionName: first });
    assert.deepEqual(
      exported.sessions.map(({ name }) => name),
      [first],
    );
    const copy = into.open();
    await new Exchange(copy).restore(person, { exported });
    const there = await new Exchange(copy).exportJson(person, {});
    assert.deepEqual(there.sessions.map(withoutRanks), exported.sessions.map(withoutRanks));
  });

  it('is refused as a whole if a part of it is wrong', async () => {
    const store = from.open();
    await fill(store);
    const exported = await new Exchange(store).exportJson(person, {});
    const broken = JSON.parse(JSON.stringify(exported));
    broken.sessions[0].plans[0].status = 'lost';
    assert.throws(() => readExported(broken), UnreadableImport);
    assert.throws(() => readExported({ ...exported, version: 2 }), /"newer"/);

    const goalless = structuredClone(exported);
    const plan = goalless.sessions[1]?.plans[0];
    assert.ok(plan);
    plan.goal = ' ';
    const copy = into.open();
    await assert.rejects(new Exchange(copy).restore(person, { exported: goalless }), /goal is empty/);
    assert.deepEqual((await new Exchange(copy).exportJson(person, {})).sessions, []);
  });
});

/** Something of everything that a store can hold. */
async function fill(store: WorkspaceStore): Promise<{ first: string }> {
  const planner = new Planner(store);
  const agent = newCaller('claude', 'one');
  const { session: first } = await planner.sessions.create(agent, { taskDescription: 'Move house\n\nBy May' });
  const goals = ['Pack', 'Carry', 'Unpack', 'Clean', 'Forget', 'Rest'];
  const { plans } = await planner.queue.add(agent, {
    plans: goals.map((goal) => ({
      goal,
      context: `# Goal\nfor ${goal}`,
      approach: '```\n# Notes\n```',
      notes: 'é 🎉',
    })),
  });
  const ids = plans.map(({ planId }) => planId);
  await planner.queue.pull(agent, {});
  await planner.queue.complete(agent, { outcome: 'Packed in boxes' });
  await planner.queue.discard(person, { planId: ids[4], reason: 'Not needed' });
  await planner.queue.pull(agent, {});
  await planner.queue.defer(agent, { reason: 'Rain', position: 'back' });
  await planner.queue.pull(agent, {});
  await planner.tasks.create(agent, {
    title: 'Shelves',
    body: 'Put up',
    parent: ids[3],
    dependsOn: [ids[5] as string],
  });
  await store.transact('agent', (tx) =>
    tx.emit({ type: 'plan_annotated', plan: ids[5] as string, metadata: { size: 3, tags: ['a'] } }),
  );

  const other = newCaller('codex');
  const { session: second } = await planner.sessions.create(other, {});
  await planner.queue.add(other, { plans: [{ goal: 'Elsewhere' }, { goal: 'Waits' }] });
  await planner.queue.pull(other, {});
  await planner.queue.complete(other, { outcome: 'Also done' });
  // The history of all sessions has them in turn.
  await planner.queue.complete(agent, { outcome: 'Unpacked' });
  await planner.queue.pull(agent, {});
  await store.transact('codex', (tx) => {
    const [queued] = tx.queue(second);
    tx.emit({ type: 'plan_linked', plan: queued?.id as string, waitsFor: ids[3] as string });
  });
  await planner.sessions.archive(person, { sessionName: second, archived: true });

  await planner.planMode.enter(agent, { reason: 'Risky', goal: 'Lift' });
  await planner.planMode.writeTodos(agent, { todos: [{ content: 'Look', status: 'in_progress', priority: 'high' }] });
  await planner.sessions.select(person, { sessionName: first });
  await proposals(planner, agent);
  return { first };
}

/** One that took two rounds, one that was given up, one that is open. */
async function proposals(planner: Planner, agent: ReturnType<typeof newCaller>): Promise<void> {
  const todos = [{ content: 'Lift it', status: 'pending' as const }];
  const { proposalId } = await planner.planMode.submit(agent, { plan: 'Lift the piano', todos });
  await planner.planMode.decide(person, {
    proposalId,
    round: 1,
    decision: 'changes_requested',
    decidedBy: 'editor',
    feedback: 'Careful',
    comments: [{ quote: 'piano', comment: 'The grand?', occurrence: 1 }],
  });
  await planner.planMode.submit(agent, { plan: 'Lift the upright', todos });
  await planner.planMode.decide(person, {
    proposalId,
    round: 2,
    decision: 'approved',
    decidedBy: 'editor',
    approvedPlan: 'Lift the upright, with help',
    queueTodos: [0],
  });
  await planner.planMode.enter(agent, { goal: 'First idea' });
  await planner.planMode.enter(agent, { goal: 'Second idea' });
}

/** All rows but those that say how often something was done. */
async function state(store: WorkspaceStore): Promise<unknown> {
  return store.read((view) => {
    const sessions = view.sessions({ archived: true });
    return {
      sessions,
      selected: view.selectedSession(),
      files: sessions.map(({ name }) => view.planFiles(name).map((plan) => [plan, view.workingCopy(name, plan)?.text])),
      queues: sessions.map(({ name }) => view.queue(name)),
      ready: sessions.map(({ name }) => view.firstReady(name)),
      completed: view.history(undefined, { status: 'completed', offset: 0, limit: 100 }),
      discarded: view.history(undefined, { status: 'discarded', offset: 0, limit: 100 }),
      found: view.searchHistory('boxes', { limit: 5 }),
      proposals: view.proposals({}),
      todos: sessions.map(({ name }) => view.todoLists(name)),
      problems: sessions.flatMap(({ name }) => view.inconsistencies(name)),
    };
  });
}

type Sessions = Awaited<ReturnType<Exchange['exportJson']>>['sessions'];

/** Without names and ids, but with how they relate. */
function shape(sessions: Sessions): unknown {
  const ids = sessions.flatMap((session) => [
    session.name,
    ...session.plans.map((plan) => plan.id),
    ...session.proposals.map((proposal) => proposal.id),
  ]);
  const text = JSON.stringify(sessions.map(withoutRanks));
  const waits = text.replace(/"waits_for":\[[^\]]*\]/g, (list) => `"waits_for":${list.split(',').length}`);
  return ids.reduce((all, id, index) => all.replaceAll(`"${id}"`, `"#${index}"`), waits);
}

function withoutRanks(session: Sessions[number]): Sessions[number] {
  return { ...session, plans: session.plans.map((plan) => ({ ...plan, finish_rank: null })) };
}
