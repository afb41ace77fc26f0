import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { CommittedChange } from '../../src/planner/events';
import { type Agent, Bench, plan } from './support/agent';
import { SERVER } from './support/build';

type Line = {
  seq: number;
  at: string;
  by: string;
  events: { type: string; plan?: string }[];
  notice?: string;
  message?: string;
};

/** `9plan-mcp events`, as a program that somebody reads. */
class EventsProgram {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  text = '';
  stderr = '';
  private wake: () => void = () => undefined;

  constructor(store: string, args: string[]) {
    const env = { PATH: process.env.PATH, HOME: store, NINEPLAN_SESSIONS_PATH: store };
    this.child = spawn(process.execPath, [SERVER, 'events', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.exited = once(this.child, 'close').then(([code]) => code);
    this.child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      this.text += chunk;
      this.wake();
    });
    this.child.stderr?.on('data', (chunk) => (this.stderr += chunk));
    this.child.once('close', () => this.wake());
  }

  /** The lines that are whole: a killed program may leave half of one. */
  get lines(): Line[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  get changes(): Line[] {
    return this.lines.filter(({ notice }) => notice === undefined);
  }

  get notices(): string[] {
    return this.lines.flatMap(({ notice }) => notice ?? []);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.stderr}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

const facts = ({ seq, at, by, events }: Line | CommittedChange) => ({ seq, at, by, events });

describe('9plan-mcp events', () => {
  const bench = new Bench();
  const programs: EventsProgram[] = [];
  let store: string;
  beforeEach(() => {
    store = bench.store();
  });
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.kill()));
    await bench.clear();
  });

  const events = (...args: string[]) => {
    const program = new EventsProgram(store, args);
    programs.push(program);
    return program;
  };

  it('tells of what any process does, at once, with who did it', async () => {
    const program = events('--follow', '--json');
    await program.until(() => program.notices.length > 0);
    assert.deepEqual(program.lines[0], { seq: 0, notice: 'start', message: `Changes after 0 in ${store}` });
    const claude = await bench.agent({ store, client: 'claude' });
    const { session_name } = await claude.ok('9plan_session_create');
    const codex = await bench.agent({ store, client: 'codex' });
    const { plan_id } = await codex.ok('9plan_queue_add', plan('Caulk the hull', { session_name }));
    const begun = performance.now();
    await program.until(() => program.changes.length === 2);
    assert.ok(performance.now() - begun < 1_000);
    const [created, added] = program.changes;
    assert.deepEqual([created?.by, created?.events[0]?.type], ['claude', 'session_created']);
    assert.deepEqual([added?.by, added?.events[0]?.type, added?.events[0]?.plan], ['codex', 'plan_added', plan_id]);
    assert.ok((added?.seq ?? 0) === (created?.seq ?? 0) + 1);
  });

  it('misses nothing and repeats nothing: two writers, its own restarts, a rollover', async function () {
    this.timeout(120_000);
    const window = bench.window(store);
    const truth: CommittedChange[] = [];
    window.planner.store.onDidChange((change) => truth.push(change));
    const writers: Agent[] = [await bench.agent({ store, client: 'a' }), await bench.agent({ store, client: 'b' })];
    const { session_name } = (await writers[0]?.ok('9plan_session_create')) ?? {};

    let writing = true;
    const work = writers.map(async (writer, n) => {
      for (let i = 0; i < 150; i++) await writer.ok('9plan_queue_add', plan(`${n}.${i}`, { session_name }));
    });
    const restless = (async () => {
      const seen: Line[] = [];
      let since = 0;
      while (writing) {
        const program = events('--follow', '--json', '--since', String(since));
        await program.until(() => program.lines.length >= 30 || !writing);
        await program.kill();
        // The last one may be killed before it says anything.
        assert.ok(program.notices.every((notice) => notice === 'start'));
        seen.push(...program.changes);
        since = program.lines.at(-1)?.seq ?? since;
      }
      return { seen, since };
    })();
    while (truth.length < 100) await new Promise((resolve) => setTimeout(resolve, 10));
    await window.compactStore();
    await Promise.all(work);
    writing = false;
    for (const program of programs) program.child.kill('SIGKILL');
    const { seen, since } = await restless;
    const rest = events('--json', '--since', String(since));
    assert.equal(await rest.exited, 0);
    seen.push(...rest.changes);
    await window.planner.store.read(() => undefined);
    assert.equal(truth.length, 301);
    assert.deepEqual(seen.map(facts), truth.map(facts));
  });

  it('says where changes are not kept any more, and goes on from there', async () => {
    const agent = await bench.agent({ store });
    await agent.ok('9plan_session_create');
    for (const goal of ['one', 'two', 'three']) await agent.ok('9plan_queue_add', plan(goal));
    const window = bench.window(store);
    await window.compactStore();
    await agent.ok('9plan_queue_add', plan('four'));
    await window.compactStore();
    await agent.ok('9plan_queue_add', plan('five'));

    const program = events('--json', '--since', '2');
    assert.equal(await program.exited, 0);
    // 1 begins the store, 2 to 5 were in the first journal, which 6 sealed and 7 continued.
    assert.deepEqual(program.notices, ['start', 'gap']);
    assert.equal(program.lines[1]?.message, 'Changes 3 to 5 are not kept any more. Read the state anew.');
    assert.deepEqual(
      program.lines.slice(1).map(({ seq }) => seq),
      [7, 8, 11],
    );
    const whole = events('--json', '--since', '5');
    assert.equal(await whole.exited, 0);
    assert.deepEqual(whole.notices, ['start'], 'nothing is lost');
  });

  it('begins at the present without a number, and survives the loss of the store', async function () {
    if (process.platform === 'win32') this.skip();
    const agent = await bench.agent({ store });
    await agent.ok('9plan_session_create');
    const program = events('--follow', '--json');
    await program.until(() => program.notices.length > 0);
    assert.equal(program.lines[0]?.seq, 2);
    await agent.close();
    await rm(store, { recursive: true, force: true, maxRetries: 10 });
    await program.until(() => program.notices.includes('gone'));
    const next = await bench.agent({ store });
    await next.ok('9plan_session_create');
    await program.until(() => program.notices.includes('exchanged'));
    await next.ok('9plan_queue_add', plan('In the new store'));
    await program.until(() => program.changes.length > 0);
    assert.equal(program.changes.at(-1)?.events[0]?.type, 'plan_added');
  });

  it('knows a store that has not come as far for another one', async () => {
    const agent = await bench.agent({ store });
    await agent.ok('9plan_session_create');
    const program = events('--follow', '--json', '--since', '500');
    await program.until(() => program.notices.length === 2);
    assert.deepEqual(
      program.lines.map(({ notice, seq }) => [notice, seq]),
      [
        ['start', 500],
        ['exchanged', 2],
      ],
    );
    await agent.ok('9plan_queue_add', plan('Not missed'));
    await program.until(() => program.changes.length > 0);
  });

  it('is one line a change for people, whatever the text', async () => {
    const agent = await bench.agent({ store, client: 'cl\nient' });
    const { session_name } = await agent.ok('9plan_session_create', { task_description: 'a\nb' });
    const { plan_id } = await agent.ok('9plan_queue_add', plan('Goal\nof two lines'));
    const program = events();
    assert.equal(await program.exited, 0);
    const [, created, added, ...more] = program.text.trimEnd().split('\n');
    assert.match(created ?? '', new RegExp(`^\\S+Z 2 cl ient: session_created ${session_name}$`));
    assert.match(added ?? '', new RegExp(`^\\S+Z 3 cl ient: plan_added ${plan_id} ${session_name}$`));
    assert.deepEqual(more, []);
  });

  it('ends when nobody reads it', async () => {
    const agent = await bench.agent({ store });
    await agent.ok('9plan_session_create');
    const program = events('--follow', '--json');
    await program.until(() => program.lines.length > 0);
    program.child.stdout?.destroy();
    const ended = once(program.child, 'exit');
    while (program.child.exitCode === null) {
      await agent.ok('9plan_queue_add', plan('Is anybody there?'));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    assert.equal(program.child.exitCode, 0, program.stderr);
  });

  it('makes nothing on disk, and explains what it does not understand', async () => {
    const program = events('--json');
    assert.equal(await program.exited, 0);
    assert.deepEqual(program.notices, ['start']);
    assert.ok(!existsSync(store));
    for (const args of [['--since', 'x'], ['--since'], ['--sinc', '3'], ['more'], ['--since', '-1']]) {
      const wrong = events(...args);
      assert.equal(await wrong.exited, 2, args.join(' '));
      assert.match(wrong.stderr, /Usage: 9plan-mcp events/);
      assert.equal(wrong.text, '');
    }
    const help = events('--help');
    assert.equal(await help.exited, 0);
    assert.match(help.text, /^Usage: 9plan-mcp events/);
  });
});
