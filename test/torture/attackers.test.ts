import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Exchange } from '../../src/planner/exchange/exchange';
import { readExported } from '../../src/planner/exchange/exported';
import { EMPTY_SECTIONS } from '../../src/planner/text';
import { type Agent, Bench, plan } from '../mcp/support/agent';
import { forge } from './support/forge';
import { HOSTILE_NAMES, HOSTILE_TEXTS } from './support/hostile';
import { House } from './support/house';
import { LONG, record } from './support/ledger';
import { namesBelow } from './support/namesBelow';

const EVENTS = LONG ? 1_000_000 : 40_000;
/** Seconds and megabytes in which a journal of that many events must be open. */
const OPENING = { seconds: LONG ? 120 : 30, megabytes: LONG ? 1500 : 300 };

/** Who hands over a folder, or what an import is made of. */
describe('An attacker', () => {
  const bench = new Bench();
  afterEach(() => bench.clear());

  /** A folder with a store in it, as somebody else may hand it over. */
  async function workspace(...goals: string[]): Promise<{ folder: string; store: string }> {
    const folder = bench.folder();
    const house = new House(join(folder, '.9plan'));
    await house.planner.sessions.create(house.caller, { taskDescription: 'handed over' });
    if (goals.length > 0) await house.add(...goals);
    await house.store.close();
    return { folder, store: join(folder, '.9plan') };
  }

  /** Everything that an agent can look at and change, whatever the store says; no answer may be a crash. */
  async function useAll(agent: Agent, session: string): Promise<void> {
    const calls: [string, Record<string, unknown>][] = [
      ['9plan_admin_sessions', {}],
      ['9plan_session_resume', { session_name: session }],
      ['9plan_admin_state', { session_name: session }],
      ['9plan_admin_validate', { session_name: session }],
      ['9plan_queue_pull', { session_name: session }],
      ['9plan_plan_complete', { session_name: session, outcome: 'done' }],
      ['9plan_queue_add', plan('one more', { session_name: session })],
      ['9plan_history_search', { query: 'passwd', all_sessions: true }],
      ['task_list', { session_name: session }],
    ];
    for (const [tool, args] of calls) {
      const { text } = await agent.call(tool, args);
      assert.match(text, /^\[Session: [^\]\n]*\]/, tool);
      assert.doesNotMatch(text, /\n\s+at |node:internal|INTERNAL/, tool);
    }
  }

  it('whose store has names that lead elsewhere gets nothing written or read there', async () => {
    const { folder, store } = await workspace('a');
    const outside = join(folder, 'outside');
    mkdirSync(join(outside, 'plans'), { recursive: true });
    writeFileSync(join(outside, 'plans', 'aaaaa.txt'), '# Goal\nsecret of outside\n');
    const before = namesBelow(folder).filter((name) => !name.startsWith('.9plan'));
    const names = ['../outside', outside, ...HOSTILE_NAMES.filter((name) => name !== '')];
    const sections = { ...EMPTY_SECTIONS, goal: 'reach out' };
    forge(store, [
      ...names.map((session) => [{ type: 'session_created', session, taskDescription: 'hostile' }]),
      ...names.map((session, n) => [
        { type: 'plan_added', plan: `aaa${10 + n}`, session, position: 1, sections, parent: null },
      ]),
      ...names.map((id) => [
        { type: 'plan_added', plan: `../${id}`, session: '../outside', position: 1, sections, parent: null },
      ]),
      [{ type: 'session_selected', session: '../outside' }],
    ]);
    const agent = await bench.agent({ store });
    for (const session of ['../outside', outside, '..', 'windows']) await useAll(agent, session);
    const { sessions } = (await agent.ok('9plan_admin_sessions')) as { sessions: { name: string }[] };
    const own = sessions.map(({ name }) => name).find((name) => /^[a-z]+-[a-z]+-[a-z]+$/.test(name)) ?? '';
    await useAll(agent, own);
    assert.equal((await agent.ok('9plan_admin_state', { session_name: own })).file_db_match, true);
    await agent.close();
    assert.deepEqual(
      namesBelow(folder).filter((name) => !name.startsWith('.9plan')),
      before,
    );
    assert.equal(readFileSync(join(outside, 'plans', 'aaaaa.txt'), 'utf8'), '# Goal\nsecret of outside\n');
    record({ part: 'attackers', fault: 'a store with names that lead elsewhere', cases: names.length * 2, losses: 0 });
  });

  it('whose store has events that make no sense stops nobody', async () => {
    const { store } = await workspace('a');
    const senseless = [
      { type: 'plan_added' },
      { type: 'plan_pulled', plan: 7, client: null },
      { type: 'plan_moved', plan: 'zzzzz', position: -1 },
      { type: 'plan_completed', plan: 'zzzzz', outcome: { toString: 'x' } },
      { type: 'session_created', session: null, taskDescription: {} },
      { type: 'session_selected', session: 'nobody-knows-it' },
      { type: '__proto__' },
      { type: 'constructor' },
      { type: 'sealed', damage: 'maybe' },
    ];
    for (const event of senseless) {
      const { store: one } = await workspace('a');
      forge(one, [[event]]);
      const agent = await bench.agent({ store: one });
      const { text } = await agent.call('9plan_admin_sessions');
      assert.match(text, /^\[Session: /, JSON.stringify(event));
      assert.doesNotMatch(text, /\n\s+at |node:internal/);
      await agent.close();
    }
    assert.ok(lstatSync(store).isDirectory());
    record({ part: 'attackers', fault: 'a store with senseless events', cases: senseless.length, losses: 0 });
  });

  it('whose plans are full of scripts, control characters and orders to the model finds them kept as texts', async () => {
    const { store } = await workspace(...HOSTILE_TEXTS.filter((text) => text.trim() !== ''));
    const agent = await bench.agent({ store });
    const { queue } = (await agent.ok('9plan_admin_state')) as { queue: { id: string; goal: string }[] };
    assert.deepEqual(
      queue.map(({ goal }) => goal),
      HOSTILE_TEXTS.filter((text) => text.trim() !== '').map((text) =>
        text.length > 300 ? `${text.slice(0, 299)}…` : text,
      ),
    );
    const { text } = await agent.call('9plan_admin_state');
    // A line of an answer is ours: what a plan says can't begin one that looks like it.
    assert.equal(text.match(/^\[Session: /gm)?.length, 1);
    assert.doesNotMatch(text, /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    assert.equal((await agent.ok('9plan_admin_validate')).valid, true);
    record({ part: 'attackers', fault: 'hostile texts', cases: HOSTILE_TEXTS.length, losses: 0 });
  });

  it(`whose journal has ${EVENTS} events keeps nobody waiting for long`, async function () {
    this.timeout(600_000);
    const { store } = await workspace('a');
    const together = 100;
    forge(
      store,
      (function* () {
        for (let n = 0; n < EVENTS; n += together) {
          yield Array.from({ length: together }, (_, k) => ({
            type: 'session_described',
            session: sessionIn(store),
            taskDescription: `\u001b[31m event ${n + k}`,
          }));
        }
      })(),
    );
    const bytes = readdirSync(store)
      .filter((name) => name.startsWith('journal-'))
      .reduce((sum, name) => sum + lstatSync(join(store, name)).size, 0);
    const agent = await bench.agent({ store });
    const began = performance.now();
    await agent.ok('9plan_queue_add', plan('after all that'));
    const seconds = (performance.now() - began) / 1000;
    const megabytes = Number(/VmHWM:\s+(\d+)/.exec(statusOf(agent.pid))?.[1] ?? 0) / 1000;
    assert.ok(seconds < OPENING.seconds, `${seconds} s`);
    assert.ok(megabytes < OPENING.megabytes, `${megabytes} MB`);
    const measured = process.platform === 'linux' ? `, ${megabytes.toFixed(0)} MB at most` : '';
    record({
      part: 'attackers',
      fault: 'a journal full of events',
      cases: EVENTS,
      losses: 0,
      figures: `${(bytes / 1e6).toFixed(0)} MB, first change after ${seconds.toFixed(1)} s${measured}`,
    });
  });

  it('whose export is imported gets no name or id of its own choice into a path', async () => {
    const { folder, store } = await workspace('a');
    const house = new House(store);
    const exchange = new Exchange(house.store);
    const exported = await exchange.exportJson(house.caller, {});
    const [template] = exported.sessions;
    assert.ok(template);
    const sessions = HOSTILE_NAMES.map((name) => ({
      ...template,
      name,
      plans: template.plans.map((one) => ({ ...one, id: name, parent: name, waits_for: [name] })),
    }));
    const text = JSON.stringify({ ...exported, sessions, selected_session: '../..' });
    const { sessions: names, plans } = await exchange.restore(house.caller, {
      exported: readExported(JSON.parse(text)),
    });
    assert.equal(plans, HOSTILE_NAMES.length);
    for (const name of names) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.deepEqual(await house.issues(), []);
    await house.store.close();
    assert.deepEqual(readdirSync(folder), ['.9plan']);
    const files = namesBelow(store).filter((name) => name.endsWith('.txt'));
    for (const name of files) assert.match(name, /^[a-z0-9-]+[/\\]plans[/\\][0-9a-z]{5}\.txt$/);
    record({ part: 'attackers', fault: 'an import with names that lead elsewhere', cases: names.length, losses: 0 });
  });

  it('whose plan file is huge gets it named, not read', async () => {
    const { store } = await workspace('a');
    const agent = await bench.agent({ store });
    const { queue } = (await agent.ok('9plan_admin_state')) as { queue: { id: string }[] };
    const session = sessionIn(store);
    const path = join(store, session, 'plans', `${queue[0]?.id}.txt`);
    truncateSync(path, 3 * 1024 ** 3);
    const { issues } = (await agent.ok('9plan_admin_validate')) as { issues: string[] };
    assert.match(issues.join(), /too large for a plan/);
    const refused = await agent.call('9plan_queue_pull');
    assert.ok(refused.isError);
    await agent.ok('9plan_plan_update', { plan_id: queue[0]?.id, append_notes: 'The file is set aside.' });
    assert.ok(lstatSync(path).size < 10_000);
    record({ part: 'attackers', fault: 'a plan file of 3 GB', cases: 1, losses: 0 });
  });

  it('whose store is a link to another folder gets nothing read or written there', async function () {
    if (process.platform === 'win32') this.skip();
    const { store: target } = await workspace('a secret of another project');
    const folder = bench.folder();
    mkdirSync(join(folder, '.git'));
    symlinkSync(target, join(folder, '.9plan'));
    const before = namesBelow(target);
    const agent = await bench.agent({ store: '', cwd: folder });
    for (const [tool, args] of [
      ['9plan_admin_sessions', {}],
      ['9plan_session_create', {}],
      ['9plan_queue_add', plan('x')],
    ] as const) {
      const { text, isError } = await agent.call(tool, args);
      assert.ok(isError, text);
      assert.match(text, /FILE_SYSTEM_ERROR[\s\S]*symbolic link[\s\S]*NINEPLAN_SESSIONS_PATH/);
    }
    assert.deepEqual(namesBelow(target), before);
    record({ part: 'attackers', fault: 'a store that is a link', cases: 3, losses: 0 });
  });
});

function statusOf(pid: number | undefined): string {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
}

/** The one that has a folder. */
function sessionIn(store: string): string {
  return readdirSync(store).find((name) => /^[a-z]+-[a-z]+-[a-z]+$/.test(name)) ?? '';
}
