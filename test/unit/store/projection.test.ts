import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DomainEvent } from '../../../src/planner/events';
import type { Todo } from '../../../src/planner/model';
import { openProjection, schemaDigest } from '../../../src/store/projection';
import type { Projection } from '../../../src/store/projectionPort';
import { SCHEMA_DIGEST } from '../../../src/store/schema';
import { indexText } from '../../../src/store/searchText';
import { loadSqlJs } from '../../../src/store/sqlJs';
import { anyEvents } from './anyEvents';
import { ProjectionHouse, SESSION, sectionsOf } from './projectionHouse';

describe('the projection', () => {
  let house: ProjectionHouse;
  beforeEach(async () => {
    house = await ProjectionHouse.furnished();
  });
  afterEach(() => house.close());

  describe('sessions', () => {
    it('holds what events say of a session', () => {
      const created = house.view.session(SESSION)?.createdAt;
      assert.deepEqual(house.view.session(SESSION), {
        name: SESSION,
        taskDescription: 'A task',
        createdAt: created,
        archivedAt: null,
      });
      house.commit({ type: 'session_described', session: SESSION, taskDescription: null });
      const archived = house.commit({ type: 'session_archived', session: SESSION, archived: true });
      assert.deepEqual(house.view.session(SESSION), {
        name: SESSION,
        taskDescription: null,
        createdAt: created,
        archivedAt: archived,
      });
      house.commit({ type: 'session_archived', session: SESSION, archived: false });
      assert.equal(house.view.session(SESSION)?.archivedAt, null);
      assert.equal(house.view.session('no-such-one'), undefined);
    });

    it('lists the newest first, archived ones only if asked for, with counts and the time of the last change', () => {
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.finish('aaaaa');
      house.add('bbbbb');
      const changedAt = house.commit({ type: 'plan_pulled', plan: 'bbbbb', client: 'tester' });
      house.add('ccccc', {}, 'second');
      const changedSecond = house.commit({ type: 'session_archived', session: 'second', archived: true });
      const [first] = house.view.sessions();
      assert.deepEqual(
        house.view.sessions().map(({ name }) => name),
        [SESSION],
      );
      assert.deepEqual(
        { ...first },
        {
          ...house.view.session(SESSION),
          queueLength: 0,
          completedCount: 1,
          hasActivePlan: true,
          changedAt,
        },
      );
      const [newest, oldest] = house.view.sessions({ archived: true });
      assert.equal(newest?.name, 'second');
      assert.equal(newest?.queueLength, 1);
      assert.equal(newest?.hasActivePlan, false);
      assert.equal(newest?.changedAt, changedSecond);
      assert.equal(oldest?.name, SESSION);
    });

    it('knows the selected session, until it is deselected or deleted', () => {
      assert.equal(house.view.selectedSession(), undefined);
      house.commit({ type: 'session_selected', session: SESSION });
      assert.equal(house.view.selectedSession(), SESSION);
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.commit({ type: 'session_selected', session: 'second' });
      assert.equal(house.view.selectedSession(), 'second');
      house.commit({ type: 'session_selected', session: null });
      assert.equal(house.view.selectedSession(), undefined);
      house.commit({ type: 'session_selected', session: 'second' }, { type: 'session_deleted', session: 'second' });
      assert.equal(house.view.selectedSession(), undefined);
    });

    it('finds the sessions with open work', () => {
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.commit({ type: 'session_created', session: 'third', taskDescription: null });
      assert.deepEqual(house.view.sessionsWithOpenWork(), []);
      house.add('aaaaa', {}, SESSION);
      house.add('bbbbb', {}, 'second');
      house.commit({ type: 'plan_pulled', plan: 'bbbbb', client: 'tester' });
      house.finish('ccccc', {}, 'Done.', 'third');
      assert.deepEqual(house.view.sessionsWithOpenWork().sort(), [SESSION, 'second']);
      house.commit({ type: 'session_archived', session: 'second', archived: true });
      assert.deepEqual(house.view.sessionsWithOpenWork(), [SESSION]);
    });

    it('deletes a session with all that belongs to it, and nothing else', () => {
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.finish('aaaaa', { goal: 'Vanishing zebra' });
      house.add('bbbbb');
      house.add('ccccc', {}, 'second');
      house.finish('ddddd', { goal: 'Staying zebra' }, 'Done.', 'second');
      house.commit(
        { type: 'plan_linked', plan: 'ccccc', waitsFor: 'bbbbb' },
        { type: 'plan_reparented', plan: 'ccccc', parent: 'bbbbb' },
      );
      const owner = { session: SESSION, client: 'tester', agent: '' };
      house.commit(
        { type: 'proposal_opened', proposal: 'p1', owner, reason: null, goal: null },
        { type: 'todos_replaced', owner, todos: [{ content: 'x', status: 'pending' }] },
      );
      house.commit({ type: 'session_deleted', session: SESSION });
      assert.equal(house.view.session(SESSION), undefined);
      assert.equal(house.view.plan('aaaaa'), undefined);
      assert.equal(house.view.proposal('p1'), undefined);
      assert.deepEqual(house.view.todos(owner), []);
      assert.equal(house.view.plan('ccccc')?.parentId, null);
      assert.equal(house.view.firstReady('second')?.id, 'ccccc');
      assert.deepEqual(
        house.view.searchHistory('zebra', { limit: 10 }).map(({ id }) => id),
        ['ddddd'],
      );
      assert.deepEqual(house.view.inconsistencies('second'), []);
    });
  });

  describe('plans', () => {
    it('holds all that was added', () => {
      const sections = {
        context: 'Context',
        goal: 'Goal',
        inputs: 'Inputs',
        outputs: 'Outputs',
        approach: 'Approach',
        successCriteria: 'Criteria',
        notes: 'Notes',
      };
      house.add('ppppp');
      const createdAt = house.commit({
        type: 'plan_added',
        plan: 'aaaaa',
        session: SESSION,
        position: 1,
        sections,
        parent: 'ppppp',
      });
      assert.deepEqual(
        { ...house.view.plan('aaaaa') },
        {
          ...sections,
          id: 'aaaaa',
          sessionName: SESSION,
          status: 'queued',
          queuePosition: 1,
          outcome: null,
          createdAt,
          createdBy: 'tester',
          completedAt: null,
          pulledBy: null,
          pulledAt: null,
          discardReason: null,
          discardedAt: null,
          parentId: 'ppppp',
          metadata: null,
          fileVersion: null,
        },
      );
    });

    it('goes through a life', () => {
      house.add('aaaaa');
      house.add('bbbbb');
      const pulledAt = house.commit({ type: 'plan_pulled', plan: 'aaaaa', client: 'codex' });
      assert.equal(house.view.activePlan(SESSION)?.id, 'aaaaa');
      const active = house.view.plan('aaaaa');
      assert.deepEqual(
        [active?.status, active?.pulledBy, active?.pulledAt, active?.queuePosition],
        ['active', 'codex', pulledAt, null],
      );
      assert.deepEqual(house.queue, ['bbbbb']);

      house.commit({ type: 'plan_requeued', plan: 'aaaaa', position: 2, cause: 'deferred' });
      const queued = house.view.plan('aaaaa');
      assert.deepEqual([queued?.status, queued?.pulledBy, queued?.pulledAt], ['queued', null, null]);
      assert.deepEqual(house.queue, ['bbbbb', 'aaaaa']);

      house.commit({ type: 'plan_pulled', plan: 'aaaaa', client: 'codex' });
      const completedAt = house.commit({ type: 'plan_completed', plan: 'aaaaa', outcome: 'It works.' });
      const completed = house.view.plan('aaaaa');
      assert.deepEqual(
        [completed?.status, completed?.outcome, completed?.completedAt, completed?.pulledBy],
        ['completed', 'It works.', completedAt, null],
      );
      assert.equal(house.view.completedCount(SESSION), 1);
      assert.equal(house.view.activePlan(SESSION), undefined);

      house.commit({ type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' });
      const reopened = house.view.plan('aaaaa');
      assert.deepEqual([reopened?.status, reopened?.outcome, reopened?.completedAt], ['queued', null, null]);
      assert.equal(house.view.completedCount(SESSION), 0);
      assert.deepEqual(house.queue, ['aaaaa', 'bbbbb']);

      const discardedAt = house.commit({ type: 'plan_discarded', plan: 'aaaaa', reason: 'No need.' });
      const discarded = house.view.plan('aaaaa');
      assert.deepEqual(
        [discarded?.status, discarded?.discardReason, discarded?.discardedAt],
        ['discarded', 'No need.', discardedAt],
      );
      assert.deepEqual(house.queue, ['bbbbb']);
      assert.deepEqual(house.view.inconsistencies(SESSION), []);
    });

    it('replaces the sections that an edit names, and no others', () => {
      house.add('aaaaa', { goal: 'Old goal', notes: 'Kept' });
      house.commit({
        type: 'plan_edited',
        plan: 'aaaaa',
        sections: { goal: 'New', successCriteria: '' },
        source: 'file',
      });
      assert.equal(house.view.plan('aaaaa')?.goal, 'New');
      assert.equal(house.view.plan('aaaaa')?.notes, 'Kept');
    });

    it('keeps metadata as it was given', () => {
      house.add('aaaaa');
      const metadata = { outcome: 'x', deep: { list: [1, null, 'é', true] } };
      house.commit({ type: 'plan_annotated', plan: 'aaaaa', metadata });
      assert.deepEqual(house.view.plan('aaaaa')?.metadata, metadata);
      house.commit({ type: 'plan_annotated', plan: 'aaaaa', metadata: null });
      assert.equal(house.view.plan('aaaaa')?.metadata, null);
    });

    it('moves plans to where the event says', () => {
      for (const id of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) house.add(id);
      house.commit({ type: 'plan_moved', plan: 'ddddd', position: 1 });
      assert.deepEqual(house.queue, ['ddddd', 'aaaaa', 'bbbbb', 'ccccc']);
      house.commit({ type: 'plan_moved', plan: 'aaaaa', position: 3 });
      assert.deepEqual(house.queue, ['ddddd', 'bbbbb', 'aaaaa', 'ccccc']);
      house.commit({ type: 'plan_moved', plan: 'aaaaa', position: 3 });
      assert.deepEqual(house.queue, ['ddddd', 'bbbbb', 'aaaaa', 'ccccc']);
      assert.deepEqual(
        house.view.queue(SESSION).map(({ queuePosition }) => queuePosition),
        [1, 2, 3, 4],
      );
      assert.deepEqual(
        house.view.queue(SESSION, { offset: 1, limit: 2 }).map(({ id }) => id),
        ['bbbbb', 'aaaaa'],
      );
    });

    it('knows who waits for whom, over session borders', () => {
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.add('aaaaa', { goal: 'A' });
      house.add('bbbbb', { goal: 'B' });
      house.add('zzzzz', { goal: 'Z' }, 'second');
      house.commit(
        { type: 'plan_linked', plan: 'aaaaa', waitsFor: 'zzzzz' },
        { type: 'plan_linked', plan: 'aaaaa', waitsFor: 'bbbbb' },
      );
      assert.deepEqual(house.view.queue(SESSION)[0]?.waitingFor, ['bbbbb', 'zzzzz']);
      assert.equal(house.view.firstReady(SESSION)?.id, 'bbbbb');
      assert.deepEqual(house.view.blockersOf('aaaaa'), [
        { id: 'bbbbb', goal: 'B' },
        { id: 'zzzzz', goal: 'Z' },
      ]);
      assert.deepEqual(house.view.blockedBy('zzzzz'), [{ id: 'aaaaa', goal: 'A' }]);

      house.commit({ type: 'plan_discarded', plan: 'zzzzz', reason: 'No' });
      house.commit({ type: 'plan_pulled', plan: 'bbbbb', client: 'tester' });
      assert.equal(house.view.firstReady(SESSION), undefined);
      assert.deepEqual(house.view.queue(SESSION)[0]?.waitingFor, ['bbbbb']);
      house.commit({ type: 'plan_completed', plan: 'bbbbb', outcome: 'Done' });
      assert.deepEqual(house.view.firstReady(SESSION), { id: 'aaaaa', goal: 'A' });
      assert.equal(house.view.blockersOf('aaaaa').length, 2);

      house.commit({ type: 'plan_unlinked', plan: 'aaaaa', waitsFor: 'bbbbb' });
      assert.deepEqual(house.view.blockersOf('aaaaa'), [{ id: 'zzzzz', goal: 'Z' }]);
    });

    it('knows parents and children', () => {
      house.add('aaaaa');
      house.add('ccccc', { goal: 'C' });
      house.add('bbbbb', { goal: 'B' });
      house.commit(
        { type: 'plan_reparented', plan: 'bbbbb', parent: 'aaaaa' },
        { type: 'plan_reparented', plan: 'ccccc', parent: 'aaaaa' },
      );
      assert.deepEqual(house.view.childrenOf('aaaaa'), [
        { id: 'ccccc', goal: 'C' },
        { id: 'bbbbb', goal: 'B' },
      ]);
      house.commit({ type: 'plan_reparented', plan: 'bbbbb', parent: null });
      assert.equal(house.view.plan('bbbbb')?.parentId, null);
    });

    it('gives the history by when it happened, newest first, by status, session and page', () => {
      house.commit({ type: 'session_created', session: 'second', taskDescription: null });
      house.finish('aaaaa');
      house.finish('bbbbb', {}, 'Done.', 'second');
      house.add('ccccc');
      house.commit({ type: 'plan_discarded', plan: 'ccccc', reason: 'No' });
      house.finish('ddddd');
      const ids = (session: string | undefined, status: 'completed' | 'discarded', offset = 0, limit = 10): string[] =>
        house.view.history(session, { status, offset, limit }).map(({ id }) => id);
      assert.deepEqual(ids(undefined, 'completed'), ['ddddd', 'bbbbb', 'aaaaa']);
      assert.deepEqual(ids(SESSION, 'completed'), ['ddddd', 'aaaaa']);
      assert.deepEqual(ids(undefined, 'completed', 1, 1), ['bbbbb']);
      assert.deepEqual(ids(SESSION, 'completed', 1, 1), ['aaaaa']);
      assert.deepEqual(ids(undefined, 'discarded'), ['ccccc']);
      house.commit(
        { type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' },
        { type: 'plan_completed', plan: 'aaaaa', outcome: 'Again.' },
      );
      assert.deepEqual(ids(SESSION, 'completed'), ['aaaaa', 'ddddd']);
    });
  });

  describe('plan mode', () => {
    const owner = { session: SESSION, client: 'claude', agent: 'one' };
    const todos: Todo[] = [
      { content: 'First', status: 'in_progress', priority: 'high' },
      { content: 'Second', status: 'pending' },
    ];

    it('keeps every round of a proposal and what was decided', () => {
      const createdAt = house.commit({ type: 'proposal_opened', proposal: 'p1', owner, reason: 'why', goal: 'what' });
      assert.equal(house.view.proposal('p1')?.status, 'planning');
      const submittedAt = house.commit({ type: 'proposal_submitted', proposal: 'p1', round: 1, plan: 'One', todos });
      assert.equal(house.view.proposal('p1')?.status, 'submitted');
      const decidedAt = house.commit({
        type: 'proposal_decided',
        proposal: 'p1',
        round: 1,
        decision: 'changes_requested',
        decidedBy: 'editor',
        feedback: 'More.',
        comments: [{ quote: 'O', comment: 'Why?' }],
        approvedPlan: null,
        queuedPlans: [],
      });
      assert.equal(house.view.proposal('p1')?.status, 'rejected');
      const again = house.commit({ type: 'proposal_submitted', proposal: 'p1', round: 2, plan: 'Two', todos: [] });
      const approvedAt = house.commit({
        type: 'proposal_decided',
        proposal: 'p1',
        round: 2,
        decision: 'approved',
        decidedBy: 'claude',
        feedback: null,
        comments: [],
        approvedPlan: 'Two, better',
        queuedPlans: ['aaaaa', 'bbbbb'],
      });
      assert.deepEqual(house.view.proposal('p1'), {
        ...owner,
        id: 'p1',
        status: 'approved',
        reason: 'why',
        goal: 'what',
        createdAt,
        rounds: [
          {
            round: 1,
            plan: 'One',
            todos,
            submittedAt,
            decision: 'changes_requested',
            decidedBy: 'editor',
            decidedAt,
            feedback: 'More.',
            comments: [{ quote: 'O', comment: 'Why?' }],
            approvedPlan: null,
            queuedPlans: [],
          },
          {
            round: 2,
            plan: 'Two',
            todos: [],
            submittedAt: again,
            decision: 'approved',
            decidedBy: 'claude',
            decidedAt: approvedAt,
            feedback: null,
            comments: [],
            approvedPlan: 'Two, better',
            queuedPlans: ['aaaaa', 'bbbbb'],
          },
        ],
      });
    });

    it('finds proposals by owner, session and status, newest first', () => {
      const other = { ...owner, agent: 'two' };
      house.commit({ type: 'proposal_opened', proposal: 'p1', owner, reason: null, goal: null });
      house.commit({ type: 'proposal_opened', proposal: 'p2', owner: other, reason: null, goal: null });
      house.commit({ type: 'proposal_superseded', proposal: 'p1' });
      house.commit({ type: 'proposal_opened', proposal: 'p3', owner, reason: null, goal: null });
      const ids = (filter: Parameters<typeof house.view.proposals>[0]): string[] =>
        house.view.proposals(filter).map(({ id }) => id);
      assert.deepEqual(ids({}), ['p3', 'p2', 'p1']);
      assert.deepEqual(ids({ owner }), ['p3', 'p1']);
      assert.deepEqual(ids({ owner, status: ['planning', 'submitted'] }), ['p3']);
      assert.deepEqual(ids({ status: [] }), []);
      assert.deepEqual(ids({ session: SESSION, limit: 2 }), ['p3', 'p2']);
      assert.deepEqual(ids({ session: 'other' }), []);
    });

    it('keeps a to-do list an owner', () => {
      const other = { ...owner, client: 'codex' };
      const changedAt = house.commit({ type: 'todos_replaced', owner, todos });
      house.commit({ type: 'todos_replaced', owner: other, todos: [{ content: 'x', status: 'completed' }] });
      assert.deepEqual(house.view.todos(owner), todos);
      assert.deepEqual(house.view.todoLists(SESSION)[0], { owner, todos, changedAt });
      house.commit({ type: 'todos_replaced', owner: other, todos: [] });
      assert.deepEqual(house.view.todos(other), []);
      assert.equal(house.view.todoLists(SESSION).length, 1);
    });
  });

  describe('transactions', () => {
    it('shows what is uncommitted, and forgets it when rolled back, in the search index too', () => {
      house.finish('aaaaa', { goal: 'Lasting walrus' });
      const before = [...house.projection.rows()];
      house.projection.begin();
      house.apply(
        { type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' },
        {
          type: 'plan_added',
          plan: 'bbbbb',
          session: SESSION,
          position: 1,
          sections: sectionsOf({ goal: 'Fleeting walrus' }),
          parent: null,
        },
        { type: 'plan_completed', plan: 'bbbbb', outcome: 'x' },
      );
      house.projection.rememberCommand('c1');
      assert.deepEqual(house.queue, ['aaaaa']);
      assert.deepEqual(
        house.view.searchHistory('walrus', { limit: 5 }).map(({ id }) => id),
        ['bbbbb'],
      );
      house.projection.rollback();
      assert.deepEqual([...house.projection.rows()], before);
      assert.equal(house.projection.hasCommand('c1'), false);
      assert.deepEqual(
        house.view.searchHistory('walrus', { limit: 5 }).map(({ id }) => id),
        ['aaaaa'],
      );
      assert.deepEqual(house.view.inconsistencies(SESSION), []);
    });

    it('indexes late, and what was not to be after a rollback not at all', () => {
      const found = () => house.view.searchHistory('walrus', { limit: 5 }).map(({ id }) => id);
      const undone = (...events: DomainEvent[]) => {
        house.projection.begin();
        house.apply(...events);
        house.projection.rollback();
      };
      const reopened = { type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' } as const;
      const edited = { type: 'plan_edited', plan: 'aaaaa', sections: { notes: 'x' }, source: 'command' } as const;
      house.finish('aaaaa', { goal: 'Walrus' });
      undone(reopened);
      assert.equal(house.projection.index(), true);
      undone(edited);
      assert.equal(house.projection.index(), true);
      assert.deepEqual(found(), ['aaaaa']);
      assert.deepEqual(house.view.inconsistencies(SESSION), []);

      house.commit(reopened);
      undone({ type: 'plan_completed', plan: 'aaaaa', outcome: 'x' });
      assert.deepEqual(found(), []);
      house.commit({ type: 'plan_completed', plan: 'aaaaa', outcome: 'x' });
      house.projection.begin();
      assert.deepEqual(found(), ['aaaaa']);
      house.projection.rollback();
      assert.deepEqual(found(), ['aaaaa']);
    });

    it('indexes in steps', () => {
      for (const plan of ['aaaaa', 'bbbbb', 'ccccc']) house.finish(plan, { goal: 'Walrus' });
      assert.equal(
        house.projection.index(() => true),
        false,
      );
      assert.equal(
        house.projection.index(() => true),
        false,
      );
      assert.equal(
        house.projection.index(() => true),
        true,
      );
      assert.equal(house.view.searchHistory('walrus', { limit: 5 }).length, 3);
    });

    it('throws on an event of a newer version', () => {
      house.projection.begin();
      for (const type of ['plan_teleported', 'toString']) {
        assert.throws(() => house.apply({ type, plan: 'aaaaa' } as unknown as DomainEvent), /Unknown event type/);
      }
      house.projection.rollback();
    });

    it('remembers the last thousand commands', () => {
      house.projection.begin();
      for (let i = 0; i < 1005; i++) house.projection.rememberCommand(`c${i}`);
      house.projection.commit();
      assert.deepEqual(
        ['c4', 'c5', 'c1004', 'other'].map((id) => house.projection.hasCommand(id)),
        [false, true, true, false],
      );
    });

    it('keeps its position, beyond 32 bits', () => {
      assert.equal(house.projection.position(), undefined);
      house.projection.setPosition({ journal: 1, seq: 1, sum: 'a', offset: 10 });
      const position = { journal: 2, seq: 2 ** 40, sum: 'f'.repeat(32), offset: 2 ** 45 + 1 };
      house.projection.setPosition(position);
      assert.deepEqual({ ...house.projection.position() }, position);
    });
  });

  describe('any sequence of events', () => {
    let empty: () => Projection;
    before(async () => {
      const sqlJs = await loadSqlJs();
      empty = () => openProjection(sqlJs);
    });

    const played = (events: DomainEvent[]): Projection => {
      const projection = empty();
      for (const [i, event] of events.entries()) {
        projection.begin();
        projection.apply(event, { at: new Date(i * 1000).toISOString(), by: 'tester', seq: i + 1 });
        projection.rememberCommand(`c${i}`);
        projection.setPosition({ journal: 1, seq: i + 1, sum: 'abc', offset: i * 100 });
        projection.commit();
      }
      return projection;
    };

    it('leaves a sound state: dense queues, true counts, an index of the completed plans', () => {
      fc.assert(
        fc.property(anyEvents, (events) => {
          const projection = played(events);
          try {
            for (const { name } of projection.view.sessions({ archived: true })) {
              const issues = projection.view.inconsistencies(name);
              // Events alone don't keep to one active plan; the rules do.
              assert.deepEqual(
                issues.filter(({ invariant }) => invariant !== 'single_active_plan'),
                [],
              );
              for (const plan of projection.view.history(name, { status: 'completed', offset: 0, limit: 100 })) {
                const found = projection.view.searchHistory(plan.id, { session: name, limit: 100 });
                assert.ok(
                  found.some(({ id }) => id === plan.id),
                  `${plan.id} is not found`,
                );
              }
            }
          } finally {
            projection.close();
          }
        }),
        { numRuns: 60 },
      );
    });

    it('survives rows and load, and an image, without loss', async () => {
      const sqlJs = await loadSqlJs();
      fc.assert(
        fc.property(anyEvents, (events) => {
          const projection = played(events);
          const rows = [...projection.rows()];
          const loaded = empty();
          loaded.load(JSON.parse(JSON.stringify(rows)));
          const opened = openProjection(sqlJs, projection.export());
          const index = new sqlJs.Database(projection.export());
          try {
            index.create_function('index_text', indexText);
            index.run(`INSERT INTO search (search) VALUES ('integrity-check')`);
            assert.deepEqual([...loaded.rows()], rows);
            assert.equal(loaded.position(), undefined);
            assert.deepEqual([...opened.rows()], rows);
            assert.deepEqual(opened.position(), projection.position());
            for (const copy of [loaded, opened]) {
              assert.deepEqual(copy.view.sessions({ archived: true }), projection.view.sessions({ archived: true }));
              for (const { name } of projection.view.sessions({ archived: true })) {
                assert.deepEqual(
                  copy.view.inconsistencies(name).filter(({ invariant }) => invariant !== 'single_active_plan'),
                  [],
                );
              }
            }
          } finally {
            for (const each of [projection, loaded, opened, index]) each.close();
          }
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('images', () => {
    it('goes on working after an export, and the image too', async () => {
      house.finish('aaaaa', { goal: 'Early narwhal' });
      const copy = openProjection(await loadSqlJs(), house.projection.export());
      house.finish('bbbbb', { goal: 'Late narwhal' });
      assert.equal(house.view.searchHistory('narwhal', { limit: 5 }).length, 2);
      copy.begin();
      copy.apply(
        { type: 'plan_requeued', plan: 'aaaaa', position: 1, cause: 'reopened' },
        { at: new Date().toISOString(), by: 'tester', seq: 99 },
      );
      copy.commit();
      assert.deepEqual(copy.view.searchHistory('narwhal', { limit: 5 }), []);
      assert.deepEqual(copy.view.inconsistencies(SESSION), []);
      copy.close();
    });

    it('takes the memory of the image over: tens of megabytes are not held twice', async () => {
      house.add('aaaaa');
      const image = house.projection.export();
      const before = Buffer.from(image);
      const copy = openProjection(await loadSqlJs(), image);
      copy.begin();
      copy.apply({ type: 'session_selected', session: SESSION }, { at: '', by: 'tester', seq: 1 });
      copy.commit();
      copy.close();
      assert.notDeepEqual(Buffer.from(image), before);
    });

    it('grows in the memory behind the image, as long as there is some', async () => {
      const image = house.projection.export();
      const memory = new Uint8Array(2 * image.length);
      memory.set(image);
      const copy = openProjection(await loadSqlJs(), memory.subarray(0, image.length));
      const goals = [image.length / 2, 4 * image.length].map((length) => 'long '.repeat(length / 5));
      for (const [n, goal] of goals.entries()) {
        copy.begin();
        copy.apply(
          {
            type: 'plan_added',
            plan: `plan${n}`,
            session: SESSION,
            position: 1,
            sections: sectionsOf({ goal }),
            parent: null,
          },
          { at: '', by: 'tester', seq: n + 1 },
        );
        copy.commit();
        assert.ok(Buffer.from(memory.buffer, image.length).includes('long long'));
      }
      for (const [n, goal] of goals.entries()) assert.equal(copy.view.plan(`plan${n}`)?.goal, goal);
      const again = openProjection(await loadSqlJs(), copy.export());
      for (const [n, goal] of goals.entries()) assert.equal(again.view.plan(`plan${n}`)?.goal, goal);
      for (const each of [copy, again]) each.close();
    });

    it('are known by their tables, of which another version has a number of its own', async () => {
      const sqlJs = await loadSqlJs();
      const database = new sqlJs.Database(house.projection.export());
      assert.equal(schemaDigest(database), SCHEMA_DIGEST, 'raise SCHEMA_VERSION, too');
      database.run('CREATE VIEW endless AS SELECT 1');
      assert.throws(() => openProjection(sqlJs, database.export()), /other tables/);
      database.close();
    });

    it('refuses what is no image, or one of another version', async () => {
      const sqlJs = await loadSqlJs();
      assert.throws(() => openProjection(sqlJs, Buffer.from('not a database at all, but long enough'.repeat(100))));
      assert.throws(() => openProjection(sqlJs, new Uint8Array(0)), /version/);
      const other = new sqlJs.Database();
      other.run('CREATE TABLE sessions (name TEXT); PRAGMA user_version = 999');
      assert.throws(() => openProjection(sqlJs, other.export()), /version 999/);
    });

    it('refuses rows of a newer version', () => {
      assert.throws(() => house.projection.load([{ table: 'wonders', row: { name: 'x' } }]), /newer version/);
      assert.throws(
        () => house.projection.load([{ table: 'sessions', row: { name: 'x', colour: 1 } }]),
        /newer version/,
      );
      assert.deepEqual(
        house.view.sessions().map(({ name }) => name),
        [SESSION],
      );
    });
  });

  describe('inconsistencies', () => {
    const issuesAfter = async (sql: string): Promise<string[]> => {
      const sqlJs = await loadSqlJs();
      const database = new sqlJs.Database(house.projection.export());
      database.run(`PRAGMA foreign_keys = OFF; ${sql}`);
      const spoilt = openProjection(sqlJs, database.export());
      try {
        return spoilt.view.inconsistencies(SESSION).map(({ invariant, issue }) => `${invariant}: ${issue}`);
      } finally {
        spoilt.close();
        database.close();
      }
    };

    beforeEach(() => {
      house.finish('ddddd');
      for (const id of ['aaaaa', 'bbbbb', 'ccccc']) house.add(id);
    });

    it('finds none in a sound store', async () => {
      assert.deepEqual(await issuesAfter(''), []);
    });

    it('names gaps and doubles in the queue', async () => {
      assert.deepEqual(await issuesAfter(`UPDATE plans SET queue_position = 7 WHERE id = 'bbbbb'`), [
        'queue_order_preserved: Queued plan ccccc has position 3 where 2 is due.',
        'queue_order_preserved: Queued plan bbbbb has position 7 where 3 is due.',
      ]);
    });

    it('names two active plans and contradictory columns', async () => {
      const at = `'2026-01-01T00:00:00.000Z'`;
      assert.deepEqual(
        await issuesAfter(`
          UPDATE plans SET status = 'active', queue_position = NULL, pulled_at = ${at} WHERE id IN ('aaaaa', 'bbbbb');
          UPDATE plans SET queue_position = 1 WHERE id IN ('bbbbb', 'ccccc');
          UPDATE sessions SET queue_length = 1;
          UPDATE plans SET completed_at = NULL WHERE id = 'ddddd'`),
        [
          'single_active_plan: 2 plans are active at once: aaaaa, bbbbb.',
          'queue_order_preserved: Plan bbbbb is active, but its queue_position says otherwise.',
          'store: Plan ddddd is completed, but its completed_at says otherwise.',
        ],
      );
    });

    it('names orphans and wrong counts', async () => {
      const issues = await issuesAfter(`
        INSERT INTO dependencies VALUES ('aaaaa', 'xxxxx');
        UPDATE sessions SET completed_count = 5;
        DELETE FROM search_docsize`);
      assert.deepEqual(issues, [
        'store: The session counts 5 completed plans, but has 1.',
        'store: 1 row of dependencies refer to a missing row of plans.',
        'store: The search index holds 0 plans, but 1 are completed.',
      ]);
    });
  });
});
