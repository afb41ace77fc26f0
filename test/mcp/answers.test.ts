import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Agent, Bench, plan, type ToolAnswer } from './support/agent';

const size = ({ text, structured }: ToolAnswer) => text.length + JSON.stringify(structured).length;

const body = ({ structured }: ToolAnswer) => structured ?? {};

describe('an answer', () => {
  const bench = new Bench();
  let agent: Agent;
  let session: string;
  beforeEach(async () => {
    agent = await bench.agent({ client: 'alice' });
    session = String((await agent.ok('9plan_session_create')).session_name);
  });
  afterEach(() => bench.clear());

  const add = async (goal: string) => String((await agent.ok('9plan_queue_add', plan(goal))).plan_id);
  const finish = async (goal: string, outcome: string) => {
    const plan_id = await add(goal);
    await agent.ok('9plan_queue_pull');
    await agent.ok('9plan_plan_complete', { outcome });
    return plan_id;
  };
  const colleague = async () => {
    const other = await bench.agent({ store: agent.store, client: 'bob' });
    await other.ok('9plan_session_resume', { session_name: session });
    return other;
  };

  it('about 500 plans with long goals stays within what a model can read', async () => {
    const goal = 'Lay the slab, then the walls. '.repeat(100).trim();
    const plans = Array.from({ length: 500 }, () => plan(goal));
    const added = await agent.call('9plan_queue_add_batch', { plans });
    assert.ok(added.text.length < 10_000, `the batch's text takes ${added.text.length}`);
    const state = await agent.call('9plan_admin_state');
    assert.equal((body(state).queue as unknown[]).length, 500, 'never paged');
    assert.ok(size(state) < 120_000, `the state takes ${size(state)}`);
    assert.match(state.text, /"…" are cut; 9plan_history_get shows a plan whole/);
    const resumed = await agent.call('9plan_session_resume', { session_name: session });
    assert.ok(size(resumed) < 25_000, `resuming takes ${size(resumed)}`);
    const [first] = body(resumed).queue as [{ id: string; goal: string }];
    assert.ok(first.goal.endsWith('…') && goal.startsWith(first.goal.slice(0, -1)));
    const whole = await agent.ok('9plan_history_get', { plan_id: first.id });
    assert.equal(whole.goal, goal);
    assert.equal(whole.status, 'queued');
  });

  it('about many sessions, and one with a long task, is cut as well', async () => {
    const task = 'Build a house of stone. '.repeat(1_000);
    await agent.ok('9plan_session_create', { task_description: task });
    const sessions = await agent.call('9plan_admin_sessions');
    assert.ok(size(sessions) < 2_000, sessions.text);
    const state = await agent.ok('9plan_admin_state');
    assert.ok(String(state.task_description).length === 3_000 && String(state.task_description).endsWith('…'));
  });

  it('leaves texts of usual length whole', async () => {
    const goal = `Build\n${'a'.repeat(280)}`;
    await add(goal);
    const { queue, message } = await agent.ok('9plan_admin_state');
    assert.equal((queue as { goal: string }[])[0]?.goal, goal);
    assert.equal(message, undefined);
  });

  it('of a search shows outcomes around what was looked for', async () => {
    const outcome = `${'Nothing of interest. '.repeat(500)}The keystone lies in the shed. ${'More of that.'.repeat(500)}`;
    const plan_id = await finish('Build the arch', outcome);
    const found = await agent.call('9plan_history_search', { query: 'keystone' });
    assert.ok(size(found) < 3_500, found.text);
    const [match] = body(found).matches as { outcome: string }[];
    assert.match(match?.outcome ?? '', /^….*The keystone lies in the shed\..*…$/);
    assert.match(String(found.structured?.message), /9plan_history_get/);
    assert.equal((await agent.ok('9plan_history_get', { plan_id })).outcome, outcome);
  });

  it('of a search for nothing says so', async () => {
    assert.match((await agent.call('9plan_history_search', { query: ' ' })).text, /query is empty/);
  });

  it('tells what queued plans wait for', async () => {
    const [a, b] = [await add('a'), await add('b')];
    await agent.ok('task_dep', { id: a, add: [b] });
    for (const tool of ['9plan_admin_state', '9plan_session_resume']) {
      const { queue } = await agent.ok(tool, { session_name: session });
      const waiting = (queue as { id: string; waiting_for: string[] }[]).map(({ id, waiting_for }) => [
        id,
        waiting_for,
      ]);
      assert.deepEqual(waiting, [
        [a, [b]],
        [b, []],
      ]);
    }
    await agent.ok('9plan_queue_move', { plan_id: b, position: 'front' });
    const moved = await agent.call('9plan_queue_move', { plan_id: a, position: 'front' });
    assert.match(String(moved.structured?.message), new RegExp(`still waits for: ${b}`));
    const discarded = await agent.call('9plan_plan_discard', { plan_id: b, reason: 'moot' });
    assert.match(String(discarded.structured?.message), new RegExp(`No longer waiting for it.*${a}`));
  });

  it('about plans that wait for very many stays readable', async () => {
    const many = async (count: number) => {
      const plans = Array.from({ length: count }, (_, n) => plan(`Dig hole ${n}`));
      const added = await agent.ok('9plan_queue_add_batch', { plans });
      return (added.plans as { plan_id: string }[]).map(({ plan_id }) => plan_id);
    };
    const [[last = ''], blockers] = [await many(1), await many(300)];
    await agent.ok('task_dep', { id: last, add: blockers });
    const texts = [
      (await agent.call('9plan_queue_move', { plan_id: last, position: 'front' })).text,
      (await agent.call('task_update', { id: last, status: 'in_progress' })).text,
    ];
    for (const text of texts) assert.ok(text.length < 2_000 && text.includes('and 290 more'), text.slice(0, 2_000));
    const [line] = (await agent.call('9plan_admin_state')).text.split('\n').filter((one) => one.includes(last));
    assert.match(String(line), /and 290 more\)$/);
    for (const [n, id] of blockers.entries()) if (n > 0) await agent.ok('task_dep', { id, add: [blockers[n - 1]] });
    const circle = (await agent.call('task_dep', { id: blockers[0], add: [blockers[299]] })).text;
    assert.ok(circle.length < 1_000 && circle.includes(`waits for … waits for`), circle.slice(0, 2_000));
  });

  it('to a pull from a session that never had a plan does not praise', async () => {
    const unused = await agent.call('9plan_queue_pull');
    assert.match(unused.text, /QUEUE_EMPTY\. No plan was ever queued here/);
    assert.ok(unused.text.includes('Task complete! 🎉'), 'the signal that agents look for');
    await finish('a', 'done');
    const done = await agent.call('9plan_queue_pull');
    assert.match(done.text, /QUEUE_EMPTY: Task complete! 🎉 Nothing is queued; 1 plan is completed\./);
  });

  it('to a pull while another agent works warns of finishing its plan, and says how to read it', async () => {
    const id = await add('Dig the well');
    await agent.ok('9plan_queue_pull');
    const bob = await colleague();
    const refused = await bob.call('9plan_queue_pull');
    assert.match(refused.text, /PLAN_ALREADY_ACTIVE/);
    assert.match(refused.text, /pulled by alice at 20.*somebody is probably at work on it/);
    assert.match(
      refused.text,
      /Don't finish it unless it is yours.*9plan_history_get, 9plan_plan_defer\) Nothing was changed\.$/,
    );
    assert.equal((await bob.ok('9plan_history_get', { plan_id: id })).status, 'active');
    const own = await agent.call('9plan_queue_pull');
    assert.match(own.text, /Go on with that plan/);
  });

  it('refuses to finish a plan that another agent took over meanwhile', async () => {
    const id = await add('Dig the well');
    await agent.ok('9plan_queue_pull');
    const bob = await colleague();
    await bob.ok('9plan_plan_defer', { plan_id: id, reason: 'alice is gone' });
    await bob.ok('9plan_queue_pull');
    const refused = await agent.call('9plan_plan_complete', { outcome: 'dug' });
    assert.match(refused.text, new RegExp(`VALIDATION_ERROR[\\s\\S]*${id}.*put back and then pulled by bob`));
    assert.equal((await bob.ok('9plan_plan_complete', { outcome: 'dug by bob' })).plan_id, id);
  });

  for (const [what, spoil] of [
    ['text without headings', (path: string) => writeFileSync(path, 'my words')],
    ['a folder', (path: string) => [rmSync(path), mkdirSync(path)]],
  ] as const) {
    it(`names the way out to an agent without files when a plan's file is ${what}`, async () => {
      const { plan_id, plan_path } = await agent.ok('9plan_queue_add', plan('Dig'));
      spoil(String(plan_path));
      const refused = await agent.call('9plan_queue_pull');
      assert.match(refused.text, /a note will do.*\(9plan_plan_update, task_edit\)/);
      const validated = await agent.ok('9plan_admin_validate');
      assert.match(String(validated.issues), /Without access to the file/);
      const updated = await agent.ok('9plan_plan_update', { plan_id, append_notes: 'go on' });
      assert.match(String(updated.message), /kept beside it under a name that ends in \.kept/);
      assert.match(String((await agent.ok('9plan_queue_pull')).plan), /# Goal\nDig\n[\s\S]*go on/);
      const after = await agent.ok('9plan_admin_validate');
      assert.match(String(after.issues), /\.kept/, 'the person is told of what was kept');
    });
  }

  it('says after task_edit, too, what became of the hand edits in the file', async () => {
    const { plan_id: id, plan_path } = await agent.ok('9plan_queue_add', plan('Dig'));
    writeFileSync(String(plan_path), '# Goal\nDig deeper\n');
    assert.match(String((await agent.ok('task_edit', { id, title: 'Dig here' })).message), /goal:\nDig deeper/);
    writeFileSync(String(plan_path), 'my words');
    assert.equal((await agent.ok('task_edit', { id, parent: '' })).message, undefined);
    assert.equal(readFileSync(String(plan_path), 'utf8'), 'my words', 'the text was not changed, so the file stays');
    assert.match(String((await agent.ok('task_edit', { id, title: 'Dig' })).message), /kept beside it/);
  });

  it('from a store that was deleted says so, whatever was asked', async function () {
    if (process.platform === 'win32') this.skip();
    await add('Dig');
    await rm(agent.store, { recursive: true, force: true, maxRetries: 10 });
    for (const tool of ['9plan_admin_state', '9plan_admin_sessions', '9plan_session_resume', '9plan_admin_validate']) {
      const { message } = await agent.ok(tool, tool === '9plan_session_resume' ? { session_name: session } : {});
      assert.match(String(message), /The store in .* was deleted while it was in use: what is shown is its last state/);
    }
    const { issues } = await agent.ok('9plan_admin_validate');
    assert.match(String(issues), /was deleted while it was in use/);
    const anew = await agent.ok('9plan_session_create');
    assert.doesNotMatch(String(anew.message), /deleted/);
  });

  it('takes ids and names in capitals', async () => {
    const id = await add('Dig');
    const capitals = { plan_id: id.toUpperCase() };
    assert.equal((await agent.ok('9plan_plan_update', { ...capitals, append_notes: 'n' })).plan_id, id);
    assert.equal(
      (await agent.ok('9plan_session_resume', { session_name: session.toUpperCase() })).session_name,
      session,
    );
    assert.equal((await agent.ok('task_read', { id: id.toUpperCase() })).id, id);
  });

  it('marks the session of this connection in the list', async () => {
    assert.match(
      (await agent.call('9plan_admin_sessions')).text,
      new RegExp(`${session} \\(this connection works on it\\)`),
    );
    const other = await bench.agent({ store: agent.store });
    assert.doesNotMatch((await other.call('9plan_admin_sessions')).text, /this connection/);
  });

  it('that refuses says that nothing was changed, if the tool could have changed something', async () => {
    assert.match((await agent.call('9plan_plan_complete', { outcome: 'x' })).text, /Nothing was changed\.$/);
    assert.match((await agent.call('9plan_queue_add', {})).text, /Nothing was changed\.$/);
    assert.doesNotMatch((await agent.call('task_read', { id: 'zzzzz' })).text, /Nothing was changed/);
  });

  it('offers no session to resume where there is none', async () => {
    const fresh = await bench.agent();
    const refused = await fresh.call('9plan_session_resume', { session_name: 'no-such-session' });
    assert.match(refused.text, /Create a session first; none exists yet\. \(9plan_session_create\)/);
  });

  it('of exit_plan_mode says which proposal it took the place of', async () => {
    const first = await agent.ok('exit_plan_mode', { plan: 'Dig.' });
    assert.match(String(first.message), /ask for a clear yes: if the person gives it there, it counts/);
    const second = await agent.ok('exit_plan_mode', { plan: 'Drill.' });
    assert.match(String(second.message), new RegExp(`Your earlier proposal ${first.proposal_id} is superseded`));
  });
});

