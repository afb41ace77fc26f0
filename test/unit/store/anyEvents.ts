import fc from 'fast-check';
import type { DomainEvent } from '../../../src/planner/events';
import { sectionsOf } from './projectionHouse';

const session = fc.constantFrom('calm-blue-fox', 'wild-red-owl');
const plan = fc.constantFrom('aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee', 'fffff');
const proposal = fc.constantFrom('p1', 'p2');
const owner = fc.record({ session, client: fc.constantFrom('claude', 'codex'), agent: fc.constantFrom('', 'one') });
const position = fc.integer({ min: 1, max: 7 });
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((any) => any.replaceAll('\0', '')),
  fc.constantFrom('getUserById fails', '数据库迁移', `it's "quoted" -- AND OR *`, 'src/a/b.ts'),
);
const todos = fc.array(
  fc.record({ content: text, status: fc.constantFrom('pending' as const, 'completed' as const) }),
  { maxLength: 3 },
);
const type = <T extends DomainEvent['type']>(name: T): fc.Arbitrary<T> => fc.constant(name);

const anyEvent: fc.Arbitrary<DomainEvent> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: type('session_created'), session, taskDescription: fc.option(text) }) },
  fc.record({ type: type('session_described'), session, taskDescription: fc.option(text) }),
  fc.record({ type: type('session_archived'), session, archived: fc.boolean() }),
  fc.record({ type: type('session_deleted'), session }),
  fc.record({ type: type('session_selected'), session: fc.option(session) }),
  {
    weight: 8,
    arbitrary: fc.record({
      type: type('plan_added'),
      plan,
      session,
      position,
      sections: fc.record({ goal: text, context: text, notes: text, outputs: text }).map(sectionsOf),
      parent: fc.option(plan),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: type('plan_edited'),
      plan,
      sections: fc.record({ goal: text, notes: text }, { requiredKeys: [] }),
      source: fc.constantFrom('file' as const, 'command' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: type('plan_moved'), plan, position }) },
  { weight: 3, arbitrary: fc.record({ type: type('plan_pulled'), plan, client: fc.constant('codex') }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: type('plan_requeued'), plan, position, cause: fc.constantFrom('deferred' as const) }),
  },
  { weight: 4, arbitrary: fc.record({ type: type('plan_completed'), plan, outcome: text }) },
  { weight: 2, arbitrary: fc.record({ type: type('plan_discarded'), plan, reason: text }) },
  { weight: 2, arbitrary: fc.record({ type: type('plan_linked'), plan, waitsFor: plan }) },
  fc.record({ type: type('plan_unlinked'), plan, waitsFor: plan }),
  fc.record({ type: type('plan_reparented'), plan, parent: fc.option(plan) }),
  fc.record({ type: type('plan_annotated'), plan, metadata: fc.option(fc.dictionary(fc.string(), fc.integer())) }),
  fc.record({ type: type('proposal_opened'), proposal, owner, reason: fc.option(text), goal: fc.option(text) }),
  fc.record({ type: type('proposal_submitted'), proposal, round: fc.integer({ min: 1, max: 3 }), plan: text, todos }),
  fc.record({
    type: type('proposal_decided'),
    proposal,
    round: fc.integer({ min: 1, max: 3 }),
    decision: fc.constantFrom('approved' as const, 'changes_requested' as const, 'rejected' as const),
    decidedBy: fc.constant('editor'),
    feedback: fc.option(text),
    comments: fc.array(
      fc.record({ quote: text, comment: text, occurrence: fc.nat(9) }, { requiredKeys: ['quote', 'comment'] }),
      { maxLength: 2 },
    ),
    approvedPlan: fc.option(text),
    queuedPlans: fc.array(plan, { maxLength: 2 }),
  }),
  fc.record({ type: type('proposal_superseded'), proposal }),
  fc.record({ type: type('todos_replaced'), owner, todos }),
);

/** Events as they could stand in a journal of which parts were lost: about plans that may not be there, in any order. */
export const anyEvents = fc.array(anyEvent, { minLength: 1, maxLength: 60, size: 'max' });
