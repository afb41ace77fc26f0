import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newCaller } from '../../../src/planner/caller';
import { PlannerError } from '../../../src/planner/errors';
import { formatPlan } from '../../../src/planner/planDocument';
import { TASK_STATUSES, type TaskStatus } from '../../../src/planner/taskStatus';
import { LIST_LIMIT } from '../../../src/planner/tasks';
import { findPath } from '../../../src/planner/topology';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

describe('tasks', () => {
  let over: PlannerOverMemory;
  beforeEach(async () => {
    over = await PlannerOverMemory.open();
  });
  afterEach(() => over.store.close());

  const tasks = () => over.planner.tasks;
  const create = async (title: string, more: { body?: string; parent?: string; dependsOn?: string[] } = {}) =>
    (await tasks().create(over.agent, { title, ...more })).id;
  const update = (id: string, status?: TaskStatus, metadata?: Record<string, unknown>) =>
    tasks().update(over.agent, { id, status, metadata });
  const unchanged = async (category: Parameters<typeof refusal>[0], call: () => unknown) => {
    const before = over.store.image();
    const error = await refusal(category, call);
    assert.deepEqual(over.store.image(), before);
    return error;
  };

  it('are plans at the end of the queue', async () => {
    await over.add('Pack');
    const id = await create('Order the van', { body: 'A big one.\r\nCheap.' });
    assert.deepEqual(await over.goals(), ['Pack', 'Order the van']);
    const { plan, status, planPath } = await tasks().read({ id });
    assert.equal(plan.approach, 'A big one.\nCheap.');
    assert.equal(status, 'open');
    assert.ok(planPath.endsWith(`${id}.txt`));
  });

  it('make a session for an agent that has none', async () => {
    await over.planner.sessions.delete(newCaller('editor'), { sessionName: over.session });
    const fresh = newCaller('fresh');
    const { session } = await tasks().create(fresh, { title: 'Paint' });
    assert.equal(fresh.session, session);
  });

  it('know their parent, children, blockers and dependents', async () => {
    const move = await create('Move');
    const pack = await create('Pack', { parent: move });
    const drive = await create('Drive', { parent: move, dependsOn: [pack, pack] });
    const parent = await tasks().read({ id: move });
    assert.deepEqual(parent.children.map(({ id }) => id).sort(), [pack, drive].sort());
    const blocked = await tasks().read({ id: drive });
    assert.equal(blocked.plan.parentId, move);
    assert.deepEqual(blocked.dependsOn, [{ id: pack, goal: 'Pack' }]);
    assert.deepEqual((await tasks().read({ id: pack })).blocks, [{ id: drive, goal: 'Drive' }]);
  });

  it('are not created on a parent or a blocker that does not exist', async () => {
    await unchanged('PLAN_NOT_FOUND', () => create('Drive', { dependsOn: ['zzzzz'] }));
    await unchanged('PLAN_NOT_FOUND', () => create('Drive', { parent: 'zzzzz' }));
    await unchanged('VALIDATION_ERROR', () => create('Drive', { dependsOn: ['../..'] }));
    await unchanged('VALIDATION_ERROR', () => create(' '));
  });

  describe('transitions', () => {
    const reach: Record<TaskStatus, (id: string) => Promise<unknown>> = {
      open: async () => undefined,
      in_progress: (id) => update(id, 'in_progress'),
      done: (id) => update(id, 'done', { outcome: 'Painted.' }),
      cancelled: (id) => tasks().delete(over.agent, { id }),
    };
    const allowed: Record<TaskStatus, TaskStatus[]> = {
      open: ['in_progress', 'done'],
      in_progress: ['open', 'done'],
      done: ['open'],
      cancelled: [],
    };
    for (const from of TASK_STATUSES) {
      for (const to of TASK_STATUSES) {
        const fine = from === to || allowed[from].includes(to);
        it(`${from} -> ${to} is ${fine ? 'made' : 'refused'}`, async () => {
          await create('Before');
          const id = await create('Paint');
          await create('After');
          await reach[from](id);
          if (!fine) {
            const error = await unchanged('VALIDATION_ERROR', () => update(id, to));
            assert.ok(error.message.includes(`is ${from}`));
            return;
          }
          const changes = over.store.changes.length;
          const task = await update(id, to);
          assert.equal(task.status, to);
          if (from === to) assert.equal(over.store.changes.length, changes);
          await over.goals();
        });
      }
    }

    it('keep the outcome out of the metadata and in the history', async () => {
      const id = await create('Paint');
      const { plan } = await update(id, 'done', { outcome: 'Two coats.', colour: 'white' });
      assert.equal(plan.outcome, 'Two coats.');
      assert.deepEqual(plan.metadata, { colour: 'white' });
      assert.equal((await over.planner.history.get(over.agent, { planId: id })).outcome, 'Two coats.');
    });

    it('say in the history that there was no outcome', async () => {
      const id = await create('Paint');
      assert.match((await update(id, 'done')).plan.outcome ?? '', /without an outcome/);
    });

    it('refuse an outcome that is empty or no text', async () => {
      const id = await create('Paint');
      await unchanged('VALIDATION_ERROR', () => update(id, 'done', { outcome: ' ' }));
      await unchanged('VALIDATION_ERROR', () => update(id, 'done', { outcome: 7 }));
    });

    it('do not start a second task, and name the first', async () => {
      const first = await create('Paint');
      const second = await create('Clean');
      await update(first, 'in_progress');
      const error = await unchanged('VALIDATION_ERROR', () => update(second, 'in_progress'));
      assert.ok(error.message.includes(first));
    });

    it('do not start a task that waits, and name what it waits for', async () => {
      const first = await create('Paint');
      const second = await create('Clean', { dependsOn: [first] });
      const error = await unchanged('VALIDATION_ERROR', () => update(second, 'in_progress'));
      assert.ok(error.message.includes(first));
      await update(first, 'done');
      assert.equal((await update(second, 'in_progress')).status, 'in_progress');
    });

    it('put an active task back to the front and a done one to the back', async () => {
      const first = await create('Paint');
      await create('Clean');
      await update(first, 'in_progress');
      await update(first, 'open');
      assert.deepEqual(await over.goals(), ['Paint', 'Clean']);
      await update(first, 'done', { outcome: 'White.' });
      await update(first, 'open');
      assert.deepEqual(await over.goals(), ['Clean', 'Paint']);
      assert.match((await over.plan(first)).notes, /White\./);
    });

    it('to done are possible for a task that still waits, and what it waited for is told', async () => {
      const first = await create('Wash');
      const id = await create('Paint');
      await over.planner.tasks.dep(over.agent, { id, add: [first] });
      const done = await over.planner.tasks.update(over.agent, { id, status: 'done' });
      assert.deepEqual(
        done.finishedBefore.map(({ id }) => id),
        [first],
      );
      const again = await over.planner.tasks.update(over.agent, { id, status: 'done' });
      assert.deepEqual(again.finishedBefore, []);
    });

    it('take in what was edited in the file', async () => {
      const id = await create('Paint');
      over.editFile(id, (text) => text.replace('Paint', 'Paint the hall'));
      const { plan } = await update(id, 'done', { outcome: 'White.' });
      assert.equal(plan.goal, 'Paint the hall');
    });

    it('are followed by the connection, like a pull and its end', async () => {
      const id = await create('Paint');
      await update(id, 'in_progress');
      assert.equal(over.agent.pulled?.plan, id);
      await over.planner.queue.complete(over.agent, { outcome: 'White.' });
      const other = await create('Clean');
      await update(other, 'in_progress');
      await update(other, 'done');
      assert.equal(over.agent.pulled, undefined);
    });
  });

  describe('metadata', () => {
    it('is merged, and null removes a key', async () => {
      const id = await create('Paint');
      await update(id, undefined, { colour: 'white', coats: 2, nested: { a: [1] } });
      await update(id, undefined, { colour: null, coats: 3 });
      assert.deepEqual((await over.plan(id)).metadata, { coats: 3, nested: { a: [1] } });
      await update(id, undefined, { coats: null, nested: null });
      assert.equal((await over.plan(id)).metadata, null);
    });

    it('is refused when it grows too large', async () => {
      const id = await create('Paint');
      await unchanged('VALIDATION_ERROR', () => update(id, undefined, { long: 'x'.repeat(70_000) }));
      const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
      await update(id, undefined, { fine: nested(99) });
      for (const levels of [100, 30_000]) {
        await unchanged('VALIDATION_ERROR', () => update(id, undefined, { deep: nested(levels) }));
      }
    });
  });

  describe('edit', () => {
    it('revises title and body and leaves the other sections', async () => {
      const [id = ''] = await over.add('Paint');
      await over.planner.queue.update(over.agent, { planId: id, sections: { context: 'The hall.' } });
      const { plan } = await tasks().edit(over.agent, { id, title: 'Paint it', body: 'White.' });
      assert.equal(plan.goal, 'Paint it');
      assert.equal(plan.approach, 'White.');
      assert.equal(plan.context, 'The hall.');
      assert.equal(over.store.fileText(over.session, id), formatPlan(plan));
    });

    it('sets and clears the parent, never making a task its own ancestor', async () => {
      const a = await create('a');
      const b = await create('b', { parent: a });
      const c = await create('c', { parent: b });
      const error = await unchanged('VALIDATION_ERROR', () => tasks().edit(over.agent, { id: a, parent: c }));
      assert.ok(error.message.includes(`${a} is part of ${c} is part of ${b} is part of ${a}`));
      await unchanged('VALIDATION_ERROR', () => tasks().edit(over.agent, { id: a, parent: a }));
      await tasks().edit(over.agent, { id: c, parent: '' });
      assert.equal((await over.plan(c)).parentId, null);
      await tasks().edit(over.agent, { id: a, parent: c });
    });

    it('is refused for a finished task', async () => {
      const id = await create('Paint');
      await update(id, 'done');
      await unchanged('VALIDATION_ERROR', () => tasks().edit(over.agent, { id, title: 'x' }));
    });

    it('is refused if there is nothing to change', async () => {
      const id = await create('Paint');
      await unchanged('VALIDATION_ERROR', () => tasks().edit(over.agent, { id }));
    });
  });

  describe('delete', () => {
    it('cancels an open or active task, frees what waited for it, and may be repeated', async () => {
      const first = await create('Paint');
      const second = await create('Clean', { dependsOn: [first] });
      await update(first, 'in_progress');
      const { status, plan } = await tasks().delete(over.agent, { id: first, reason: 'Too dear.' });
      assert.equal(status, 'cancelled');
      assert.equal(plan.discardReason, 'Too dear.');
      assert.equal(over.agent.pulled, undefined);
      const changes = over.store.changes.length;
      await tasks().delete(over.agent, { id: first });
      assert.equal(over.store.changes.length, changes);
      assert.equal((await update(second, 'in_progress')).status, 'in_progress');
    });

    it('never removes completed work', async () => {
      const id = await create('Paint');
      await update(id, 'done', { outcome: 'White.' });
      await unchanged('VALIDATION_ERROR', () => tasks().delete(over.agent, { id }));
      assert.equal((await over.planner.history.get(over.agent, { planId: id })).outcome, 'White.');
    });
  });

  describe('dependencies', () => {
    const dep = (id: string, add: string[], remove: string[] = []) => tasks().dep(over.agent, { id, add, remove });

    it('are added and removed, twice without harm', async () => {
      const a = await create('a');
      const b = await create('b');
      await dep(a, [b, b]);
      const { dependsOn } = await dep(a, [b]);
      assert.deepEqual(
        dependsOn.map(({ id }) => id),
        [b],
      );
      const both = await unchanged('VALIDATION_ERROR', () => dep(a, [b], [b]));
      assert.match(both.message, /stands in add and in remove/);
      await dep(a, [], [b]);
      assert.deepEqual((await dep(a, [], [b])).dependsOn, []);
    });

    it('can be turned round in one call', async () => {
      const a = await create('a');
      const b = await create('b', { dependsOn: [a] });
      await tasks().dep(over.agent, { id: b, remove: [a] });
      await dep(a, [b]);
      assert.deepEqual((await over.store.read((view) => view.firstReady(over.session)))?.id, b);
    });

    it('are refused when they make a circle, which is named', async () => {
      const a = await create('a');
      const b = await create('b', { dependsOn: [a] });
      const c = await create('c', { dependsOn: [b] });
      const error = await unchanged('VALIDATION_ERROR', () => dep(a, [c]));
      assert.ok(error.message.includes(`${a} waits for ${c} waits for ${b} waits for ${a}`));
      await unchanged('VALIDATION_ERROR', () => dep(a, [a]));
      await unchanged('PLAN_NOT_FOUND', () => dep(a, ['zzzzz']));
    });

    it('reach into another session', async () => {
      const a = await create('a');
      const other = newCaller('other');
      await over.planner.sessions.create(other, {});
      const { id: b } = await tasks().create(other, { title: 'b', dependsOn: [a] });
      assert.deepEqual((await over.planner.queue.pull(other, {})).kind, 'blocked');
      await update(a, 'done');
      assert.equal((await tasks().update(other, { id: b, status: 'in_progress' })).session, other.session);
    });
  });

  describe('list', () => {
    it('shows unfinished tasks in working order, then finished ones, newest first', async () => {
      const [a, b, c, d, e] = [
        await create('a'),
        await create('b'),
        await create('c'),
        await create('d'),
        await create('e'),
      ];
      await update(c, 'in_progress');
      await update(a, 'done');
      await update(b, 'done');
      await tasks().delete(over.agent, { id: d });
      const { tasks: all, more } = await tasks().list(over.agent, {});
      assert.deepEqual(
        all.map(({ id, status }) => [id, status]),
        [
          [c, 'in_progress'],
          [e, 'open'],
          [b, 'done'],
          [a, 'done'],
          [d, 'cancelled'],
        ],
      );
      assert.equal(more, false);
      const ids = async (status: TaskStatus) => (await tasks().list(over.agent, { status })).tasks.map(({ id }) => id);
      assert.deepEqual(await ids('open'), [e]);
      assert.deepEqual(await ids('in_progress'), [c]);
      assert.deepEqual(await ids('done'), [b, a]);
      assert.deepEqual(await ids('cancelled'), [d]);
    });

    it('is bounded and says that there is more', async () => {
      await over.add(...Array.from({ length: LIST_LIMIT }, (_, index) => `task ${index}`));
      assert.equal((await tasks().list(over.agent, {})).more, false);
      await create('one more');
      const { tasks: all, more } = await tasks().list(over.agent, { status: 'open' });
      assert.equal(all.length, LIST_LIMIT);
      assert.equal(more, true);
    });
  });

  it('never wait or belong in a circle, whatever is asked for', async () => {
    const step = fc.record({
      kind: fc.constantFrom('dep', 'parent', 'undep'),
      from: fc.nat(6),
      to: fc.nat(6),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const ids: string[] = [];
        for (let index = 0; index < 7; index++) ids.push(await create(`task ${index}`));
        const [waits, belongs] = [new Map<string, Set<string>>(), new Map<string, string>()];
        for (const { kind, from, to } of steps) {
          const [a, b] = [ids[from] as string, ids[to] as string];
          const edges =
            kind === 'parent'
              ? (id: string) => [belongs.get(id) ?? []].flat()
              : (id: string) => [...(waits.get(id) ?? [])];
          const circle = kind !== 'undep' && findPath(b, a, edges) !== undefined;
          const call = () =>
            kind === 'parent'
              ? tasks().edit(over.agent, { id: a, parent: b })
              : tasks().dep(over.agent, kind === 'dep' ? { id: a, add: [b] } : { id: a, remove: [b] });
          if (circle) {
            await assert.rejects(
              call,
              (error) => error instanceof PlannerError && error.category === 'VALIDATION_ERROR',
            );
            continue;
          }
          await call();
          if (kind === 'parent') belongs.set(a, b);
          else if (kind === 'dep') waits.set(a, (waits.get(a) ?? new Set()).add(b));
          else waits.get(a)?.delete(b);
        }
        for (const id of ids) {
          const { dependsOn, plan } = await tasks().read({ id });
          assert.deepEqual(dependsOn.map(({ id }) => id).sort(), [...(waits.get(id) ?? [])].sort());
          assert.equal(plan.parentId, belongs.get(id) ?? null);
        }
      }),
      { numRuns: 25 },
    );
  });
});
