import assert from 'node:assert/strict';
import { newCaller } from '../../../src/planner/caller';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

describe('edits of a plan file', () => {
  let house: PlannerOverMemory;
  let a: string;
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
    const { plans } = await house.planner.queue.add(house.agent, {
      plans: [{ context: 'where', goal: 'a', approach: 'how', notes: 'first' }],
    });
    a = plans[0]?.planId as string;
  });
  afterEach(() => house.store.close());

  const takeIn = (): Promise<boolean> => house.planner.queue.takeInEdits(newCaller('editor'), { planId: a });
  const write = (text: string): void => house.editFile(a, () => text);

  const changes: [string, () => Promise<unknown>][] = [
    ['pull', () => house.planner.queue.pull(house.agent, {})],
    ['update', () => house.planner.queue.update(house.agent, { planId: a, sections: { outputs: 'o' } })],
    ['discard', () => house.planner.queue.discard(house.agent, { planId: a, reason: 'r' })],
    ['validate', () => house.planner.integrity.validate(house.agent, {})],
  ];
  const changesOfActive: [string, () => Promise<unknown>][] = [
    ['complete', () => house.planner.queue.complete(house.agent, { outcome: 'o' })],
    ['defer', () => house.planner.queue.defer(house.agent, { reason: 'r' })],
    ['release', () => house.planner.queue.release(house.agent, { planId: a })],
  ];

  for (const [name, change] of [...changes, ...changesOfActive]) {
    it(`are taken in before ${name}, in the same change`, async () => {
      if (changesOfActive.some(([active]) => active === name)) await house.planner.queue.pull(house.agent, {});
      house.editFile(a, (text) => text.replace('first', 'first\nby hand').replaceAll('\n', '\r\n'));
      const before = house.store.changes.length;
      await change();
      assert.match((await house.plan(a)).notes, /^first\nby hand(\n- \[.*Deferred: r)?$/);
      assert.equal(house.store.changes.length, before + 1);
      assert.deepEqual(house.store.changes.at(-1)?.events[0], {
        type: 'plan_edited',
        plan: a,
        sections: { notes: 'first\nby hand' },
        source: 'file',
        fileVersion: 'save 1',
      });
    });
  }

  it('are in the text that a pull gives', async () => {
    write('# Goal\na better goal\n');
    const pulled = await house.planner.queue.pull(house.agent, {});
    assert.ok(pulled.kind === 'pulled');
    assert.equal(pulled.plan.goal, 'a better goal');
    assert.match(pulled.plan.text, /# Context\nwhere\n\n# Goal\na better goal\n/);
  });

  it('none: nothing changes, line ends and outer blank lines are none', async () => {
    house.editFile(a, (text) => `\uFEFF\n${text.replaceAll('\n', '\r\n')}\r\n\r\n`);
    assert.equal(await takeIn(), false);
    assert.equal(house.store.changes.length, 2);
  });

  it('a file that is missing or blank leaves the stored text', async () => {
    for (const text of [undefined, '', ' \r\n\n\uFEFF']) {
      house.store.editFile(house.session, a, text);
      assert.equal(await takeIn(), false);
    }
    await house.planner.queue.pull(house.agent, {});
    await house.planner.queue.defer(house.agent, { reason: 'r' });
    assert.match(house.store.fileText(house.session, a) ?? '', /# Approach\nhow\n/, 'the file is written anew');
  });

  it('a missing heading leaves its section, an empty section empties it', async () => {
    write('# Goal\na\n# Approach\n\n# Notes\nsecond\n');
    assert.equal(await takeIn(), true);
    const { context, approach, notes } = await house.plan(a);
    assert.deepEqual([context, approach, notes], ['where', '', 'second']);
  });

  it('text above the first heading becomes the beginning of the context, once', async () => {
    house.editFile(a, (text) => `Mind the cat.\n\n${text}`);
    assert.equal(await takeIn(), true);
    assert.equal((await house.plan(a)).context, 'Mind the cat.\n\nwhere');
    house.store.filesLagBehind = true;
    write('Mind the dog.\n\n# Goal\na\n');
    assert.equal(await takeIn(), true);
    assert.equal(await takeIn(), false, 'though the file still says so');
    assert.equal((await house.plan(a)).context, 'Mind the dog.\n\nMind the cat.\n\nwhere');
  });

  it('that take something back are edits too', async () => {
    await house.planner.queue.update(house.agent, { planId: a, sections: {}, appendNotes: 'wrong' });
    house.editFile(a, (text) => text.replace('first\nwrong', 'first'));
    assert.equal(await takeIn(), true);
    assert.equal((await house.plan(a)).notes, 'first');
  });

  it('a file that is merely behind the store is none', async () => {
    house.store.filesLagBehind = true;
    await house.planner.queue.update(house.agent, { planId: a, sections: { notes: 'newer' } });
    assert.equal(await takeIn(), false);
    assert.equal((await house.plan(a)).notes, 'newer');
  });

  it('that cannot be understood are refused, never guessed, and the way out works', async () => {
    const unreadable: [string, RegExp][] = [
      ['just some text\n', /none of the headings/],
      ['## Goal\ntext', /none of the headings/],
      ['# Goal\n\n# Notes\nn', /no text below # Goal/],
      ['# Goal\na\0', /NUL/],
    ];
    for (const [text, reason] of unreadable) {
      write(text);
      const before = house.store.image();
      for (const change of [() => house.planner.queue.pull(house.agent, {}), takeIn]) {
        const error = await refusal('VALIDATION_ERROR', change);
        assert.match(error.message, reason);
        assert.ok(error.message.includes(`${a}.txt`));
        assert.equal(error.session, house.session);
      }
      assert.deepEqual(house.store.image(), before);
    }
    write('');
    await house.planner.queue.pull(house.agent, {});
  });

  it('that cannot be understood are kept aside by a change of the text, which goes on from the stored one', async () => {
    for (const change of [
      () => house.planner.queue.update(house.agent, { planId: a, sections: {}, appendNotes: 'second' }),
      () => house.planner.tasks.edit(house.agent, { id: a, body: 'otherwise' }),
    ]) {
      write('just some text\n');
      const before = await house.plan(a);
      await change();
      assert.equal(house.store.fileText(house.session, `${a}.kept`), 'just some text\n');
      const after = await house.plan(a);
      assert.deepEqual([after.goal, after.context], [before.goal, before.context]);
      assert.match(house.store.fileText(house.session, a) ?? '', /# Goal\na\n/);
    }
    assert.equal((await house.plan(a)).notes, 'first\nsecond');
    assert.equal((await house.plan(a)).approach, 'otherwise');
    const pulled = await house.planner.queue.pull(house.agent, {});
    assert.equal(pulled.kind, 'pulled', 'the way is free');
  });

  it('that cannot be understood do not hinder moving or discarding', async () => {
    write('just some text\n');
    await house.add('b');
    await house.planner.queue.move(house.agent, { planIds: [a], to: { position: 'back' } });
    assert.equal((await house.plan(a)).queuePosition, 2);
    const { fileLeft } = await house.planner.queue.discard(house.agent, { planId: a, reason: 'r' });
    assert.match(fileLeft ?? '', /none of the headings/);
    assert.equal((await house.plan(a)).status, 'discarded');
  });

  it('of a finished plan are left alone', async () => {
    await house.planner.queue.discard(house.agent, { planId: a, reason: 'r' });
    house.store.editFile(house.session, a, '# Goal\nlate\n');
    assert.equal(await takeIn(), false);
    assert.equal((await house.plan(a)).goal, 'a');
  });

  it('of a finished plan are taken in when it is reopened', async () => {
    await house.planner.queue.discard(house.agent, { planId: a, reason: 'r' });
    house.store.editFile(house.session, a, '# Approach\nlate\n');
    await house.planner.queue.reopen(house.agent, { planId: a });
    const plan = await house.plan(a);
    assert.equal(plan.approach, 'late');
    assert.match(plan.notes, /^first\n- .*Reopened/);
  });
});
