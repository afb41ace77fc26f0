import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, Bench, plan, type ToolAnswer } from '../mcp/support/agent';
import { EditorWindow } from '../mcp/support/editorWindow';
import { HOSTILE_NAMES, HOSTILE_TEXTS } from './support/hostile';
import { record } from './support/ledger';

type Facts = Record<string, unknown>;
interface Pulled extends Facts {
  plan_id: string | null;
  goal?: string;
  queue_empty: boolean;
  completed_count: number;
}

describe('An agent', () => {
  const bench = new Bench();
  let scenario = '';
  let calls = 0;
  afterEach(() => bench.clear());

  /** Plays it, and lets the integrity check have the last word. */
  function plays(name: string, script: (store: string) => Promise<Agent>): void {
    it(name, async () => {
      scenario = name;
      calls = 0;
      let losses = 1;
      try {
        const last = await script(bench.store());
        const { sessions } = (await ok(last, '9plan_admin_sessions')) as { sessions: { name: string }[] };
        for (const session of sessions) {
          const report = await ok(last, '9plan_admin_validate', { session_name: session.name });
          assert.deepEqual(report.issues, []);
          assert.equal(report.valid, true);
        }
        losses = 0;
      } finally {
        record({ part: 'agents (calls)', fault: scenario, cases: calls, losses });
      }
    });
  }

  async function ok(agent: Agent, tool: string, args: Facts = {}): Promise<Facts> {
    calls++;
    return agent.ok(tool, args);
  }
  async function refused(agent: Agent, tool: string, args: Facts, reason: RegExp): Promise<ToolAnswer> {
    calls++;
    const answer = await agent.call(tool, args);
    assert.equal(answer.isError, true, `${tool} ${JSON.stringify(args).slice(0, 200)}: ${answer.text}`);
    assert.match(answer.text, reason);
    assert.match(answer.text, /Suggested action: .+/);
    assert.doesNotMatch(answer.text, /\n\s+at |node:internal/);
    return answer;
  }
  const pull = async (agent: Agent) => (await ok(agent, '9plan_queue_pull')) as Pulled;
  const add = async (agent: Agent, goal: string, more: Facts = {}) =>
    String((await ok(agent, '9plan_queue_add', plan(goal, more))).plan_id);
  const goalsOf = async (agent: Agent) =>
    ((await ok(agent, '9plan_admin_state')).queue as { goal: string }[]).map(({ goal }) => goal);

  plays('decomposes a task and works it off', async (store) => {
    const agent = await bench.agent({ store });
    await ok(agent, '9plan_session_create', { task_description: 'Move house' });
    const goals = ['Order the van', 'Pack', 'Drive', 'Unpack'];
    await ok(agent, '9plan_queue_add_batch', { plans: goals.map((goal) => plan(goal)) });
    for (const [n, goal] of goals.entries()) {
      const pulled = await pull(agent);
      assert.equal(pulled.goal, goal);
      await ok(agent, '9plan_plan_update', { plan_id: pulled.plan_id, append_notes: `Began ${goal}.` });
      const done = await ok(agent, '9plan_plan_complete', { outcome: `${goal}: went well.` });
      assert.equal((done.next as { goal: string } | null)?.goal, goals[n + 1]);
    }
    assert.deepEqual([(await pull(agent)).queue_empty, (await pull(agent)).completed_count], [true, 4]);
    const { matches } = (await ok(agent, '9plan_history_search', { query: 'drive' })) as {
      matches: { goal: string }[];
    };
    assert.equal(matches[0]?.goal, 'Drive');
    return agent;
  });

  plays('is blocked, and goes on when another has finished', async (store) => {
    const [one, other] = [await bench.agent({ store }), await bench.agent({ store, client: 'other' })];
    await ok(one, '9plan_session_create', { task_description: 'Roof' });
    const roof = await add(one, 'Build the roof');
    await ok(other, '9plan_session_create', { task_description: 'Walls' });
    const walls = await add(other, 'Build the walls');
    await ok(one, 'task_dep', { id: roof, add: [walls] });
    const blocked = (await pull(one)) as Pulled & { blocked: { id: string; waiting_for: string[] }[] };
    assert.deepEqual([blocked.plan_id, blocked.queue_empty], [null, false]);
    assert.deepEqual(
      blocked.blocked.map(({ id, waiting_for }) => [id, waiting_for]),
      [[roof, [walls]]],
    );
    await refused(other, 'task_dep', { id: walls, add: [roof] }, /VALIDATION_ERROR[\s\S]*circle/);
    const waiting = ok(one, '9plan_queue_pull', { wait_seconds: 30 });
    await pull(other);
    await ok(other, '9plan_plan_complete', { outcome: 'They stand.' });
    assert.equal((await waiting).plan_id, roof);
    await ok(one, '9plan_plan_complete', { outcome: 'It is dry.' });
    return one;
  });

  plays('finds a plan too large, defers it and does its parts first', async (store) => {
    const agent = await bench.agent({ store });
    await ok(agent, '9plan_session_create');
    await ok(agent, '9plan_queue_add_batch', { plans: [plan('Build a house'), plan('Move in')] });
    const large = await pull(agent);
    const parts = [plan('Lay the ground'), plan('Raise the walls')];
    await ok(agent, '9plan_queue_add_batch', { plans: parts, position: 'front' });
    await ok(agent, '9plan_plan_defer', { reason: 'Its parts come first.', position: 'front' });
    await ok(agent, '9plan_queue_move', { plan_id: large.plan_id, before: await idAt(agent, 3) });
    assert.deepEqual(await goalsOf(agent), ['Lay the ground', 'Raise the walls', 'Build a house', 'Move in']);
    for (const goal of await goalsOf(agent)) {
      const pulled = await pull(agent);
      assert.equal(pulled.goal, goal);
      if (goal === 'Build a house') assert.match(String(pulled.plan), /# Notes\n.*Its parts come first\./);
      await ok(agent, '9plan_plan_complete', { outcome: 'Done.' });
    }
    return agent;
  });

  plays('loses its context in the middle of a plan, and carries on without knowing a name', async (store) => {
    const before = await bench.agent({ store });
    await ok(before, '9plan_session_create', { task_description: 'A long one' });
    const id = await add(before, 'Half done');
    await add(before, 'Then this');
    await pull(before);
    await ok(before, '9plan_plan_update', { plan_id: id, append_notes: 'The left half is done.' });
    process.kill(before.pid, 'SIGKILL');
    const after = await bench.agent({ store });
    const again = await refused(after, '9plan_queue_pull', {}, /PLAN_ALREADY_ACTIVE/);
    assert.match(again.text, new RegExp(`${id}[\\s\\S]*Half done`));
    const state = await ok(after, '9plan_admin_state');
    const { file_path } = state.active_plan as { file_path: string };
    assert.match(readFileSync(file_path, 'utf8'), /The left half is done\./);
    writeFileSync(file_path, `${readFileSync(file_path, 'utf8')}By hand: the right half, too.\n`);
    await ok(after, '9plan_plan_complete', { outcome: 'Both halves.' });
    const kept = await ok(after, '9plan_history_get', { plan_id: id });
    assert.match(String(kept.notes), /left half[\s\S]*right half/);
    assert.equal((await pull(after)).goal, 'Then this');
    return after;
  });

  plays('meets a server that is restarted between its calls, and misses nothing', async (store) => {
    const first = await bench.agent({ store });
    const name = String((await ok(first, '9plan_session_create')).session_name);
    const added: string[] = [];
    let agent = first;
    for (let restart = 0; restart < 4; restart++) {
      added.push(await add(agent, `before restart ${restart}`, { session_name: name }));
      const unanswered = agent.call('9plan_queue_add', plan(`during restart ${restart}`, { session_name: name }));
      if (restart % 2 === 0) process.kill(agent.pid, 'SIGKILL');
      await Promise.allSettled([unanswered, agent.close()]);
      agent = await bench.agent({ store });
    }
    const goals = await goalsOf(agent);
    assert.equal(new Set(goals).size, goals.length, 'nothing is there twice');
    assert.equal(goals.filter((goal) => goal.startsWith('before')).length, added.length);
    return agent;
  });

  plays('resumes what another client began, while a person takes part', async (store) => {
    const claude = await bench.agent({ store, client: 'claude-code' });
    const name = String((await ok(claude, '9plan_session_create', { task_description: 'Shared' })).session_name);
    const [a, b] = [await add(claude, 'a'), await add(claude, 'b')];
    await pull(claude);
    const window = new EditorWindow(store);
    try {
      const person = { client: 'editor', agent: '', session: undefined, pulled: undefined };
      await window.planner.queue.release(person, { planId: a });
      await window.planner.queue.move(person, { planIds: [b], to: { position: 'front' } });
      const codex = await bench.agent({ store, client: 'codex' });
      const resumed = await ok(codex, '9plan_session_resume', { session_name: name });
      assert.deepEqual(
        (resumed.queue as { id: string }[]).map(({ id }) => id),
        [b, a],
      );
      assert.equal((await pull(codex)).plan_id, b);
      const mistaken = await refused(
        claude,
        '9plan_plan_complete',
        { outcome: 'a is done' },
        /VALIDATION_ERROR|NO_ACTIVE_PLAN/,
      );
      assert.match(mistaken.text, new RegExp(b));
      await ok(codex, '9plan_plan_complete', { outcome: 'b is done' });
      assert.equal((await pull(codex)).plan_id, a);
      return codex;
    } finally {
      await window.close();
    }
  });

  plays('plans first, is asked to change the plan, and works off what was approved', async (store) => {
    const agent = await bench.agent({ store });
    await ok(agent, '9plan_session_create');
    const window = new EditorWindow(store);
    try {
      await ok(agent, 'enter_plan_mode', { goal: 'Move' });
      const first = ok(agent, 'exit_plan_mode', { plan: '# Move\n\nOn Friday.' });
      await window.decide({ decision: 'changes_requested', feedback: 'Not on Friday.' });
      assert.equal((await first).decision, 'changes_requested');
      const todos = ['Order the van', 'Pack'].map((content) => ({ content, status: 'pending' }));
      const second = ok(agent, 'exit_plan_mode', { plan: '# Move\n\nOn Saturday.', todos });
      await window.decide({ queueTodos: [0, 1] });
      const answer = await second;
      assert.deepEqual([answer.status, (answer.queued_plans as string[]).length], ['approved', 2]);
    } finally {
      await window.close();
    }
    assert.deepEqual(await goalsOf(agent), ['Order the van', 'Pack']);
    return agent;
  });

  plays('gives wrong arguments: each is refused with a reason, and nothing changes', async (store) => {
    const agent = await bench.agent({ store });
    await ok(agent, '9plan_session_create');
    const id = await add(agent, 'Stay as you are');
    await pull(agent);
    const before = await stateOf(agent);
    const wrong: [string, Facts][] = [
      ['9plan_queue_add', {}],
      ['9plan_queue_add', plan('x', { position: 'third' })],
      ['9plan_queue_add', plan('x', { goal: { toString: 'x' } })],
      ['9plan_queue_add', plan('x', { context: 'a\0b' })],
      ['9plan_queue_add', plan('x', { priority: 'high' })],
      ['9plan_queue_add_batch', { plans: [plan('fine'), plan('')] }],
      ['9plan_queue_add_batch', { plans: [] }],
      ['9plan_queue_move', { plan_id: id, position: 'front' }],
      ['9plan_queue_move', { plan_id: id }],
      ['9plan_queue_pull', { wait_seconds: -1 }],
      ['9plan_queue_pull', {}],
      ['9plan_plan_complete', { outcome: '  \n ' }],
      ['9plan_plan_complete', { outcome: 'x', plan_id: 'zzzzz' }],
      ['9plan_plan_defer', {}],
      ['9plan_plan_update', { plan_id: id }],
      ['9plan_plan_update', { plan_id: id, goal: '' }],
      ['9plan_history_get', { plan_id: 7 }],
      ['9plan_history_search', { query: '', max_results: 0 }],
      ['task_update', { id, status: 'open ' }],
      ['task_dep', { id, add: [id] }],
      ['task_edit', { id, parent: id }],
      ['todo_write', { todos: [{ content: 'x', status: 'doing' }] }],
      ['reasoning_plan', { goal: 'x', steps: [] }],
      ['reasoning_plan', { goal: 'x', steps: [{ title: 'a', depends_on: [0] }] }],
      ['exit_plan_mode', { plan: '' }],
    ];
    for (const [tool, args] of wrong) await refused(agent, tool, args, /Error: [A-Z_]+\n\n/);
    assert.deepEqual(await stateOf(agent), before);
    return agent;
  });

  plays('is hostile: no name leads anywhere, and every text comes back as it went in', async (store) => {
    const agent = await bench.agent({ store });
    await ok(agent, '9plan_session_create');
    for (const name of HOSTILE_NAMES) {
      await refused(agent, '9plan_session_resume', { session_name: name }, /VALIDATION_ERROR|SESSION_NOT_FOUND/);
      await refused(agent, '9plan_plan_update', { plan_id: name, goal: 'x' }, /VALIDATION_ERROR|PLAN_NOT_FOUND/);
      await refused(agent, 'task_delete', { id: name }, /VALIDATION_ERROR|PLAN_NOT_FOUND/);
    }
    for (const text of HOSTILE_TEXTS) {
      const goal = text.trim() === '' ? 'x' : text;
      const id = await add(agent, goal, { context: text, notes: undefined, approach: text, success_criteria: text });
      const pulled = await pull(agent);
      assert.equal(pulled.plan_id, id);
      await ok(agent, '9plan_plan_complete', { outcome: goal });
      const kept = await ok(agent, '9plan_history_get', { plan_id: id });
      const entered = text.replace(/^(?:\s*\n)+|(?:\n\s*)+$/g, '');
      for (const field of ['context', 'approach', 'success_criteria']) assert.equal(kept[field], entered, field);
      calls++;
      assert.equal((await agent.call('9plan_history_search', { query: text })).isError, text.trim() === '');
    }
    assert.deepEqual(readdirSync(join(store, '..')), ['store'], 'nothing was written outside');
    assert.ok(!existsSync(join(store, 'plans')));
    return agent;
  });

  async function idAt(agent: Agent, position: number): Promise<string> {
    const { queue } = (await ok(agent, '9plan_admin_state')) as { queue: { id: string; position: number }[] };
    const goal = queue.filter(({ position: at }) => at >= position).at(-1);
    return String(goal?.id);
  }

  function stateOf(agent: Agent): Promise<Facts> {
    return ok(agent, '9plan_admin_state');
  }
});
