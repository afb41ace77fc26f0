import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import type { CommittedChange } from '../../../src/planner/events';
import type { Plan } from '../../../src/planner/model';
import { type PlanChange, takeBack, takeBackDeferral, takeBackMove } from '../../../src/planner/takingBack';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

const editor = newCaller('editor');

describe('what is taken back', () => {
  let house: PlannerOverMemory;
  let ids: string[];
  let a: string;
  let b: string;
  let commits: CommittedChange[];
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
    ids = await house.add('a', 'b', 'c', 'd');
    [a, b] = ids as [string, string];
    commits = [];
    house.store.onDidChange((change) => commits.push(change));
  });
  afterEach(() => house.store.close());

  /** Makes a change and gives what takes it back. */
  async function changed(id: string, change: () => Promise<unknown>): Promise<PlanChange> {
    const before = await house.plan(id);
    const behind = before.status === 'queued' ? ids.slice(ids.indexOf(id) + 1) : [];
    await change();
    return { before, behind, after: await house.plan(id) };
  }

  const without = ({ pulledAt, fileVersion, queuePosition, ...plan }: Plan) => plan;

  /** In one step, so that no agent that waits for a plan gets one in between. */
  async function isBack(changes: PlanChange[]): Promise<void> {
    commits.length = 0;
    await takeBack(house.store, editor, changes);
    assert.equal(commits.length, 1);
    for (const { before } of changes) assert.deepEqual(without(await house.plan(before.id)), without(before));
  }

  it('a start, a release and either end are, each in one step', async () => {
    const { queue } = house.planner;
    await isBack([await changed(b, () => queue.start(editor, { planId: b }))]);
    assert.deepEqual(await house.goals(), ['a', 'b', 'c', 'd']);
    await isBack([await changed(b, () => queue.discard(editor, { planId: b, reason: 'no' }))]);
    assert.deepEqual(await house.goals(), ['a', 'b', 'c', 'd']);
    await queue.start(editor, { planId: b });
    await isBack([await changed(b, () => queue.complete(editor, { outcome: 'done' }))]);
    await isBack([await changed(b, () => queue.release(editor, { planId: b }))]);
    assert.deepEqual(await house.goals(), ['a', 'c', 'd']);
  });

  it('a release is, with what was written into the file', async () => {
    const { queue } = house.planner;
    await queue.start(editor, { planId: a });
    const change = await changed(a, () => queue.release(editor, { planId: a }));
    house.editFile(a, (text) => text.replace(/^a$/m, 'a, and more'));
    await takeBack(house.store, editor, [change]);
    assert.equal((await house.plan(a)).goal, 'a, and more');
    assert.equal((await house.plan(a)).status, 'active');
  });

  it('a deferral is, in one step, with its reason but not with what others noted', async () => {
    const { queue } = house.planner;
    await queue.start(editor, { planId: a });
    const defer = () => queue.defer(editor, { planId: a, reason: 'later' });
    const change = await changed(a, defer);
    commits.length = 0;
    await takeBackDeferral(house.store, editor, change);
    assert.equal(commits.length, 1);
    assert.deepEqual(without(await house.plan(a)), without(change.before));

    const noted = await changed(a, defer);
    await queue.update(house.agent, { planId: a, sections: {}, appendNotes: 'By an agent.' });
    await takeBackDeferral(house.store, editor, noted);
    assert.match((await house.plan(a)).notes, /later\nBy an agent\./);
  });

  it('a move is, in one step, but not if one of the plans left the queue', async () => {
    const { queue } = house.planner;
    await queue.move(editor, { planIds: [a, b], to: { position: 'back' } });
    commits.length = 0;
    await takeBackMove(house.store, editor, ids, [a, b]);
    assert.deepEqual(await house.goals(), ['a', 'b', 'c', 'd']);
    assert.equal(commits.length, 1);
    await queue.move(editor, { planIds: [a, b], to: { position: 'back' } });
    await queue.start(house.agent, { planId: a });
    await refusal('VALIDATION_ERROR', () => takeBackMove(house.store, editor, ids, [a, b]));
    assert.deepEqual(await house.goals(), ['c', 'd', 'b']);
  });

  it('several plans are all, or none if somebody went on with one', async () => {
    const { queue } = house.planner;
    const discard = (id: string) => changed(id, () => queue.discard(editor, { planId: id, reason: 'no' }));
    const changes = [await discard(a), await discard(b)].reverse();
    await isBack(changes);
    assert.deepEqual(await house.goals(), ['a', 'b', 'c', 'd']);

    const again = [await discard(a), await discard(b)].reverse();
    await queue.reopen(house.agent, { planId: a });
    await refusal('VALIDATION_ERROR', () => takeBack(house.store, editor, again));
    assert.deepEqual(await house.goals(), ['c', 'd', 'a']);
  });

  it('nothing is where another plan is active by now', async () => {
    const { queue } = house.planner;
    await queue.start(editor, { planId: a });
    const change = await changed(a, () => queue.complete(editor, { outcome: 'done' }));
    await queue.start(house.agent, { planId: b });
    await refusal('PLAN_ALREADY_ACTIVE', () => takeBack(house.store, editor, [change]));
    assert.equal((await house.plan(a)).status, 'completed');
  });
});
