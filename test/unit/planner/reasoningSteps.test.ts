import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlannerError } from '../../../src/planner/errors';
import { formatSteps } from '../../../src/planner/reasoning';
import { MAX_STEPS, orderSteps, type RawStep } from '../../../src/planner/steps';
import { findPath, topologicalOrder } from '../../../src/planner/topology';

/** Edges of an acyclic graph under a random naming of its items. */
const dag = fc.integer({ min: 1, max: 25 }).chain((size) =>
  fc
    .tuple(
      fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 60 }),
    )
    .map(([names, pairs]) => {
      const edges: number[][] = Array.from({ length: size }, () => []);
      for (const [a, b] of pairs) {
        if (a !== b) edges[names[Math.max(a, b)] as number]?.push(names[Math.min(a, b)] as number);
      }
      return edges;
    }),
);

const graph = fc
  .integer({ min: 1, max: 12 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 4 }), { minLength: size, maxLength: size }));

function refusal(steps: RawStep[], goal = 'Ship it'): PlannerError {
  try {
    orderSteps(goal, steps);
  } catch (error) {
    assert.ok(error instanceof PlannerError);
    assert.equal(error.category, 'VALIDATION_ERROR');
    return error;
  }
  throw new assert.AssertionError({ message: 'the steps were accepted' });
}

describe('topological order', () => {
  it('places every item once, after all it waits for, and of the ready ones always the first given', () => {
    fc.assert(
      fc.property(dag, (edges) => {
        const topology = topologicalOrder(edges);
        assert.ok('order' in topology);
        const { order } = topology;
        assert.deepEqual(
          [...order].sort((a, b) => a - b),
          edges.map((_, item) => item),
        );
        order.forEach((item, position) => {
          const placed = new Set(order.slice(0, position));
          const ready = edges.findIndex(
            (waits, other) => !placed.has(other) && waits.every((edge) => placed.has(edge)),
          );
          assert.equal(item, ready);
        });
      }),
    );
  });

  it('names a real cycle whenever there is no order', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const topology = topologicalOrder(edges);
        if ('order' in topology) {
          topology.order.forEach((item, position) => {
            for (const edge of edges[item] ?? []) assert.ok(topology.order.indexOf(edge) < position);
          });
          return;
        }
        const { cycle } = topology;
        assert.ok(cycle.length > 0);
        assert.equal(new Set(cycle).size, cycle.length);
        cycle.forEach((item, index) => {
          assert.ok(edges[item]?.includes(cycle[(index + 1) % cycle.length] as number));
        });
      }),
    );
  });

  it('finds the shortest chain from one id to another', () => {
    const edges: Record<string, string[]> = { a: ['b', 'c'], b: ['d'], c: ['e'], d: ['e'], e: ['a'] };
    assert.deepEqual(
      findPath('a', 'e', (id) => edges[id] ?? []),
      ['a', 'c', 'e'],
    );
    assert.equal(
      findPath('a', 'z', (id) => edges[id] ?? []),
      undefined,
    );
  });
});

describe('steps of a plan', () => {
  it('numbers them in topological order, ties as given', () => {
    const plan = orderSteps('Release', [
      { title: 'Announce', depends_on: [2, 1] },
      { title: 'Write the notes' },
      { title: 'Tag', description: 'Sign it.', depends_on: [1], acceptance_criteria: 'The tag verifies.' },
    ]);
    assert.deepEqual(
      plan.steps.map(({ id, title, after }) => [id, title, after]),
      [
        ['q1', 'Write the notes', []],
        ['q2', 'Tag', ['q1']],
        ['q3', 'Announce', ['q1', 'q2']],
      ],
    );
  });

  it('takes body and after for description and depends_on', () => {
    const plan = orderSteps('Release', [
      { title: 'One', body: 'first' },
      { title: 'Two', after: [0] },
    ]);
    assert.equal(plan.steps[0]?.description, 'first');
    assert.deepEqual(plan.steps[1]?.after, ['q1']);
  });

  it('reads well', () => {
    const plan = orderSteps('Release 2.0', [
      { title: 'Tag', description: 'Sign it.\n\nPush it.', acceptance_criteria: 'The tag verifies.' },
      { title: 'Announce', depends_on: [0] },
    ]);
    assert.equal(
      formatSteps(plan, ['aaaaa', 'bbbbb']),
      [
        'Plan: Release 2.0',
        '',
        'q1. Tag (aaaaa)',
        '    Sign it.',
        '',
        '    Push it.',
        '    Done when: The tag verifies.',
        'q2. Announce (bbbbb; after: q1)',
      ].join('\n'),
    );
  });

  const refused: [string, RawStep[], RegExp][] = [
    ['no steps', [], /no steps/],
    ['a blank title', [{ title: ' \n' }], /Step 0 has no title/],
    ['a missing title', [{ title: 'a' }, { description: 'b' }], /Step 1 has no title/],
    ['a title that is no text', [{ title: 7 }], /title of step 0/],
    ['an unknown field', [{ title: 'a', priority: 'high' }], /Step 0 has an unknown field "priority"/],
    ['a field of every object', [{ title: 'a', toString: 'x' }], /unknown field "toString"/],
    ['a field under both names', [{ title: 'a', body: 'x', description: 'y' }], /description twice/],
    ['an index out of range', [{ title: 'a', depends_on: [1] }], /Step 0 depends on 1/],
    ['a negative index', [{ title: 'a', depends_on: [-1] }], /Step 0 depends on -1/],
    ['a step by its name', [{ title: 'a' }, { title: 'b', depends_on: ['q1'] }], /Step 1 depends on "q1"/],
    ['dependencies that are no list', [{ title: 'a', depends_on: 0 }], /depends_on of step 0 is no list/],
    ['a step that waits for itself', [{ title: 'a' }, { title: 'b', depends_on: [1] }], /Step 1 depends on itself/],
    ['too many steps', Array.from({ length: MAX_STEPS + 1 }, () => ({ title: 'a' })), /too many/],
  ];
  for (const [name, steps, message] of refused) {
    it(`refuses ${name}`, () => {
      assert.match(refusal(steps).message, message);
    });
  }

  it('refuses an empty goal', () => {
    assert.match(refusal([{ title: 'a' }], ' ').message, /goal is empty/);
  });

  it('names the steps of a circle in the order they wait', () => {
    const error = refusal([
      { title: 'Bake', depends_on: [2] },
      { title: 'Shop' },
      { title: 'Taste', depends_on: [1, 3] },
      { title: 'Serve', depends_on: [0] },
    ]);
    assert.match(
      error.message,
      /step 0 \("Bake"\) waits for step 2 \("Taste"\) waits for step 3 \("Serve"\) waits for step 0 \("Bake"\)/,
    );
  });
});
