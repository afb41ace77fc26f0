import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

describe('sessions', () => {
  let house: PlannerOverMemory;
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
  });
  afterEach(() => house.store.close());

  it('are made with three words and a path, and worked on from then on', async () => {
    const { sessions } = house.planner;
    const caller = newCaller('other');
    const created = await sessions.create(caller, { taskDescription: '\nPaint\r\nthe shed \n\n' });
    assert.match(created.session, /^[a-z]+-[a-z]+-[a-z]+$/);
    assert.ok(created.sessionPath.endsWith(created.session));
    const state = await sessions.state(caller, {});
    assert.deepEqual(
      [state.session, state.assumed, state.taskDescription],
      [created.session, false, 'Paint\nthe shed '],
    );
  });

  it('tell their whole state on resume', async () => {
    const [a, b, c] = await house.add('a', 'b', 'c');
    await house.planner.queue.pull(house.agent, {});
    await house.planner.queue.complete(house.agent, { outcome: 'done' });
    await house.planner.queue.pull(house.agent, {});
    const late = newCaller('late');
    const state = await house.planner.sessions.resume(late, { sessionName: house.session, queueLimit: 5 });
    assert.equal(late.session, house.session);
    assert.equal(state.taskDescription, 'Move house');
    assert.equal(state.completedCount, 1);
    assert.deepEqual(state.queue, [{ id: c, goal: 'c', queuePosition: 1, waitingFor: [] }]);
    assert.equal(state.activePlan?.id, b);
    assert.equal(state.activePlan?.goal, 'b');
    assert.equal(state.activePlan?.pulledBy, 'agent');
    assert.match(state.activePlan?.filePath ?? '', new RegExp(`${b}\\.txt$`));
    assert.ok(a);
  });

  it('bound the queue that resume shows, not its length', async () => {
    await house.add('a', 'b', 'c');
    const state = await house.planner.sessions.resume(house.agent, { sessionName: house.session, queueLimit: 2 });
    assert.deepEqual([state.queue.length, state.queueLength], [2, 3]);
    assert.equal((await house.planner.sessions.state(house.agent, {})).queue.length, 3);
  });

  it('an unknown one is refused with the names that exist', async () => {
    const error = await refusal('SESSION_NOT_FOUND', () =>
      house.planner.sessions.resume(house.agent, { sessionName: 'no-such-session' }),
    );
    assert.match(error.message, /no-such-session/);
    assert.match(error.suggestion, new RegExp(`${house.session} \\(Move house\\)`));
  });

  it('many of them are listed in bounds', async () => {
    for (let i = 0; i < 60; i++) {
      await house.planner.sessions.create(newCaller('x'), { taskDescription: 'long '.repeat(500) });
    }
    const error = await refusal('SESSION_NOT_FOUND', () =>
      house.planner.queue.list(house.agent, { sessionName: 'no-such-session' }),
    );
    assert.match(error.suggestion, /41 older/);
  });

  it('an absurd name is refused without an echo of it, and reaches no path', async () => {
    for (const name of ['../../etc', '/etc/passwd', '', 'x'.repeat(10_000), 'a\0b', 'UPPER-case-name']) {
      const error = await refusal('VALIDATION_ERROR', () =>
        house.planner.queue.add(house.agent, { sessionName: name, plans: [{ goal: 'g' }] }),
      );
      assert.ok(error.message.length < 200);
    }
  });

  describe('without a name, a connection without one of its own', () => {
    it('takes the only one with open work, and says so', async () => {
      await house.add('a');
      await house.planner.sessions.create(newCaller('idle'), {});
      const { session, assumed } = await house.planner.queue.list(newCaller('lost'), {});
      assert.deepEqual([session, assumed], [house.session, true]);
      assert.equal((await house.planner.sessions.current())?.name, house.session);
    });

    it('takes the one that the person selected', async () => {
      await house.add('a');
      const other = await house.planner.sessions.create(newCaller('other'), {});
      await house.planner.sessions.select(newCaller('editor'), { sessionName: other.session });
      const { session, assumed } = await house.planner.queue.list(newCaller('lost'), {});
      assert.deepEqual([session, assumed], [other.session, true]);
    });

    it('does not take a selected one that was archived or deleted', async () => {
      const editor = newCaller('editor');
      const other = await house.planner.sessions.create(newCaller('other'), {});
      await house.planner.sessions.select(editor, { sessionName: other.session });
      await house.planner.sessions.archive(editor, { sessionName: other.session, archived: true });
      assert.equal(await house.planner.sessions.current(), undefined);
      await house.planner.sessions.archive(editor, { sessionName: other.session, archived: false });
      assert.equal((await house.planner.sessions.current())?.name, other.session);
      await house.planner.sessions.delete(editor, { sessionName: other.session });
      assert.equal(await house.planner.sessions.current(), undefined);
    });

    it('is refused if two have open work, none was selected, or none exists', async () => {
      await house.add('a');
      const other = newCaller('other');
      await house.planner.sessions.create(other, {});
      await house.planner.queue.add(other, { plans: [{ goal: 'b' }] });
      const error = await refusal('SESSION_NOT_FOUND', () => house.planner.queue.pull(newCaller('lost'), {}));
      assert.ok(error.suggestion.includes(house.session) && error.suggestion.includes(other.session as string));
    });
  });

  it('that were deleted under a connection are missed clearly, and another is not taken instead', async () => {
    const other = newCaller('other');
    await house.planner.sessions.create(other, {});
    await house.planner.queue.add(other, { plans: [{ goal: 'b' }] });
    const gone = house.session;
    await house.planner.sessions.delete(newCaller('editor'), { sessionName: gone });
    const error = await refusal('SESSION_NOT_FOUND', () => house.planner.queue.pull(house.agent, {}));
    assert.match(error.message, new RegExp(`${gone}.* was deleted`));
  });

  it('take their plans and files with them, and the journal keeps what somebody wrote into a file', async () => {
    const [a] = await house.add('a');
    house.editFile(a as string, (text) => `${text}last words\n`);
    await house.planner.sessions.delete(newCaller('editor'), { sessionName: house.session });
    assert.equal(await house.store.read((view) => view.plan(a as string)), undefined);
    assert.equal(house.store.fileText(house.session, a as string), undefined);
    assert.ok(JSON.stringify(house.store.changes.at(-1)).includes('last words'));
  });

  it('are described, archived and selected, and doing so twice changes nothing', async () => {
    const editor = newCaller('editor');
    const { sessions } = house.planner;
    const sessionName = house.session;
    for (let time = 0; time < 2; time++) {
      await sessions.describe(editor, { sessionName, taskDescription: ' New ' });
      await sessions.archive(editor, { sessionName, archived: true });
      await sessions.select(editor, { sessionName });
    }
    assert.equal(house.store.changes.length, 1 + 3);
    assert.deepEqual(await sessions.list({}), []);
    const [listed] = await sessions.list({ archived: true });
    assert.deepEqual([listed?.name, listed?.taskDescription], [sessionName, ' New ']);
    await sessions.select(editor, { sessionName: null });
    await sessions.describe(editor, { sessionName, taskDescription: null });
    assert.equal((await sessions.list({ archived: true }))[0]?.taskDescription, null);
  });
});
