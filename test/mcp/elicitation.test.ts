import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { Bench } from './support/agent';
import { AgentV2, type AgentV2Options } from './support/agentV2';

const PLAN = '# Move\n\nOn Friday, for $15,000.';
/** A person needs longer than this to read. */
const READING_MS = 1_100;

type Answer = NonNullable<AgentV2Options['answer']>;
type Verdict = Record<string, unknown>;

interface ElicitingAgent {
  ok(name: string, args?: Record<string, unknown>, options?: { signal: AbortSignal }): Promise<Verdict>;
  close(): Promise<void>;
}

interface Started {
  agent: ElicitingAgent;
  /** Ends the server as nobody expects it. */
  killServer(): void;
}

type Start = (bench: Bench, store: string, answer?: Answer, env?: Record<string, string>) => Promise<Started>;

const makes: Record<string, Start> = {
  'SDK v1 over stdio': async (bench, store, answer, env) => {
    const agent = await bench.agent({ store, answer, env });
    return { agent, killServer: () => process.kill(agent.pid, 'SIGKILL') };
  },
  'SDK v2 over stdio': async (bench, store, answer, env) => {
    const agent = bench.keep(await AgentV2.stdio({ store, answer, env }));
    return { agent, killServer: () => process.kill(agent.pid, 'SIGKILL') };
  },
  'SDK v2 over HTTP': async (bench, store, answer, env) => {
    const http = await bench.http({ NINEPLAN_SESSIONS_PATH: store, ...env });
    const agent = bench.keep(await AgentV2.http(http.url, { store, answer }));
    return { agent, killServer: () => http.process.child.kill('SIGKILL') };
  },
};

/** A person who leaves the form open: until it is taken away, or for good. */
function thinker() {
  let shown: () => void = () => undefined;
  let withdrawn: () => void = () => undefined;
  const isShown = new Promise<void>((resolve) => (shown = resolve));
  const isWithdrawn = new Promise<void>((resolve) => (withdrawn = resolve));
  const answer: Answer = (_, signal) => {
    shown();
    return new Promise<ElicitResult>((resolve) => {
      signal.addEventListener('abort', () => {
        withdrawn();
        resolve({ action: 'cancel' });
      });
    });
  };
  return { answer, isShown, isWithdrawn };
}

