import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { newCaller } from '../../../src/planner/caller';
import type { MoveTarget } from '../../../src/planner/queue';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

describe('the queue', () => {
  let house: PlannerOverMemory;
  beforeEach(async () => {
    house = await PlannerOverMemory.open();
  });
  afterEach(() => house.store.close());

  describe('adding', () => {
    it('gives id, path and position, and writes the file', async () => {
      const { plans, session } = await house.planner.queue.add(house.agent, {
        plans: [{ goal: 'Pack', context: '\nA move\r\n', notes: '- tape' }],
      });
      const [added] = plans;
      assert.match(added?.planId ?? '', /^[0-9a-z]{5}$/);
      assert.equal(added?.queuePosition, 1);
      assert.ok(added?.planPath.endsWith(join(session, 'plans', `${added.planId}.txt`)));
      assert.match(house.store.fileText(session, added?.planId ?? '') ?? '', /^# Context\nA move\n\n# Goal\nPack\n/);
    });

    it('keeps the given order at either end', async () => {
      await house.add('c', 'd');
      await house.planner.queue.add(house.agent, { plans: [{ goal: 'a' }, { goal: 'b' }], position: 'front' });
      await house.planner.queue.add(house.agent, { plans: [{ goal: 'e' }], position: 'back' });
      assert.deepEqual(await house.goals(), ['a', 'b', 'c', 'd', 'e']);
    });

    it('is all or nothing, and names the plan that is wrong', async () => {
      const before = house.store.image();
      const { queue } = house.planner;
      const empty = await refusal('VALIDATION_ERROR', () =>
        queue.add(house.agent, { plans: [{ goal: 'a' }, { goal: ' \n' }] }),
      );
      assert.match(empty.message, /plans\[1\]\.goal/);
      const nul = await refusal('VALIDATION_ERROR', () =>
        queue.add(house.agent, { plans: [{ goal: 'a', notes: '\0' }] }),
      );
      assert.match(nul.message, /^notes/);
      await refusal('VALIDATION_ERROR', () => queue.add(house.agent, { plans: [] }));
      assert.deepEqual(house.store.image(), before);
    });

    it('keeps text to the byte', async () => {
      const goal = '  $15,000 `$&` \\n \\\n---\n# Goal\n```\n# Notes\n🐱‍👤 计划 שלום  ';
      const [id] = await house.add(goal);
      assert.equal((await house.plan(id as string)).goal, goal);
      const pulled = await house.planner.queue.pull(house.agent, {});
      assert.equal(pulled.kind === 'pulled' && pulled.plan.goal, goal);
      await house.planner.queue.complete(house.agent, { outcome: goal });
      const done = await house.planner.history.get(house.agent, { planId: id as string });
      assert.deepEqual([done.goal, done.outcome], [goal, goal]);
    });
  });

  describe('moving', () => {
    const move = async (goals: string[], to: MoveTarget): Promise<string[]> => {
      const { plans } = await house.planner.queue.list(house.agent, {});
      const idOf = (goal: string): string => plans.find((plan) => plan.goal === goal)?.id ?? goal;
      const target = 'before' in to ? { before: idOf(to.before) } : 'after' in to ? { after: idOf(to.after) } : to;
      await house.planner.queue.move(house.agent, { planIds: goals.map(idOf), to: target });
      return house.goals();
    };

    beforeEach(() => house.add('a', 'b', 'c', 'd', 'e'));

    it('goes to either end, before or after another', async () => {
      assert.equal((await move(['c'], { position: 'front' })).join(''), 'cabde');
      assert.equal((await move(['a'], { position: 'back' })).join(''), 'cbdea');
      assert.equal((await move(['e'], { before: 'b' })).join(''), 'cebda');
      assert.equal((await move(['c'], { after: 'b' })).join(''), 'ebcda');
      assert.equal((await move(['a'], { after: 'e' })).join(''), 'eabcd');
      assert.equal((await move(['e'], { before: 'd' })).join(''), 'abced');
    });

    it('keeps several together, in the order given', async () => {
      assert.equal((await move(['d', 'a'], { position: 'front' })).join(''), 'dabce');
      assert.equal((await move(['d', 'b'], { position: 'back' })).join(''), 'acedb');
      assert.equal((await move(['b', 'a'], { after: 'e' })).join(''), 'cebad');
      assert.equal((await move(['d', 'c'], { before: 'b' })).join(''), 'edcba');
    });

    it('agrees with moving in a plain list, whatever is moved where', async () => {
      const all = ['a', 'b', 'c', 'd', 'e'];
      await fc.assert(
        fc.asyncProperty(
          fc
            .subarray(all, { minLength: 1 })
            .chain((chosen) => fc.shuffledSubarray(chosen, { minLength: chosen.length })),
          fc.constantFrom('front', 'back', 'before', 'after'),
          fc.constantFrom(...all),
          async (chosen, where, target) => {
            fc.pre(where === 'front' || where === 'back' || !chosen.includes(target));
            const rest = (await house.goals()).filter((goal) => !chosen.includes(goal));
            const at = { front: 0, back: rest.length, before: rest.indexOf(target), after: rest.indexOf(target) + 1 };
            const expected = rest.toSpliced(at[where], 0, ...chosen);
            const to: MoveTarget =
              where === 'before' ? { before: target } : where === 'after' ? { after: target } : { position: where };
            assert.deepEqual(await move(chosen, to), expected);
            const moved = house.store.changes.at(-1)?.events.findLast((event) => event.type === 'plan_moved');
            if (moved) assert.equal((await house.plan(moved.plan)).queuePosition, moved.position);
          },
        ),
        { numRuns: 150 },
      );
    });

    it('tells the position of the first one moved', async () => {
      const { plans } = await house.planner.queue.list(house.agent, {});
      const ids = plans.map(({ id }) => id) as [string, string, string, string, string];
      const moved = await house.planner.queue.move(house.agent, { planIds: [ids[0], ids[1]], to: { after: ids[3] } });
      assert.deepEqual([moved.queuePosition, moved.session, moved.assumed], [3, house.session, false]);
    });

    it('to where it stands already changes nothing', async () => {
      const changes = house.store.changes.length;
      await move(['a', 'b'], { position: 'front' });
      await move(['c'], { after: 'b' });
      assert.equal(house.store.changes.length, changes);
    });

    it('is refused where it makes no sense, and then changes nothing', async () => {
      const { plans } = await house.planner.queue.list(house.agent, {});
      const [a, b] = plans.map(({ id }) => id) as [string, string];
      const elsewhere = newCaller('elsewhere');
      await house.planner.sessions.create(elsewhere, {});
      const { plans: others } = await house.planner.queue.add(elsewhere, { plans: [{ goal: 'x' }] });
      const stranger = others[0]?.planId as string;
      await house.planner.queue.pull(house.agent, {});
      const before = house.store.image();
      const refused: [string[], MoveTarget, 'VALIDATION_ERROR' | 'PLAN_NOT_FOUND'][] = [
        [[b], { before: b }, 'VALIDATION_ERROR'],
        [[b, b], { position: 'front' }, 'VALIDATION_ERROR'],
        [[], { position: 'front' }, 'VALIDATION_ERROR'],
        [[a], { position: 'back' }, 'VALIDATION_ERROR'],
        [[b], { after: a }, 'VALIDATION_ERROR'],
        [[b], { after: stranger }, 'VALIDATION_ERROR'],
        [[b, stranger], { position: 'front' }, 'VALIDATION_ERROR'],
        [['zzzzz'], { position: 'front' }, 'PLAN_NOT_FOUND'],
        [[b], { before: '../..' }, 'VALIDATION_ERROR'],
      ];
      for (const [planIds, to, category] of refused) {
        await refusal(category, () => house.planner.queue.move(house.agent, { planIds, to }));
      }
      assert.deepEqual(house.store.image(), before);
    });
  });

  describe('pulling', () => {
    it('takes the front plan, with the whole text of its file', async () => {
      const [a] = await house.add('a', 'b');
      const pulled = await house.planner.queue.pull(house.agent, {});
      assert.ok(pulled.kind === 'pulled');
      assert.deepEqual([pulled.plan.id, pulled.plan.goal, pulled.completedCount], [a, 'a', 0]);
      assert.equal(pulled.plan.text, house.store.fileText(house.session, a as string));
      const plan = await house.plan(a as string);
      assert.deepEqual(house.agent.pulled, { plan: a, at: plan.pulledAt });
      assert.deepEqual([plan.status, plan.pulledBy, plan.queuePosition], ['active', 'agent', null]);
      assert.deepEqual(await house.goals(), ['b']);
    });

    it('starts a plan that is named, wherever it stands, and refuses one that waits', async () => {
      const [a, b, c] = (await house.add('a', 'b', 'c')) as [string, string, string];
      await house.link(b, a);
      const { queue } = house.planner;
      const before = house.store.image();
      const blocked = await refusal('VALIDATION_ERROR', () => queue.start(house.agent, { planId: b }));
      assert.deepEqual(blocked.matter, { kind: 'waits', goal: 'b', waitingFor: [{ id: a, goal: 'a' }] });
      assert.deepEqual(house.store.image(), before);
      await queue.start(house.agent, { planId: c });
      const plan = await house.plan(c);
      assert.deepEqual([plan.status, plan.pulledBy], ['active', 'agent']);
      assert.deepEqual(house.agent.pulled, { plan: c, at: plan.pulledAt });
      assert.deepEqual(await house.goals(), ['a', 'b']);
      await refusal('PLAN_ALREADY_ACTIVE', () => queue.start(house.agent, { planId: a }));
      await queue.complete(house.agent, { outcome: 'ok' });
      const done = await refusal('VALIDATION_ERROR', () => queue.start(house.agent, { planId: c }));
      assert.deepEqual(done.matter, { kind: 'status', goal: 'c', status: 'completed' });
    });

    it('passes over plans that wait for unfinished ones', async () => {
      const [a, b, c] = (await house.add('a', 'b', 'c')) as [string, string, string];
      await house.link(a, b, c);
      const { queue } = house.planner;
      const pulled = await queue.pull(house.agent, {});
      assert.equal(pulled.kind === 'pulled' && pulled.plan.id, b);
      const finished = await queue.complete(house.agent, { outcome: 'ok' });
      assert.equal(finished.next?.id, c, 'next is the next ready plan, not the front one');
      await queue.discard(house.agent, { planId: c, reason: 'moot' });
      const last = await queue.pull(house.agent, {});
      assert.equal(last.kind === 'pulled' && last.plan.id, a, 'discarded blockers count as finished');
    });

    it('says what every plan waits for if all are blocked', async () => {
      const other = newCaller('other');
      await house.planner.sessions.create(other, {});
      const { plans } = await house.planner.queue.add(other, { plans: [{ goal: 'first' }] });
      const blocker = plans[0]?.planId as string;
      const [a] = (await house.add('a')) as [string];
      await house.link(a, blocker);
      const blocked = await house.planner.queue.pull(house.agent, {});
      assert.deepEqual(blocked.kind === 'blocked' && blocked.blocked, [{ id: a, goal: 'a', waitingFor: [blocker] }]);
      assert.equal(house.agent.pulled, undefined);
    });

    it('of an empty queue is no error', async () => {
      const [a] = await house.add('a');
      await house.planner.queue.pull(house.agent, {});
      await house.planner.queue.complete(house.agent, { planId: a, outcome: 'ok' });
      const empty = await house.planner.queue.pull(house.agent, {});
      const { session } = house;
      assert.deepEqual(empty, { session, assumed: false, kind: 'empty', completedCount: 1, isUnused: false });
    });

    it('of a queue that never held a plan says so; a discarded one counts', async () => {
      const pull = async () => {
        const empty = await house.planner.queue.pull(house.agent, {});
        return empty.kind === 'empty' && empty.isUnused;
      };
      assert.equal(await pull(), true);
      const [a] = (await house.add('a')) as [string];
      await house.planner.queue.discard(house.agent, { planId: a, reason: 'moot' });
      assert.equal(await pull(), false);
    });

    it('is refused while a plan is active, naming it', async () => {
      const [a] = await house.add('a', 'b');
      await house.planner.queue.pull(newCaller('someone'), {});
      const before = house.store.image();
      const error = await refusal('PLAN_ALREADY_ACTIVE', () => house.planner.queue.pull(house.agent, {}));
      for (const part of [a as string, '(a;', `${a}.txt`, 'someone']) assert.ok(error.message.includes(part), part);
      assert.equal(error.session, house.session);
      assert.deepEqual(house.store.image(), before);
    });

    it('advises whoever pulled the active plan to go on, and everybody else to leave it alone', async () => {
      const [a] = await house.add('a', 'b');
      const other = newCaller('other');
      await house.planner.queue.pull(house.agent, {});
      const own = await refusal('PLAN_ALREADY_ACTIVE', () => house.planner.queue.pull(house.agent, {}));
      assert.match(own.suggestion, /^Go on with that plan/);
      const strange = await refusal('PLAN_ALREADY_ACTIVE', () =>
        house.planner.queue.pull(other, { sessionName: house.session }),
      );
      assert.match(strange.message, /pulled by agent at 20.*This connection did not pull it/);
      assert.match(strange.suggestion, new RegExp(`^Don't finish it.*plan_id ${a}`));
      await house.planner.queue.release(other, { planId: a as string });
      await house.planner.queue.pull(other, { sessionName: house.session });
      const taken = await refusal('PLAN_ALREADY_ACTIVE', () => house.planner.queue.pull(house.agent, {}));
      assert.match(taken.suggestion, /^Don't finish it/, 'pulled by another since');
    });
  });

  describe('updating', () => {
    it('replaces the given sections, appends to the notes and writes the file', async () => {
      const [a] = (await house.add('a')) as [string];
      const { queue } = house.planner;
      await queue.update(house.agent, { planId: a, sections: { approach: 'walk\r\n' }, appendNotes: 'one' });
      const updated = await queue.update(house.agent, { planId: a, sections: {}, appendNotes: 'two' });
      const plan = await house.plan(a);
      assert.deepEqual([plan.goal, plan.approach, plan.notes], ['a', 'walk', 'one\ntwo']);
      assert.match(house.store.fileText(house.session, a) ?? '', /# Notes\none\ntwo\n$/);
      assert.ok(updated.planPath.endsWith(`${a}.txt`));
    });

    it('loses nothing when the file is still behind the store', async () => {
      const [a] = (await house.add('a')) as [string];
      house.store.filesLagBehind = true;
      for (const note of ['one', 'two', 'three']) {
        await house.planner.queue.update(house.agent, { planId: a, sections: {}, appendNotes: note });
      }
      assert.equal((await house.plan(a)).notes, 'one\ntwo\nthree');
    });

    it('with what is there already changes nothing', async () => {
      const [a] = (await house.add('a')) as [string];
      const changes = house.store.changes.length;
      await house.planner.queue.update(house.agent, { planId: a, sections: { goal: 'a', notes: '' } });
      assert.equal(house.store.changes.length, changes);
    });

    it('is refused for nothing, for an empty goal, for a finished plan', async () => {
      const [a] = (await house.add('a')) as [string];
      const { queue } = house.planner;
      await refusal('VALIDATION_ERROR', () => queue.update(house.agent, { planId: a, sections: {}, appendNotes: ' ' }));
      await refusal('VALIDATION_ERROR', () => queue.update(house.agent, { planId: a, sections: { goal: '' } }));
      await refusal('PLAN_NOT_FOUND', () => queue.update(house.agent, { planId: 'zzzzz', sections: { goal: 'b' } }));
      await queue.discard(house.agent, { planId: a, reason: 'moot' });
      const error = await refusal('VALIDATION_ERROR', () =>
        queue.update(house.agent, { planId: a, sections: { goal: 'b' } }),
      );
      assert.match(error.message, /discarded/);
    });
  });
});