describe('a connection with few tools', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  const TOOL =
    /\b(?:9plan_(?:session|queue|plan|history|admin)_[a-z_]+|task_(?:create|list|read|update|edit|delete|dep)|todo_write|reasoning_plan|(?:enter|exit)_plan_mode|plan_mode_status|get_plan_mode_standards)\b/g;

  for (const toolsets of ['queue', 'history', 'admin', 'planmode', 'reasoning', 'tasks']) {
    it(`is told of no tool that it hasn't: ${toolsets}`, async () => {
      const full = await bench.agent();
      await full.ok('9plan_session_create', { task_description: 'Build' });
      const [blocker] = [await full.ok('9plan_queue_add', plan('a')), await full.ok('9plan_queue_add', plan('b'))];
      await full.ok('9plan_queue_pull');
      await full.ok('9plan_plan_complete', { outcome: 'x' });
      await full.ok('9plan_queue_pull');
      const agent = await bench.agent({ store: full.store, env: { NINEPLAN_TOOLSETS: toolsets } });
      const { tools } = await agent.client.listTools();
      const names = new Set(tools.map(({ name }) => name));
      const session_name = String((await full.ok('9plan_admin_state')).session_name);
      const said = [agent.client.getInstructions() ?? '', JSON.stringify(tools)];
      for (const { name } of tools) {
        for (const args of [ARGUMENTS[name] ?? {}, { ...ARGUMENTS[name], plan_id: 'zzzzz', id: 'zzzzz' }]) {
          said.push((await agent.call(name, { ...args, ...(name.endsWith('resume') ? { session_name } : {}) })).text);
        }
        const finished = { plan_id: blocker?.plan_id, id: blocker?.plan_id };
        said.push((await agent.call(name, { ...ARGUMENTS[name], ...finished })).text);
      }
      const strange = said
        .flatMap((text) => [...text.matchAll(TOOL)].map(([name]) => name))
        .filter((name) => !names.has(name));
      assert.deepEqual([...new Set(strange)], []);
    });
  }

  const ARGUMENTS: Record<string, Record<string, unknown>> = {
    '9plan_history_search': { query: 'nothing' },
    '9plan_plan_complete': { outcome: 'x' },
    '9plan_plan_discard': { reason: 'x' },
    '9plan_plan_defer': { reason: 'x' },
    '9plan_queue_add': plan('c'),
    '9plan_queue_add_batch': { plans: [plan('d')] },
    exit_plan_mode: { plan: 'Dig.' },
    todo_write: { todos: [] },
    reasoning_plan: { goal: 'g', steps: [{ title: 't' }] },
    task_create: { title: 't' },
    task_update: { status: 'done' },
  };
});
