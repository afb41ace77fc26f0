import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Agent, Bench } from './support/agent';

const SESSIONS = 100;
const ROUNDS = 10;
/** Sessions whose agents are at work at the same time. */
const TOGETHER = 10;
/** Of each plan and each list, in bytes. */
const TEXT = 3_000;
/** Bytes of the server's own memory that are no growth. */
const NOISE = 1_000_000;

describe('a server that lives long in plan mode', () => {
  const bench = new Bench();
  after(() => bench.clear());

  /** What is left after garbage was collected, in bytes. */
  async function memory(agent: Agent, probe: number): Promise<{ heapUsed: number; arrayBuffers: number }> {
    process.kill(agent.pid, 'SIGUSR2');
    for (;;) {
      const line = agent.log.split('\n').find((text) => text.startsWith(`{"probe":${probe},`) && text.endsWith('}'));
      if (line) return JSON.parse(line);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('keeps a thousand proposals and the to-dos of a hundred sessions, and its memory', async function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(120_000);
    const env = { NODE_OPTIONS: `--require ${join(__dirname, 'support/heapProbe.cjs')}`, NINEPLAN_LOG_LEVEL: 'error' };
    const agent = await bench.agent({ env });
    const sessions: string[] = [];
    for (let n = 0; n < SESSIONS; n++) sessions.push(String((await agent.ok('9plan_session_create')).session_name));
    const text = 'word '.repeat(TEXT / 5);
    const propose = async (session_name: string, number: number) => {
      await agent.ok('enter_plan_mode', { session_name });
      const todos = [{ content: `${number} ${text}`, status: 'pending' }];
      await agent.ok('todo_write', { session_name, todos });
      const { status } = await agent.ok('exit_plan_mode', { session_name, plan: `${number} ${text}` });
      assert.equal(status, 'submitted');
    };
    const round = async (number: number) => {
      for (let from = 0; from < SESSIONS; from += TOGETHER) {
        await Promise.all(sessions.slice(from, from + TOGETHER).map((name) => propose(name, number)));
      }
    };
    for (let number = 0; number < 3; number++) await round(number);
    const early = await memory(agent, 0);
    for (let number = 3; number < ROUNDS; number++) await round(number);
    const late = await memory(agent, 1);

    const grown = late.heapUsed - early.heapUsed;
    assert.ok(grown < NOISE, `the heap has grown by ${grown} bytes`);
    // What is stored is held once, in the database, with a list a session however often it was replaced.
    const stored = (ROUNDS - 3) * SESSIONS * TEXT * 2;
    const held = late.arrayBuffers - early.arrayBuffers;
    assert.ok(held < 3 * stored, `the database has grown by ${held} bytes for ${stored}`);

    const window = bench.window(agent.store);
    const [proposals, lists] = await window.planner.store.read((view) => [
      view.proposals({}),
      sessions.map((session) => view.todoLists(session)),
    ]);
    const count = (status: string) => proposals.filter((proposal) => proposal.status === status).length;
    assert.deepEqual([count('submitted'), count('superseded')], [SESSIONS, SESSIONS * (ROUNDS - 1)]);
    assert.ok(lists.every(([list, ...more]) => list?.todos[0]?.content.startsWith('9 ') && more.length === 0));
  });
});
