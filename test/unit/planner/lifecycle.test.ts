import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

const editor = newCaller('editor');

describe('the life of a plan', () => {
  let house: PlannerOverMemory;
  let a: string;
  let b: string;
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
    [a, b] = (await house.add('a', 'b')) as [string, string];
  });
  afterEach(() => house.store.close());

  it('completes: outcome kept, file gone, what is left told', async () => {
    const { queue } = house.planner;
    await queue.pull(house.agent, {});
    const finished = await queue.complete(house.agent, { outcome: '\n made it \n' });
    assert.deepEqual(finished, {
      session: house.session,
      assumed: false,
      planId: a,
      queueLength: 1,
      completedCount: 1,
      next: { id: b, goal: 'b' },
      released: [],
      pulledByOther: null,
    });
    const plan = await house.plan(a);
    assert.deepEqual([plan.status, plan.outcome], ['completed', ' made it ']);
    assert.equal(house.store.fileText(house.session, a), undefined);
    assert.equal(house.agent.pulled, undefined);
  });

  it('defers to the back, or to the front, with the reason in dated notes', async () => {
    const { queue } = house.planner;
    await queue.pull(house.agent, {});
    const first = await queue.defer(house.agent, { reason: 'no boxes' });
    assert.deepEqual([first.planId, first.queuePosition], [a, 2]);
    assert.equal(house.agent.pulled, undefined);
    assert.deepEqual(await house.goals(), ['b', 'a']);
    await queue.move(house.agent, { planIds: [a], to: { position: 'front' } });
    await queue.pull(house.agent, {});
    const second = await queue.defer(house.agent, { reason: 'still none\n# Goal\n\nreally', position: 'front' });
    assert.equal(second.queuePosition, 1);
    const time = '\\[\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\]';
    assert.match(
      (await house.plan(a)).notes,
      new RegExp(`^- ${time} Deferred: no boxes\n- ${time} Deferred: still none\n  # Goal\n\n  really$`),
    );
    assert.match(house.store.fileText(house.session, a) ?? '', /Deferred: no boxes\n/);
  });

  it('discards the active plan, or a queued one that is named', async () => {
    const { queue, history } = house.planner;
    await queue.pull(house.agent, {});
    const first = await queue.discard(house.agent, { reason: 'moot' });
    assert.deepEqual([first.planId, first.queueLength, first.completedCount], [a, 1, 0]);
    const second = await queue.discard(house.agent, { planId: b, reason: 'moot too' });
    assert.deepEqual([second.planId, second.next], [b, null]);
    assert.deepEqual(
      (await history.list({ status: 'discarded', offset: 0, limit: 9 })).map(({ id, discardReason }) => [
        id,
        discardReason,
      ]),
      [
        [b, 'moot too'],
        [a, 'moot'],
      ],
    );
    assert.deepEqual(house.store.fileText(house.session, b), undefined);
  });

  it('is released to the front when its agent is gone, without a note', async () => {
    const { queue } = house.planner;
    await queue.pull(newCaller('gone'), {});
    const released = await queue.release(editor, { planId: a });
    assert.equal(released.queuePosition, 1);
    const plan = await house.plan(a);
    assert.deepEqual([plan.status, plan.notes, plan.pulledBy], ['queued', '', null]);
    await refusal('VALIDATION_ERROR', () => queue.release(editor, { planId: a }));
    await queue.pull(house.agent, {});
    await queue.release(house.agent, { planId: a });
    assert.equal(house.agent.pulled, undefined);
  });

  it('is reopened quietly when its end is taken back', async () => {
    const { queue } = house.planner;
    await queue.pull(house.agent, {});
    const { notes } = await house.plan(a);
    await queue.complete(house.agent, { outcome: 'a slip' });
    await queue.reopen(editor, { planId: a, quietly: true });
    assert.deepEqual([(await house.plan(a)).status, (await house.plan(a)).notes], ['queued', notes]);
  });

  it('is reopened, and its notes keep how it had ended', async () => {
    const { queue, history } = house.planner;
    await queue.pull(house.agent, {});
    await queue.complete(house.agent, { outcome: 'thought so' });
    await queue.discard(house.agent, { planId: b, reason: 'moot' });
    assert.equal((await queue.reopen(editor, { planId: a })).queuePosition, 1);
    assert.equal((await queue.reopen(editor, { planId: b, position: 'front' })).queuePosition, 1);
    assert.deepEqual(await house.goals(), ['b', 'a']);
    assert.match((await house.plan(a)).notes, /Reopened; it had been completed: thought so$/);
    assert.match((await house.plan(b)).notes, /Reopened; it had been discarded: moot$/);
    assert.ok(house.store.fileText(house.session, a)?.includes('thought so'));
    assert.deepEqual((await history.search(house.agent, { query: 'thought' })).matches, []);
    await refusal('VALIDATION_ERROR', () => queue.reopen(editor, { planId: a }));
  });

  it('refuses without an active plan, and says what to do', async () => {
    const { queue } = house.planner;
    const before = house.store.image();
    for (const call of [
      () => queue.complete(house.agent, { outcome: 'x' }),
      () => queue.defer(house.agent, { reason: 'x' }),
      () => queue.discard(house.agent, { reason: 'x' }),
    ]) {
      const error = await refusal('NO_ACTIVE_PLAN', call);
      assert.match(error.suggestion, /Pull/);
    }
    assert.deepEqual(house.store.image(), before);
  });

  it('refuses a named plan of another status, or that is unknown', async () => {
    const { queue } = house.planner;
    const complete = (planId: string) => () => queue.complete(house.agent, { planId, outcome: 'x' });
    assert.match((await refusal('VALIDATION_ERROR', complete(b))).message, /is queued/);
    await refusal('PLAN_NOT_FOUND', complete('zzzzz'));
    await refusal('VALIDATION_ERROR', complete('../../etc'));
    await queue.pull(house.agent, {});
    await complete(a)();
    assert.match((await refusal('VALIDATION_ERROR', complete(a))).message, /is completed/);
    await refusal('VALIDATION_ERROR', () => queue.defer(house.agent, { planId: b, reason: 'x' }));
  });

  it('refuses a named plan of another session than the one that is named', async () => {
    const { session } = await house.planner.sessions.create(newCaller('other'), {});
    await house.planner.queue.pull(house.agent, {});
    const error = await refusal('VALIDATION_ERROR', () =>
      house.planner.queue.complete(house.agent, { planId: a, sessionName: session, outcome: 'x' }),
    );
    assert.ok(error.message.includes(house.session) && error.message.includes(session));
  });

  it('names the plans that no longer wait for what was finished', async () => {
    const { queue } = house.planner;
    const [c, d] = (await house.add('c', 'd')) as [string, string];
    await house.link(c, a);
    await house.link(d, a, c);
    const discarded = await queue.discard(house.agent, { planId: a, reason: 'moot' });
    assert.deepEqual(discarded.released.map(({ id }) => id).sort(), [c, d].sort());
    assert.deepEqual((await queue.discard(house.agent, { planId: b, reason: 'moot' })).released, []);
  });

  it('says that a finished plan is finished, and how it is reopened', async () => {
    const { queue } = house.planner;
    await queue.pull(house.agent, {});
    await queue.complete(house.agent, { outcome: 'x' });
    const error = await refusal('VALIDATION_ERROR', () => queue.complete(house.agent, { planId: a, outcome: 'y' }));
    assert.match(error.message, /is completed; it can't be completed again\.$/);
    assert.match(error.suggestion, /reopen/);
    assert.deepEqual(error.tools, ['task_update']);
  });

  it('refuses an empty outcome or reason and changes nothing', async () => {
    const { queue } = house.planner;
    await queue.pull(house.agent, {});
    const before = house.store.image();
    await refusal('VALIDATION_ERROR', () => queue.complete(house.agent, { outcome: ' ' }));
    await refusal('VALIDATION_ERROR', () => queue.defer(house.agent, { reason: '' }));
    await refusal('VALIDATION_ERROR', () => queue.discard(house.agent, { reason: '\n' }));
    await refusal('VALIDATION_ERROR', () => queue.complete(house.agent, { outcome: 'a\0' }));
    assert.deepEqual(house.store.image(), before);
  });

  describe('when the plan that a connection pulled is no longer the active one', () => {
    beforeEach(() => house.planner.queue.pull(house.agent, {}));

    it('a call without its id is refused, changes nothing and names the active plan', async () => {
      const { queue } = house.planner;
      await queue.defer(editor, { planId: a, reason: 'wait' });
      await queue.pull(editor, { sessionName: house.session });
      const before = house.store.image();
      for (const call of [
        () => queue.complete(house.agent, { outcome: 'x' }),
        () => queue.defer(house.agent, { reason: 'x' }),
        () => queue.discard(house.agent, { reason: 'x' }),
        () => queue.complete(house.agent, { outcome: 'x', sessionName: house.session }),
      ]) {
        const error = await refusal('VALIDATION_ERROR', call);
        assert.match(error.message, new RegExp(`${a}.*is queued now.*${b} \\(b;`));
      }
      assert.deepEqual(house.store.image(), before);
      await queue.complete(house.agent, { planId: b, outcome: 'meant it' });
      assert.equal((await house.plan(b)).status, 'completed');
    });

    it('and none is, it says so', async () => {
      const { queue } = house.planner;
      await queue.complete(editor, { planId: a, outcome: 'done by hand' });
      const error = await refusal('NO_ACTIVE_PLAN', () => queue.complete(house.agent, { outcome: 'x' }));
      assert.match(error.message, new RegExp(`${a}.*is completed now`));
      await queue.pull(house.agent, {});
      assert.equal((await queue.complete(house.agent, { outcome: 'x' })).planId, b);
    });

    it('and somebody else pulled it again, it is theirs: only by its id it is finished', async () => {
      const { queue } = house.planner;
      await queue.release(editor, { planId: a });
      await queue.pull(editor, { sessionName: house.session });
      const before = house.store.image();
      const error = await refusal('VALIDATION_ERROR', () => queue.complete(house.agent, { outcome: 'x' }));
      assert.match(error.message, new RegExp(`${a}.*put back and then pulled by editor at 20`));
      assert.deepEqual(house.store.image(), before);
      assert.equal((await queue.complete(house.agent, { outcome: 'x', planId: a })).planId, a);
    });

    it('and it pulled it again itself, the call goes through', async () => {
      const { queue } = house.planner;
      await queue.release(editor, { planId: a });
      await queue.pull(house.agent, {});
      assert.equal((await queue.complete(house.agent, { outcome: 'x' })).planId, a);
    });
  });

  it('a connection without a session finishes the plan it pulled, whatever was selected since', async () => {
    const { queue, sessions } = house.planner;
    const lost = newCaller('lost');
    assert.equal((await queue.pull(lost, {})).assumed, true);
    const other = newCaller('other');
    const { session } = await sessions.create(other, {});
    await queue.add(other, { plans: [{ goal: 'x' }] });
    await queue.pull(other, {});
    await sessions.select(editor, { sessionName: session });
    assert.equal((await queue.complete(lost, { outcome: 'x' })).planId, a);
  });

  it('a connection that went on to another session is not held to the plan it pulled before', async () => {
    const { queue, sessions } = house.planner;
    await queue.pull(house.agent, {});
    const other = newCaller('other');
    const { session } = await sessions.create(other, {});
    const { plans } = await queue.add(other, { plans: [{ goal: 'x' }] });
    await queue.pull(other, {});
    await sessions.resume(house.agent, { sessionName: session });
    assert.equal((await queue.complete(house.agent, { outcome: 'x' })).planId, plans[0]?.planId);
  });

  it('a call that names another session is about that one, and leaves the plan that was pulled', async () => {
    const { queue, sessions } = house.planner;
    await queue.pull(house.agent, {});
    const other = newCaller('other');
    const { session } = await sessions.create(other, {});
    const { plans } = await queue.add(other, { plans: [{ goal: 'x' }] });
    await queue.pull(other, {});
    const finished = await queue.complete(house.agent, { sessionName: session, outcome: 'x' });
    assert.equal(finished.planId, plans[0]?.planId);
    assert.equal((await queue.complete(house.agent, { outcome: 'x' })).planId, a);
  });

  it('a call without a name says where the pulled plan is, if its session has no active one', async () => {
    const { queue, sessions } = house.planner;
    const guest = newCaller('guest');
    await sessions.create(guest, {});
    await queue.add(guest, { plans: [{ goal: 'x' }] });
    await queue.pull(guest, { sessionName: house.session });
    const error = await refusal('NO_ACTIVE_PLAN', () => queue.complete(guest, { outcome: 'x' }));
    assert.ok(error.message.includes(house.session));
    assert.match(error.suggestion, new RegExp(`plan_id ${a}`));
  });

  it('a call without a name finishes no plan of somebody else while the pulled plan is active in another session', async () => {
    const { queue, sessions } = house.planner;
    const guest = newCaller('guest');
    const { session } = await sessions.create(guest, {});
    const { plans } = await queue.add(guest, { plans: [{ goal: 'x' }] });
    await queue.pull(guest, { sessionName: house.session });
    await queue.pull(newCaller('other'), { sessionName: session });
    for (const end of [
      () => queue.complete(guest, { outcome: 'x' }),
      () => queue.defer(guest, { reason: 'x' }),
      () => queue.discard(guest, { reason: 'x' }),
    ]) {
      const error = await refusal('VALIDATION_ERROR', end);
      assert.match(error.message, new RegExp(`${plans[0]?.planId}.*pulled by other.*${a}`));
      assert.match(error.suggestion, new RegExp(`plan_id ${a}`));
    }
    assert.equal((await queue.complete(guest, { planId: a, outcome: 'x' })).planId, a);
    assert.equal((await queue.complete(guest, { outcome: 'x' })).planId, plans[0]?.planId);
  });

  it('a pulled plan that was deleted with its session is let go of by resuming another', async () => {
    const { queue, sessions } = house.planner;
    await queue.pull(house.agent, {});
    const other = newCaller('other');
    const { session } = await sessions.create(other, {});
    const { plans } = await queue.add(other, { plans: [{ goal: 'x' }] });
    await queue.pull(other, {});
    await sessions.delete(editor, { sessionName: house.session });
    const error = await refusal('VALIDATION_ERROR', () =>
      queue.complete(house.agent, { sessionName: session, outcome: 'x' }),
    );
    assert.match(error.message, new RegExp(`${a}.*does not exist any more`));
    await sessions.resume(house.agent, { sessionName: session });
    assert.equal((await queue.complete(house.agent, { outcome: 'x' })).planId, plans[0]?.planId);
  });
});
