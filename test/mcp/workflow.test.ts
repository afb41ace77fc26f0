import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Agent, Bench, plan } from './support/agent';

describe('working a queue', () => {
  const bench = new Bench();
  let agent: Agent;
  let session: string;
  beforeEach(async () => {
    agent = await bench.agent();
    const created = await agent.ok('9plan_session_create', { task_description: 'Build a house' });
    session = String(created.session_name);
  });
  afterEach(() => bench.clear());

  const add = async (goal: string, more: Record<string, unknown> = {}) =>
    String((await agent.ok('9plan_queue_add', plan(goal, more))).plan_id);
  const queue = async () => {
    const state = await agent.ok('9plan_admin_state');
    return (state.queue as { goal: string; position: number }[]).map(({ goal }) => goal);
  };

  it('goes from an empty session to the last completed plan', async () => {
    assert.match(session, /^[a-z]+-[a-z]+-[a-z]+$/);
    const added = await agent.call('9plan_queue_add', plan('Lay the ground', { inputs: 'A plot', outputs: 'A slab' }));
    const { plan_id, plan_path, queue_position } = added.structured ?? {};
    assert.ok(added.text.startsWith(`[Session: ${session}] `));
    assert.equal(added.structured?.session_name, session);
    assert.match(String(plan_id), /^[0-9a-z]{5}$/);
    assert.equal(queue_position, 1);
    assert.ok(isAbsolute(String(plan_path)) && existsSync(String(plan_path)));

    const pulled = await agent.call('9plan_queue_pull');
    assert.equal(pulled.structured?.plan, readFileSync(String(plan_path), 'utf8'));
    assert.ok(pulled.text.includes(String(pulled.structured?.plan)));
    assert.deepEqual(
      { ...pulled.structured, plan: undefined, message: undefined },
      {
        session_name: session,
        plan_id,
        plan_path,
        goal: 'Lay the ground',
        plan: undefined,
        message: undefined,
        queue_empty: false,
        completed_count: 0,
      },
    );

    const done = await agent.ok('9plan_plan_complete', { outcome: 'The slab is dry.' });
    assert.deepEqual(done, { session_name: session, plan_id, queue_length: 0, completed_count: 1, next: null });
    assert.equal(existsSync(String(plan_path)), false);

    const empty = await agent.call('9plan_queue_pull');
    assert.equal(empty.isError, false);
    assert.match(empty.text, /QUEUE_EMPTY.*Task complete! 🎉/);
    assert.equal(empty.structured?.plan_id, null);
    assert.equal(empty.structured?.queue_empty, true);
    assert.match(String(empty.structured?.message), /QUEUE_EMPTY/);

    const found = await agent.ok('9plan_history_search', { query: 'slab' });
    assert.deepEqual(found.matches, [
      { id: plan_id, goal: 'Lay the ground', outcome: 'The slab is dry.', relevance_rank: 1, session_name: session },
    ]);
    const { created_at, completed_at, ...kept } = await agent.ok('9plan_history_get', { plan_id });
    assert.ok(Date.parse(String(created_at)) <= Date.parse(String(completed_at)));
    assert.deepEqual(kept, {
      session_name: session,
      id: plan_id,
      status: 'completed',
      queue_position: null,
      goal: 'Lay the ground',
      context: 'For the test.',
      inputs: 'A plot',
      outputs: 'A slab',
      approach: '1. Do it.',
      success_criteria: 'It is done.',
      notes: null,
      outcome: 'The slab is dry.',
    });
  });

  it('adds at both ends, several at once in the given order', async () => {
    await add('one');
    await add('zero', { position: 'front' });
    const batch = await agent.ok('9plan_queue_add_batch', { plans: [plan('a'), plan('b')], position: 'front' });
    assert.deepEqual(
      (batch.plans as { queue_position: number }[]).map(({ queue_position }) => queue_position),
      [1, 2],
    );
    assert.deepEqual(await queue(), ['a', 'b', 'zero', 'one']);
  });

  it('moves plans', async () => {
    const [a, , c] = [await add('a'), await add('b'), await add('c')];
    const move = (args: object) => agent.ok('9plan_queue_move', { plan_id: c, ...args });
    assert.equal((await move({ position: 'front' })).queue_position, 1);
    assert.deepEqual(await queue(), ['c', 'a', 'b']);
    assert.equal((await move({ after: a })).queue_position, 2);
    assert.equal((await move({ before: a })).queue_position, 1);
    assert.equal((await move({ position: 'back' })).queue_position, 3);
    assert.deepEqual(await queue(), ['a', 'b', 'c']);
  });

  it('edits plans, defers the active one with its reason, and discards', async () => {
    const [a, b] = [await add('a'), await add('b')];
    const { plan_path } = await agent.ok('9plan_plan_update', {
      plan_id: b,
      approach: 'Think first',
      append_notes: 'n',
    });
    assert.match(readFileSync(String(plan_path), 'utf8'), /# Approach\nThink first\n[\s\S]*# Notes\nn\n/);
    await agent.ok('9plan_queue_pull');
    const deferred = await agent.ok('9plan_plan_defer', { reason: 'Rain', position: 'front' });
    const { message, ...place } = deferred;
    assert.deepEqual(place, { session_name: session, plan_id: a, queue_position: 1 });
    assert.match(String(message), /The next pull gives it again/);
    assert.match(String((await agent.ok('9plan_queue_pull')).plan), /# Notes\n.*\d{4}-\d\d-\d\dT.*Rain/);
    await agent.ok('9plan_plan_defer', { reason: 'Snow' });
    assert.deepEqual(await queue(), ['b', 'a']);
    const discarded = await agent.ok('9plan_plan_discard', { plan_id: b, reason: 'Not needed' });
    assert.deepEqual(discarded.next, { id: a, goal: 'a' });
    assert.deepEqual((await agent.ok('9plan_history_search', { query: 'b' })).matches, []);
  });

  it('resumes with the first fifty plans of a long queue', async () => {
    await agent.ok('9plan_queue_add_batch', { plans: Array.from({ length: 60 }, (_, n) => plan(`goal ${n}`)) });
    const active = await agent.ok('9plan_queue_pull');
    const other = await bench.agent({ store: agent.store });
    const { queue: shown, message, ...state } = await other.ok('9plan_session_resume', { session_name: session });
    assert.deepEqual(state, {
      session_name: session,
      session_path: join(agent.store, session),
      task_description: 'Build a house',
      queue_length: 59,
      active_plan: { id: active.plan_id, goal: 'goal 0', file_path: active.plan_path },
      completed_count: 0,
    });
    assert.equal((shown as unknown[]).length, 50);
    assert.deepEqual(Object.keys((shown as object[])[0] ?? {}), ['id', 'goal', 'queue_position', 'waiting_for']);
    assert.match(String(message), /first 50 plans of 59.*9plan_history_get/);
    assert.equal(((await other.ok('9plan_admin_state')).queue as unknown[]).length, 59);
  });

  it('shows the whole state and every session', async () => {
    const id = await add('a');
    const state = await agent.ok('9plan_admin_state');
    assert.deepEqual(state, {
      session_name: session,
      task_description: 'Build a house',
      queue: [{ id, goal: 'a', position: 1, waiting_for: [] }],
      active_plan: null,
      completed_count: 0,
      plan_files: [id],
      file_db_match: true,
    });
    const { sessions } = await agent.ok('9plan_admin_sessions');
    const [{ created, ...only }] = sessions as [{ created: string }];
    assert.ok(Date.parse(created));
    assert.deepEqual(only, {
      name: session,
      task_description: 'Build a house',
      queue_length: 1,
      completed_count: 0,
      has_active_plan: false,
    });
    assert.deepEqual(await agent.ok('9plan_admin_validate'), {
      session_name: session,
      valid: true,
      invariants: {
        single_active_plan: true,
        queue_order_preserved: true,
        files_match_database: true,
        no_orphaned_files: true,
      },
      issues: [],
    });
  });

  it('goes on in the only session with open work when an agent has lost its context, and says so', async () => {
    await add('a');
    const other = await bench.agent({ store: agent.store });
    const pulled = await other.call('9plan_queue_pull');
    assert.equal(pulled.structured?.session_name, session);
    assert.match(String(pulled.structured?.message), new RegExp(`No session was named.*${session}`));
    assert.ok(pulled.text.includes(String(pulled.structured?.message)));
    const own = await agent.call('9plan_admin_state');
    assert.equal(own.structured?.message, undefined);
  });

  it('does not finish another plan than the one it pulled', async () => {
    const [a, b] = [await add('a'), await add('b')];
    await agent.ok('9plan_queue_pull');
    const other = await bench.agent({ store: agent.store });
    await other.ok('9plan_session_resume', { session_name: session });
    await other.ok('9plan_plan_defer', { plan_id: a, reason: 'b first' });
    await other.ok('9plan_queue_pull');
    const refused = await agent.call('9plan_plan_complete', { outcome: 'a is done' });
    assert.match(refused.text, new RegExp(`Error: VALIDATION_ERROR[\\s\\S]*${b}`));
    assert.equal((await agent.ok('9plan_admin_state')).completed_count, 0);
    assert.equal((await agent.ok('9plan_plan_complete', { outcome: 'b is done', plan_id: b })).plan_id, b);
  });

  it('finds completed plans of other sessions when asked to', async () => {
    await add('Paint the fence');
    await agent.ok('9plan_queue_pull');
    await agent.ok('9plan_plan_complete', { outcome: 'Green' });
    const second = String((await agent.ok('9plan_session_create')).session_name);
    const here = await agent.ok('9plan_history_search', { query: 'fence' });
    assert.equal(here.session_name, second);
    assert.deepEqual(here.matches, []);
    const [match] = (await agent.ok('9plan_history_search', { query: 'fence', all_sessions: true })).matches as [
      object,
    ];
    assert.equal((match as { session_name: string }).session_name, session);
  });

  it('cuts what a pull shows of a very long plan between characters, and says where the rest is', async () => {
    const approach = '€'.repeat(60_000);
    await add('long', { approach });
    const pulled = await agent.call('9plan_queue_pull');
    const shown = String(pulled.structured?.plan);
    assert.ok(Buffer.byteLength(shown) <= 100_000 && Buffer.byteLength(shown) > 99_990);
    assert.doesNotMatch(shown, /\ufffd/);
    assert.ok(String(pulled.structured?.message).includes(String(pulled.structured?.plan_path)));
    assert.ok(readFileSync(String(pulled.structured?.plan_path), 'utf8').includes(approach));
  });
});