for (const [make, begin] of Object.entries(makes)) {
  describe(`the form of a client with ${make}`, () => {
    const bench = new Bench();
    let store: string;
    beforeEach(() => {
      store = bench.store();
    });
    afterEach(() => bench.clear());

    const start = async (answer?: Answer, env?: Record<string, string>) => {
      const started = await begin(bench, store, answer, env);
      // After the first change of a store a window gets time to show itself: not at the cost of each test.
      if (!existsSync(store)) await started.agent.ok('9plan_session_create');
      return started;
    };
    /** What comes of a plan whose form is answered so, after so many milliseconds. */
    const outcome = async (result: ElicitResult, after = 0) => {
      const { agent } = await start(async () => {
        await new Promise((resolve) => setTimeout(resolve, after));
        return result;
      });
      return agent.ok('exit_plan_mode', { plan: PLAN });
    };
    const undecided = ({ status, decision, message }: Verdict) => {
      assert.deepEqual([status, decision], ['submitted', null]);
      assert.match(String(message), /Do not start/);
    };

    it('shows the plan, and an answer with a decision counts', async () => {
      let shown = '';
      const { agent } = await start(({ message }) => {
        shown = message;
        return { action: 'accept', content: { decision: 'Approve the plan', feedback: 'Go.' } };
      });
      const { status, decided_by, feedback } = await agent.ok('exit_plan_mode', { plan: PLAN });
      assert.deepEqual([status, decided_by, feedback], ['approved', 'test-agent', 'Go.']);
      assert.ok(shown.includes(PLAN));
    });

    it('that is accepted without a decision approves nothing', async () => {
      undecided(await outcome({ action: 'accept', content: {} }));
    });

    it('that is accepted with words alone asks for changes', async () => {
      const { decision, feedback } = await outcome({ action: 'accept', content: { feedback: 'Cheaper.' } });
      assert.deepEqual([decision, feedback], ['changes_requested', 'Cheaper.']);
    });

    it('that a person declines rejects the plan', async () => {
      const { status, decision } = await outcome({ action: 'decline' }, READING_MS);
      assert.deepEqual([status, decision], ['rejected', 'rejected']);
    });

    it('that is declined within 50 ms asked nobody', async () => {
      undecided(await outcome({ action: 'decline' }, 20));
    });

    it('that is cancelled decides nothing', async () => {
      undecided(await outcome({ action: 'cancel' }, READING_MS));
    });

    it('that nobody answers is taken away when the time is over', async () => {
      const { answer, isWithdrawn } = thinker();
      const { agent } = await start(answer, { PLAN_MODE_ELICIT_TIMEOUT: '1' });
      undecided(await agent.ok('exit_plan_mode', { plan: PLAN }));
      await isWithdrawn;
    });

    it('is not sent where none is shown', async () => {
      const { agent } = await start();
      const answer = await agent.ok('exit_plan_mode', { plan: PLAN });
      undecided(answer);
      assert.match(String(answer.message), /Nobody could be asked/);
    });

    it('is taken away when the call is cancelled; the proposal stays', async () => {
      const { answer, isShown, isWithdrawn } = thinker();
      const { agent } = await start(answer);
      const cancelled = new AbortController();
      const call = agent.ok('exit_plan_mode', { plan: PLAN }, { signal: cancelled.signal });
      await isShown;
      cancelled.abort();
      await assert.rejects(call);
      await isWithdrawn;
      undecided(await agent.ok('plan_mode_status'));
    });

    it('goes with a client that dies; the plan is decided in the editor all the same', async () => {
      let shown: () => void = () => undefined;
      const isShown = new Promise<void>((resolve) => (shown = resolve));
      const { agent } = await start(() => {
        shown();
        return new Promise<never>(() => undefined);
      });
      const call = agent.ok('exit_plan_mode', { plan: PLAN });
      await isShown;
      await Promise.allSettled([agent.close(), call]);
      await bench.window(store).decide({ feedback: 'Go.' });
      const { agent: next } = await start();
      const { status, feedback } = await next.ok('plan_mode_status');
      assert.deepEqual([status, feedback], ['approved', 'Go.']);
    });

    it('is shown again by the next server when the first one was killed', async () => {
      const { answer, isShown } = thinker();
      const { agent, killServer } = await start(answer);
      const call = agent.ok('exit_plan_mode', { plan: PLAN });
      await isShown;
      // Over HTTP a client hears nothing of it, and would wait.
      void call.catch(() => undefined);
      killServer();
      const { agent: next } = await start(() => ({ action: 'accept', content: { decision: 'Approve the plan' } }));
      const waiting = await next.ok('plan_mode_status');
      undecided(waiting);
      const { status, proposal_id } = await next.ok('exit_plan_mode', { plan: PLAN });
      assert.deepEqual([status, proposal_id], ['approved', waiting.proposal_id]);
    });

    it('is taken away when the editor decides, the first one of a connection too', async () => {
      const window = bench.window(store);
      const { answer, isShown, isWithdrawn } = thinker();
      const { agent } = await start(answer);
      const call = agent.ok('exit_plan_mode', { plan: PLAN });
      await isShown;
      await window.decide({ decision: 'changes_requested', feedback: 'Cheaper.' });
      const { decision, decided_by, feedback } = await call;
      assert.deepEqual([decision, decided_by, feedback], ['changes_requested', 'editor', 'Cheaper.']);
      await isWithdrawn;
    });

    it('is taken away when two windows decide at once, of which one wins', async () => {
      const [one, two] = [bench.window(store), bench.window(store)];
      const { answer, isShown, isWithdrawn } = thinker();
      const { agent } = await start(answer);
      const call = agent.ok('exit_plan_mode', { plan: PLAN });
      await isShown;
      const waiting = await one.waiting();
      const results = await Promise.allSettled([
        one.decide({ ...waiting, decision: 'approved' }),
        two.decide({ ...waiting, decision: 'rejected' }),
      ]);
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.decision] : []));
      const lost = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      assert.deepEqual([(await call).decision], won);
      assert.equal(lost.length, 1);
      assert.match(lost[0] ?? '', /already settled/);
      await isWithdrawn;
    });
  });
}
