import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newCaller } from '../../../src/planner/caller';
import { PlannerError } from '../../../src/planner/errors';
import type { QueueEnd } from '../../../src/planner/model';
import { PlannerOverMemory } from '../../support/plannerOverMemory';

/** What a session should look like, kept with plain lists. Plans are named by their goals. */
class Model {
  readonly ids = new Map<string, string>();
  queue: string[] = [];
  active: string | undefined;
  readonly finished: string[] = [];
  readonly waitsFor = new Map<string, string>();

  ready(): string | undefined {
    return this.queue.find((goal) => {
      const blocker = this.waitsFor.get(goal);
      return blocker === undefined || this.finished.includes(blocker);
    });
  }

  insert(goal: string, end: QueueEnd): void {
    if (end === 'front') this.queue.unshift(goal);
    else this.queue.push(goal);
  }

  take(goal: string): void {
    this.queue = this.queue.filter((other) => other !== goal);
    if (this.active === goal) this.active = undefined;
  }
}

type Step = (house: PlannerOverMemory, model: Model) => Promise<void>;
const editor = newCaller('editor');
const end = fc.constantFrom<QueueEnd>('front', 'back');
const pick = fc.nat({ max: 999 });
const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];

let added = 0;
const add = end.map(
  (position): Step =>
    async (house, model) => {
      const goal = `goal ${added++}`;
      const { plans } = await house.planner.queue.add(house.agent, { plans: [{ goal }], position });
      model.ids.set(goal, plans[0]?.planId as string);
      model.insert(goal, position);
    },
);

const pull = fc.constant<Step>(async (house, model) => {
  const expected = model.ready();
  try {
    const pulled = await house.planner.queue.pull(house.agent, {});
    assert.equal(model.active, undefined);
    assert.equal(pulled.kind === 'pulled' ? pulled.plan.goal : undefined, expected);
    assert.equal(pulled.kind === 'empty', model.queue.length === 0);
    if (expected === undefined) return;
    model.take(expected);
    model.active = expected;
  } catch (error) {
    assert.ok(error instanceof PlannerError && error.category === 'PLAN_ALREADY_ACTIVE' && model.active !== undefined);
  }
});

const complete = fc.constant<Step>(async (house, model) => {
  const goal = model.active;
  if (goal === undefined) return;
  const planId = model.ids.get(goal) as string;
  const { next } = await house.planner.queue.complete(editor, { planId, outcome: 'ok' });
  model.take(goal);
  model.finished.push(goal);
  assert.equal(next?.goal, model.ready());
});

const giveBack = fc.tuple(end, fc.boolean()).map(
  ([position, released]): Step =>
    async (house, model) => {
      const goal = model.active;
      if (goal === undefined) return;
      const planId = model.ids.get(goal) as string;
      if (released) await house.planner.queue.release(editor, { planId });
      else await house.planner.queue.defer(editor, { planId, reason: 'later', position });
      model.take(goal);
      model.insert(goal, released ? 'front' : position);
    },
);

const discard = pick.map(
  (index): Step =>
    async (house, model) => {
      const goal = at([...model.queue, ...(model.active ? [model.active] : [])], index);
      if (goal === undefined) return;
      await house.planner.queue.discard(editor, { planId: model.ids.get(goal) as string, reason: 'moot' });
      model.take(goal);
      model.finished.push(goal);
    },
);

const reopen = fc.tuple(pick, end).map(
  ([index, position]): Step =>
    async (house, model) => {
      const goal = at(model.finished, index);
      if (goal === undefined) return;
      await house.planner.queue.reopen(editor, { planId: model.ids.get(goal) as string, position });
      model.finished.splice(model.finished.indexOf(goal), 1);
      model.insert(goal, position);
    },
);

const move = fc.tuple(pick, pick).map(
  ([from, to]): Step =>
    async (house, model) => {
      const [goal, target] = [at(model.queue, from), at(model.queue, to)];
      if (goal === undefined || target === undefined || goal === target) return;
      const [planId, before] = [model.ids.get(goal) as string, model.ids.get(target) as string];
      await house.planner.queue.move(editor, { planIds: [planId], to: { before } });
      model.take(goal);
      model.queue.splice(model.queue.indexOf(target), 0, goal);
    },
);

const wait = fc.tuple(pick, pick).map(
  ([one, other]): Step =>
    async (house, model) => {
      const [goal, blocker] = [at(model.queue, one), at([...model.ids.keys()], other)];
      // A plan waits only for one added before it: no circle can come about.
      if (goal === undefined || blocker === undefined || model.waitsFor.has(goal)) return;
      if (Number(blocker.slice(5)) >= Number(goal.slice(5))) return;
      await house.link(model.ids.get(goal) as string, model.ids.get(blocker) as string);
      model.waitsFor.set(goal, blocker);
    },
);

const handEdit = pick.map(
  (index): Step =>
    async (house, model) => {
      const goal = at([...model.queue, ...(model.active ? [model.active] : [])], index);
      if (goal !== undefined) house.editFile(model.ids.get(goal) as string, (text) => `${text}by hand ${index}\n`);
    },
);

describe('a session under any sequence of changes', () => {
  it('has the queue, the active plan and the files that a plain list would have', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: add },
      pull,
      pull,
      complete,
      giveBack,
      discard,
      reopen,
      move,
      wait,
      handEdit,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
        const house = await PlannerOverMemory.open();
        try {
          const model = new Model();
          for (const change of steps) {
            await change(house, model);
            assert.deepEqual(await house.goals(), model.queue);
            const { activePlan } = await house.planner.sessions.state(house.agent, {});
            assert.equal(activePlan?.goal, model.active);
          }
          assert.deepEqual((await house.planner.integrity.validate(house.agent, {})).issues, []);
        } finally {
          house.store.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
