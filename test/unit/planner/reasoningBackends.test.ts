import assert from 'node:assert/strict';
import type { Caller } from '../../../src/planner/caller';
import { newCaller } from '../../../src/planner/caller';
import { PlannerError } from '../../../src/planner/errors';
import type { BackendAnswer, PlanBackend } from '../../../src/planner/planBackend';
import { QueueBackend } from '../../../src/planner/queueBackend';
import { Reasoning } from '../../../src/planner/reasoning';
import { PlannerOverMemory } from '../../support/plannerOverMemory';
import { refusal } from '../../support/refusal';

const STEPS = [
  { title: 'Serve', depends_on: [1, 2] },
  { title: 'Cook', description: 'Slowly.', depends_on: [2], acceptance_criteria: 'It is soft.' },
  { title: 'Shop' },
];

class OtherBackend implements PlanBackend {
  readonly kind = 'task_backend';
  constructor(private readonly answer: () => Promise<BackendAnswer>) {}
  createPlan(): Promise<BackendAnswer> {
    return this.answer();
  }
}

describe('reasoning_plan', () => {
  let over: PlannerOverMemory;
  beforeEach(async () => {
    over = await PlannerOverMemory.open();
  });
  afterEach(() => over.store.close());

  const plan = (caller: Caller = over.agent) => over.planner.reasoning.plan(caller, { goal: 'Dinner', steps: STEPS });

  it('queues one plan a step, in order, behind what is queued, with real blockers', async () => {
    await over.add('Wash up');
    const changes = over.store.changes.length;
    const { steps, persisted, warning, session } = await plan();
    assert.equal(over.store.changes.length, changes + 1);
    assert.equal(session, over.session);
    assert.equal(persisted, 'queue');
    assert.equal(warning, undefined);
    assert.deepEqual(await over.goals(), ['Wash up', 'Shop', 'Cook', 'Serve']);
    assert.deepEqual(
      steps.map(({ id, title, after }) => [id, title, after]),
      [
        ['q1', 'Shop', []],
        ['q2', 'Cook', ['q1']],
        ['q3', 'Serve', ['q1', 'q2']],
      ],
    );
    const [shop, cook, serve] = steps.map(({ planId }) => planId as string);
    const queue = await over.store.read((view) => view.queue(over.session));
    assert.deepEqual(
      queue.slice(1).map(({ id, waitingFor }) => [id, waitingFor]),
      [
        [shop, []],
        [cook, [shop]],
        [serve, [shop, cook].sort()],
      ],
    );
  });

  it('puts the goal before the first step and the order into the words of each', async () => {
    const { steps } = await plan();
    const [shop, cook, serve] = await Promise.all(steps.map(({ planId }) => over.plan(planId as string)));
    assert.match(shop?.context ?? '', /^Goal of the whole plan: Dinner\n/);
    assert.equal(shop?.inputs, '');
    assert.match(cook?.inputs ?? '', /^after: q1\n.*"Shop"/);
    assert.match(serve?.inputs ?? '', /^after: q1, q2\n/);
    assert.equal(cook?.approach, 'Slowly.');
    assert.equal(cook?.successCriteria, 'It is soft.');
  });

  it('makes a session for an agent that has none, described by the goal', async () => {
    const fresh = newCaller('fresh');
    const { session } = await over.planner.reasoning.plan(fresh, { goal: 'Dinner', steps: STEPS });
    assert.equal(fresh.session, session);
    const made = await over.store.read((view) => view.session(session as string));
    assert.equal(made?.taskDescription, 'Dinner');
  });

  it('stores nothing for steps that make no plan', async () => {
    const before = over.store.image();
    await refusal('VALIDATION_ERROR', () => over.planner.reasoning.plan(over.agent, { goal: 'x', steps: [] }));
    await refusal('SESSION_NOT_FOUND', () =>
      over.planner.reasoning.plan(over.agent, { sessionName: 'no-such-session', goal: 'x', steps: STEPS }),
    );
    assert.deepEqual(over.store.image(), before);
  });

  const withBackend = (answer: () => Promise<BackendAnswer>) =>
    new Reasoning([new OtherBackend(answer), new QueueBackend(over.store)]).plan(over.agent, {
      goal: 'Dinner',
      steps: STEPS,
    });

  it('prefers the task backend and names its ids', async () => {
    const ids = ['T-1', 'T-2', 'T-3'];
    const result = await withBackend(async () => ({ ids, session: null, assumed: false }));
    assert.equal(result.persisted, 'task_backend');
    assert.deepEqual(
      result.steps.map(({ planId }) => planId),
      ids,
    );
    assert.deepEqual(await over.goals(), []);
  });

  it('falls back to the queue, with a warning, if the backend takes no plans', async () => {
    const result = await withBackend(async () => ({ unavailable: 'It has no task_create.' }));
    assert.equal(result.persisted, 'queue');
    assert.match(result.warning ?? '', /no task_create/);
    assert.equal((await over.goals()).length, 3);
  });

  const outages: [string, Error][] = [
    ['fails', new Error('connection refused')],
    ['reports a full disk', new PlannerError('FILE_SYSTEM_ERROR', 'no space left', 'Free some.')],
  ];
  for (const [name, error] of outages) {
    it(`keeps the plan in the conversation alone if the backend ${name}`, async () => {
      const result = await withBackend(() => Promise.reject(error));
      assert.equal(result.persisted, 'none');
      assert.ok(result.warning?.includes(error.message));
      assert.deepEqual(
        result.steps.map(({ planId }) => planId),
        [null, null, null],
      );
      assert.match(result.text, /q3\. Serve \(after: q1, q2\)/);
      assert.deepEqual(await over.goals(), []);
    });
  }
});
