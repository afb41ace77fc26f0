import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import type { Todo } from '../../../src/planner/model';
import type { Verdict } from '../../../src/planner/proposals';
import { queuedAmong } from '../../../src/planner/queuedTodos';
import { PLAN_MODE_STANDARDS } from '../../../src/planner/standards';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

const TODOS: Todo[] = [
  { content: 'Pack the books', status: 'completed' },
  { content: 'Order the van', status: 'in_progress', priority: 'high' },
  { content: 'Clean the flat', status: 'pending' },
];

describe('plan mode', () => {
  let over: PlannerOverMemory;
  const editor = newCaller('editor');
  const submit = (plan = 'Move on Friday.', todos?: Todo[]) =>
    over.planner.planMode.submit(over.agent, { plan, todos });
  const decide = (
    { proposalId, round }: Pick<Verdict, 'proposalId' | 'round'>,
    ruling: Partial<Parameters<typeof over.planner.planMode.decide>[1]> = {},
  ) =>
    over.planner.planMode.decide(editor, {
      proposalId,
      round,
      decision: 'approved',
      decidedBy: 'editor',
      ...ruling,
    });
  const unchanged = async (category: Parameters<typeof refusal>[0], call: () => unknown) => {
    const before = over.store.image();
    const error = await refusal(category, call);
    assert.deepEqual(over.store.image(), before);
    return error;
  };

  beforeEach(async () => {
    over = await PlannerOverMemory.open();
  });
  afterEach(() => over.store.close());

  it('opens a proposal, hands in a plan and hears the decision', async () => {
    const entered = await over.planner.planMode.enter(over.agent, { goal: 'Move house', reason: 'many steps' });
    assert.equal(entered.status, 'planning');
    assert.equal(entered.superseded, null);
    const submitted = await submit();
    assert.equal(submitted.proposalId, entered.proposalId);
    assert.equal(submitted.status, 'submitted');
    assert.equal(submitted.decision, null);
    await decide(submitted, {
      feedback: 'Fine, but mind the piano.',
      comments: [
        { quote: 'Friday', comment: 'Not before noon.' },
        { quote: 'Move', comment: ' ' },
      ],
    });
    const { verdict } = await over.planner.planMode.status(over.agent, {});
    assert.equal(verdict?.status, 'approved');
    assert.equal(verdict?.decision, 'approved');
    assert.equal(verdict?.decidedBy, 'editor');
    assert.equal(verdict?.feedback, 'Fine, but mind the piano.');
    assert.deepEqual(verdict?.comments, [{ quote: 'Friday', comment: 'Not before noon.' }]);
    assert.equal(verdict?.approvedPlan, null);
  });

  it('opens a proposal for a plan handed in without entering', async () => {
    const submitted = await submit();
    assert.equal(submitted.status, 'submitted');
    assert.equal(submitted.round, 1);
  });

  it('makes a session for an agent that has none, named after its goal', async () => {
    const fresh = newCaller('fresh');
    const other = await PlannerOverMemory.open();
    try {
      await other.planner.sessions.delete(editor, { sessionName: other.session });
      const entered = await other.planner.planMode.enter(fresh, { goal: 'Paint the hall' });
      assert.equal(fresh.session, entered.session);
      assert.equal(entered.assumed, false);
      const sessions = await other.planner.sessions.list({});
      assert.deepEqual(
        sessions.map(({ name, taskDescription }) => [name, taskDescription]),
        [[entered.session, 'Paint the hall']],
      );
      await other.planner.planMode.writeTodos(fresh, { todos: TODOS });
      assert.equal((await other.planner.sessions.list({})).length, 1);
    } finally {
      other.store.close();
    }
  });

  it("supersedes only one's own open proposal", async () => {
    const mine = await submit();
    const others = [newCaller('other-client'), newCaller('agent', 'second')];
    for (const other of others) {
      const entered = await over.planner.planMode.enter(other, { sessionName: over.session });
      assert.equal(entered.superseded, null);
    }
    assert.equal((await over.planner.planMode.verdict(mine.proposalId)).status, 'submitted');
    const entered = await over.planner.planMode.enter(over.agent, {});
    assert.equal(entered.superseded, mine.proposalId);
    assert.equal((await over.planner.planMode.verdict(mine.proposalId)).status, 'superseded');
    await unchanged('VALIDATION_ERROR', () => decide(mine));
  });

  it('takes the plan after requested changes as the next round of the same proposal', async () => {
    const first = await submit('Move on Friday.');
    const verdict = await decide(first, { decision: 'changes_requested', feedback: 'Saturday.' });
    assert.equal(verdict.status, 'rejected');
    const second = await submit('Move on Saturday.');
    assert.equal(second.proposalId, first.proposalId);
    assert.equal(second.round, 2);
    assert.equal(second.feedback, null);
    const error = await unchanged('VALIDATION_ERROR', () => decide(first));
    assert.match(error.message, /Round 1 .* already settled at .*: changes were requested in the editor/);
    assert.equal((await decide(second)).status, 'approved');
  });

  it('opens a new proposal after a rejection', async () => {
    const first = await submit();
    await decide(first, { decision: 'rejected' });
    const second = await submit('Something else.');
    assert.notEqual(second.proposalId, first.proposalId);
    assert.equal((await over.planner.planMode.verdict(first.proposalId)).status, 'rejected');
  });

  it('asks again for the same plan without a new round, and supersedes it by a different one', async () => {
    const first = await submit('Move on Friday.\r\n', TODOS);
    const again = await submit('\nMove on Friday.', TODOS);
    assert.deepEqual(again, first);
    const other = await submit('Move on Sunday.', TODOS);
    assert.notEqual(other.proposalId, first.proposalId);
    assert.equal((await over.planner.planMode.verdict(first.proposalId)).status, 'superseded');
  });

  it('lets the first decision stand and tells the second who decided', async () => {
    const submitted = await submit();
    await decide(submitted, { decision: 'rejected', decidedBy: 'claude-code' });
    const error = await unchanged('VALIDATION_ERROR', () => decide(submitted));
    assert.match(error.message, /already settled at .*: it was rejected in claude-code.s form/);
  });

  it('refuses to decide a plan that was not handed in, or that does not exist', async () => {
    const { proposalId } = await over.planner.planMode.enter(over.agent, {});
    await unchanged('VALIDATION_ERROR', () => decide({ proposalId, round: 0 }));
    await unchanged('PLAN_NOT_FOUND', () => decide({ proposalId: '../../x', round: 1 }));
  });

  it('refuses to decide a round that is not the one that waits', async () => {
    const submitted = await submit();
    await unchanged('VALIDATION_ERROR', () => decide({ ...submitted, round: 2 }));
    assert.equal((await over.planner.planMode.verdict(submitted.proposalId)).status, 'submitted');
  });

  it('hands back the text as the person changed it, but only on approval', async () => {
    const first = await submit();
    const changed = await decide(first, { decision: 'changes_requested', approvedPlan: 'Move on Monday.' });
    assert.equal(changed.approvedPlan, null);
    const second = await submit('Move on Tuesday.');
    const approved = await decide(second, { approvedPlan: 'Move on Monday.\n' });
    assert.equal(approved.approvedPlan, 'Move on Monday.');
    assert.equal(approved.approvedDiff, '@@ -1,1 +1,1 @@\n-Move on Tuesday.\n+Move on Monday.');
    const third = await submit('Unpack.');
    assert.equal((await decide(third, { approvedPlan: 'Unpack.\n' })).approvedPlan, null);
  });

  it('makes plans of the chosen to-dos, in order, in the same transaction', async () => {
    const [existing] = await over.add('Find a flat');
    const submitted = await submit('# The move\n\nFirst the van.', TODOS);
    const changes = over.store.changes.length;
    const verdict = await decide(submitted, { queueTodos: [2, 1] });
    assert.equal(over.store.changes.length, changes + 1);
    assert.equal(verdict.queuedPlans.length, 2);
    assert.deepEqual(await over.goals(), ['Clean the flat', 'Order the van', 'Find a flat']);
    assert.notEqual(verdict.queuedPlans[0], existing);
    const first = await over.plan(verdict.queuedPlans[0] as string);
    assert.ok(first.context.endsWith('# The move\n\nFirst the van.'));
    const second = await over.plan(verdict.queuedPlans[1] as string);
    assert.ok(second.context.includes(first.id));
  });

  it('offers nothing again that is done or queued, until its plan is discarded', async () => {
    const waiting = (id: string) =>
      over.store.read((view) => {
        const todos = view.proposal(id)?.rounds.at(-1)?.todos ?? [];
        return { contents: todos.map(({ content }) => content), queued: queuedAmong(view, over.session, todos) };
      });
    const first = await submit('Move.', TODOS);
    assert.deepEqual((await waiting(first.proposalId)).queued, []);
    const { queuedPlans } = await decide(first, { queueTodos: [2] });
    const second = await submit('Unpack.');
    assert.deepEqual(await waiting(second.proposalId), { contents: ['Order the van'], queued: [] });
    await decide(second);
    const third = await submit('Again.', TODOS);
    assert.deepEqual((await waiting(third.proposalId)).queued, [2]);
    await over.planner.queue.discard(over.agent, { planId: queuedPlans[0] as string, reason: 'No.' });
    assert.deepEqual((await waiting(third.proposalId)).queued, []);
    await decide(third);
    const fourth = await submit('Once more.');
    assert.deepEqual((await waiting(fourth.proposalId)).contents, ['Order the van', 'Clean the flat']);
  });

  it('queues again what the person chose again', async () => {
    await decide(await submit('Move.', TODOS), { queueTodos: [1] });
    await decide(await submit('Unpack.', TODOS), { queueTodos: [1] });
    assert.deepEqual(await over.goals(), ['Order the van', 'Order the van']);
  });

  const wrongChoices: [string, number[], 'approved' | 'rejected'][] = [
    ['one that is not in the list', [3], 'approved'],
    ['one twice', [0, 0], 'approved'],
    ['any with a rejection', [0], 'rejected'],
  ];
  for (const [name, queueTodos, decision] of wrongChoices) {
    it(`refuses to queue to-dos: ${name}`, async () => {
      const submitted = await submit('Move.', TODOS);
      await unchanged('VALIDATION_ERROR', () => decide(submitted, { queueTodos, decision }));
      assert.equal((await over.planner.planMode.verdict(submitted.proposalId)).status, 'submitted');
    });
  }

  it('submits what is left of the current to-do list when none is given, and replaces it when one is', async () => {
    const { planMode } = over.planner;
    const rounds = () =>
      over.store.read((view) => view.proposals({ session: over.session }).map(({ rounds }) => rounds));
    await planMode.writeTodos(over.agent, { todos: TODOS });
    const first = await submit('Move.');
    assert.deepEqual((await rounds())[0]?.[0]?.todos, TODOS.slice(1));
    await decide(first);
    await submit('Unpack.', TODOS.slice(0, 1));
    const owner = { session: over.session, client: 'agent', agent: '' };
    assert.deepEqual(await over.store.read((view) => view.todos(owner)), TODOS.slice(0, 1));
  });

  it('knows of no proposal before there is one', async () => {
    const { session, verdict } = await over.planner.planMode.status(over.agent, {});
    assert.equal(session, over.session);
    assert.equal(verdict, undefined);
  });

  it('is found by a new connection of the same agent, which has no session yet, and by no other', async () => {
    const submitted = await submit();
    await decide(submitted);
    const restarted = newCaller('agent');
    const again = await over.planner.planMode.status(restarted, {});
    assert.equal(restarted.session, over.session);
    assert.equal(again.verdict?.proposalId, submitted.proposalId);
    assert.equal(again.session, over.session);
    assert.equal(again.assumed, true);
    await refusal('SESSION_NOT_FOUND', () => over.planner.planMode.status(newCaller('agent', 'second'), {}));
    // Another session with open work is the current one now, but the proposal is still the agent's latest.
    const other = newCaller('other');
    await over.planner.sessions.create(other, {});
    await over.planner.queue.add(other, { plans: [{ goal: 'Paint' }] });
    assert.equal((await over.planner.planMode.status(newCaller('agent'), {})).session, over.session);
    assert.equal((await over.planner.planMode.status(other, {})).verdict, undefined);
  });

  it('goes on with the open proposal of an agent whose server was restarted, wherever it is', async () => {
    const { planMode, sessions, queue } = over.planner;
    const entered = await planMode.enter(over.agent, { goal: 'Move' });
    const other = newCaller('other');
    const { session } = await sessions.create(other, {});
    await queue.add(other, { plans: [{ goal: 'Paint' }] });
    const restarted = newCaller('agent');
    const submitted = await planMode.submit(restarted, { plan: 'Move out.' });
    assert.equal(submitted.proposalId, entered.proposalId);
    assert.deepEqual([submitted.session, submitted.assumed, submitted.created], [over.session, true, false]);
    assert.equal(restarted.session, over.session, 'it works there from now on');
    assert.equal((await sessions.list({})).length, 2);
    // One that was decided is no open work: what comes now is about the current session.
    await decide(submitted);
    assert.equal((await planMode.submit(newCaller('agent'), { plan: 'Paint.' })).session, session);
    assert.equal((await planMode.submit(newCaller('agent', 'second'), { plan: 'Sell.' })).session, session);
  });

  it('that is open is found before a later one that is settled', async () => {
    const { planMode, sessions } = over.planner;
    const open = await submit();
    const second = newCaller('agent');
    await sessions.create(second, {});
    await decide(await planMode.submit(second, { plan: 'Paint.' }));
    assert.equal((await planMode.status(newCaller('agent'), {})).verdict?.proposalId, open.proposalId);
    const again = await planMode.submit(newCaller('agent'), { plan: 'Stay.' });
    assert.deepEqual([again.session, again.superseded], [over.session, open.proposalId]);
  });

  it('does not go on in an archived session', async () => {
    const { planMode, sessions } = over.planner;
    await planMode.enter(over.agent, { goal: 'Move' });
    await sessions.archive(over.agent, { sessionName: over.session, archived: true });
    const submitted = await planMode.submit(newCaller('agent'), { plan: '---\n## Move out\n\nToday.' });
    assert.notEqual(submitted.session, over.session);
    assert.equal(submitted.created, true);
    const made = await over.store.read((view) => view.session(submitted.session));
    assert.equal(made?.taskDescription, 'Move out', 'it can be recognised later');
  });

  it('tells which proposal a new one took the place of', async () => {
    const { planMode } = over.planner;
    const first = await planMode.submit(over.agent, { plan: 'Move.' });
    assert.equal(first.superseded, null);
    assert.equal((await planMode.submit(over.agent, { plan: 'Move.' })).superseded, null);
    assert.equal((await planMode.submit(over.agent, { plan: 'Stay.' })).superseded, first.proposalId);
  });

  it('refuses an empty plan', async () => {
    await unchanged('VALIDATION_ERROR', () => submit(' \n '));
  });

  it('keeps a plan to the byte', async () => {
    const plan = '  - $15,000\n---\n# Goal\n\\n literally  \n\u{1F600} 计划 \u202Eabc';
    const { proposalId } = await submit(plan);
    const stored = await over.store.read((view) => view.proposal(proposalId)?.rounds[0]?.plan);
    assert.equal(stored, plan);
  });

  describe('to-do list', () => {
    const write = (todos: unknown[]) => over.planner.planMode.writeTodos(over.agent, { todos: todos as Todo[] });

    it('is replaced whole and counted', async () => {
      await write(TODOS);
      const written = await write(TODOS.slice(1));
      assert.deepEqual(written.todos, TODOS.slice(1));
      assert.deepEqual(written.counts, { pending: 1, in_progress: 1, completed: 0 });
    });

    const refused: [string, unknown[], RegExp][] = [
      [
        'two in progress',
        [TODOS[1], { content: 'Dance', status: 'in_progress' }],
        /to-do 0 \("Order the van"\), to-do 1 \("Dance"\)/,
      ],
      ['no content', [TODOS[0], { content: ' ', status: 'pending' }], /To-do 1 has no content/],
      ['an unknown status', [{ content: 'Dance', status: 'done' }], /To-do 0 \("Dance"\) has no such status/],
      ['an unknown priority', [{ content: 'Dance', status: 'pending', priority: 'urgent' }], /no such priority/],
      ['a NUL character', [{ content: 'Dan\0ce', status: 'pending' }], /to-do 0 contains a NUL/],
    ];
    for (const [name, todos, message] of refused) {
      it(`is refused with ${name}`, async () => {
        await write(TODOS);
        const error = await unchanged('VALIDATION_ERROR', () => write(todos));
        assert.match(error.message, message);
      });
    }

    it("leaves another agent's list alone", async () => {
      await write(TODOS);
      const second = newCaller('agent', 'second');
      await over.planner.planMode.writeTodos(second, { sessionName: over.session, todos: [] });
      const lists = await over.store.read((view) => view.todoLists(over.session));
      assert.deepEqual(
        lists.map(({ owner }) => owner.agent),
        [''],
      );
    });
  });

  it('has standards of six sections and about 3,500 characters', () => {
    assert.equal(PLAN_MODE_STANDARDS.match(/^## \d/gm)?.length, 6);
    assert.ok(PLAN_MODE_STANDARDS.length > 3000 && PLAN_MODE_STANDARDS.length < 4000);
  });
});
