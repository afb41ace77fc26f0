import { strict as assert } from 'node:assert';
import { newCaller } from '../../src/planner/caller';
import { act, labels, rows, startSession, until, workbench } from './support';

describe('undo takes back the last change and no older one:', () => {
  const order = async () => labels(await rows((await workbench()).parts.views.queue)).join(' ');
  const active = async () => (await workbench()).parts.state.planning?.active?.id;
  const undo = () => act('nineplan.change.undo', []);

  /** A session whose last change is one that can be taken back: its first plan was moved to the back. */
  async function moved(): Promise<string[]> {
    const [a, b, c] = (await startSession('a', 'b', 'c')) as [string, string, string];
    await act('nineplan.queue.moveToBack', [a]);
    assert.equal(await order(), 'b c a');
    return [a, b, c];
  }

  it('a pull', async () => {
    const [, b] = await moved();
    await act('nineplan.queue.pull', []);
    assert.equal(await active(), b);
    await undo();
    assert.equal(await active(), undefined);
    assert.equal(await order(), 'b c a');
  });

  it('a deferral, with its reason in the notes', async () => {
    const { parts } = await workbench();
    const [, b] = (await moved()) as [string, string];
    const planner = await parts.connection.planner();
    const notes = () => planner.store.read((view) => view.plan(b)?.notes);
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.defer', [], { reason: 'too early' }, 'back');
    assert.match((await notes()) ?? '', /too early/);
    await undo();
    assert.equal(await active(), b);
    assert.equal(await notes(), '');
    assert.equal(await order(), 'b c a');

    await act('nineplan.plan.defer', [], { reason: 'too early' }, 'back');
    await planner.queue.update(newCaller('agent'), { planId: b, sections: {}, appendNotes: 'By an agent.' });
    await undo();
    assert.equal(await active(), b);
    assert.match((await notes()) ?? '', /too early.*\n.*By an agent\./, 'what others wrote meanwhile stays');
  });

  it('a release', async () => {
    const [, b] = await moved();
    await act('nineplan.queue.pull', []);
    await act('nineplan.plan.release', [], true);
    assert.equal(await active(), undefined);
    await undo();
    assert.equal(await active(), b);
  });

  it('nothing after a plan was added or queued again, which can’t be taken back', async () => {
    await moved();
    await act('nineplan.plan.add', [], { goal: 'd' }, 'back');
    const added = await undo();
    assert.deepEqual(added.said, ['There is nothing to undo in this window.']);
    assert.equal(await order(), 'b c a d');

    const [a] = await moved();
    await act('nineplan.plan.discard', [a], { reason: 'no' });
    await act('nineplan.plan.reopen', [a]);
    await undo();
    assert.equal(await order(), 'b c a');
  });

  it('what was discarded before another plan was refused', async () => {
    const { parts } = await workbench();
    const [first, , last] = (await startSession('a', 'b', 'c')) as [string, string, string];
    const before = await rows(parts.views.queue);
    const chosen = [before[0]?.node, before[2]?.node];
    const planner = await parts.connection.planner();
    await planner.queue.discard(newCaller('agent'), { planId: last, reason: 'moot' });
    const refused = await act('nineplan.plan.discard', [chosen[0], chosen], { reason: 'not needed' });
    await until('it is said', () => refused.said.length > 0);
    await until('the rows are gone', async () => (await order()) === 'b');
    await undo();
    assert.equal(await order(), 'a b');
    assert.equal(parts.state.planning?.queue[0]?.id, first);
  });

  it('a move, although the plan behind was finished meanwhile', async () => {
    const { parts } = await workbench();
    const [a, b] = (await startSession('a', 'b', 'c', 'd')) as [string, string];
    await act('nineplan.queue.moveToBack', [a]);
    const planner = await parts.connection.planner();
    await planner.queue.discard(newCaller('agent'), { planId: b, reason: 'moot' });
    await undo();
    assert.equal(await order(), 'a c d');
  });

  it('several discarded plans, said as such', async () => {
    const { parts } = await workbench();
    await startSession('a', 'b', 'c');
    const all = (await rows(parts.views.queue)).map(({ node }) => node);
    const { said } = await act('nineplan.plan.discard', [all[0], all.slice(0, 2)], { reason: 'not needed' });
    await until('it is said', () => said.length > 0);
    assert.deepEqual(said, ['Discarded 2 plans. Next: “c”.']);
    await undo();
    assert.equal(await order(), 'a b c');
  });

  describe('refuses, and changes nothing,', () => {
    const agent = newCaller('agent');
    const planner = async () => (await workbench()).parts.connection.planner();

    /** Undoes, which is to be refused in these words, and to leave every plan as it is. */
    async function refused(why: RegExp, ...ids: string[]): Promise<void> {
      const { store } = await planner();
      const all = () => store.read((view) => ids.map((id) => view.plan(id)));
      const before = await all();
      const { said } = await undo();
      await until('it is said', () => said.length > 0);
      assert.match(said[0] ?? '', why);
      assert.deepEqual(await all(), before);
    }

    it('when an agent completed what was pulled here', async () => {
      const [a, b] = (await startSession('a', 'b')) as [string, string];
      await act('nineplan.queue.pull', []);
      await (await planner()).queue.complete(newCaller('agent'), { planId: a, outcome: 'done by an agent' });
      await refused(/“a” is completed\. Somebody else/, a, b);
    });

    it('when an agent put back what was pulled here and works on it', async () => {
      const [a, b] = (await startSession('a', 'b')) as [string, string];
      await act('nineplan.queue.pull', []);
      await (await planner()).queue.release(agent, { planId: a });
      await (await planner()).queue.start(agent, { planId: a });
      await refused(/“a” is being worked on\. Somebody else/, a, b);
    });

    it('when an agent finished what was deferred', async () => {
      const [a, b] = (await startSession('a', 'b')) as [string, string];
      await act('nineplan.queue.pull', []);
      await act('nineplan.plan.defer', [], { reason: 'later' }, 'front');
      await (await planner()).queue.start(agent, { planId: a });
      await (await planner()).queue.complete(newCaller('agent'), { planId: a, outcome: 'done by an agent' });
      await refused(/“a” is completed/, a, b);
    });

    it('when somebody works on another plan than the one that was released', async () => {
      const [a, b] = (await startSession('a', 'b')) as [string, string];
      await act('nineplan.queue.pull', []);
      await act('nineplan.plan.release', [], true);
      await (await planner()).queue.start(agent, { planId: b });
      await refused(/“b” is already active\. Nothing was changed/, a, b);
    });

    it('when one of several plans was taken up', async () => {
      const { parts } = await workbench();
      const [a, b, c, d] = (await startSession('a', 'b', 'c', 'd')) as [string, string, string, string];
      const [first, second] = (await rows(parts.views.queue)).map(({ node }) => node);
      await act('nineplan.queue.moveToBack', [first, [first, second]]);
      await (await planner()).queue.start(agent, { planId: a });
      await refused(/“a” is being worked on/, a, b, c, d);
      await (await planner()).queue.release(agent, { planId: a });

      await act('nineplan.plan.discard', [first, [first, second]], { reason: 'no' });
      await (await planner()).queue.reopen(agent, { planId: a });
      await refused(/“a” is in the queue/, a, b, c, d);
    });

    it('when the window shows another store', async () => {
      const { parts } = await workbench();
      await moved();
      await parts.connection.reopen();
      const { said } = await undo();
      assert.deepEqual(said, ['There is nothing to undo in this window.']);
    });
  });

  it('a start, although the plan behind was finished meanwhile', async () => {
    const [a, b] = (await startSession('a', 'b', 'c', 'd')) as [string, string];
    await act('nineplan.plan.start', [a]);
    const planner = await (await workbench()).parts.connection.planner();
    await planner.queue.discard(newCaller('agent'), { planId: b, reason: 'moot' });
    await undo();
    assert.equal(await order(), 'a c d');
  });
});
