import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, Bench } from './support/agent';
import { SERVER } from './support/build';

const STEPS = [{ title: 'Serve', after: [1] }, { title: 'Cook', after: [2] }, { title: 'Shop' }];
/** So many that there is time for something to happen in the middle. */
const MANY = Array.from({ length: 200 }, (_, n) => ({ title: `Step ${n}`, depends_on: n > 0 ? [n - 1] : [] }));
/** An agent must not wait longer for a backend that is not there. */
const FEW_SECONDS = 20_000;
const SLOW_MS = 10_000;

interface Planned {
  persisted: string;
  warning?: string;
  message?: string;
  steps: { id: string; plan_id: string | null; title: string }[];
}

interface Backend {
  config: object;
  /** Of the process that runs now. */
  pid(): number;
  /** What a person does after it ended; over stdio nobody needs to. */
  restart(): Promise<unknown>;
}

type Begin = (bench: Bench, store: string, env?: Record<string, string>) => Promise<Backend>;

const transports: Record<string, Begin> = {
  stdio: async (bench, store, more = {}) => {
    const file = join(bench.folder(), 'pid');
    const env = { NINEPLAN_SESSIONS_PATH: store, PID_FILE: file, ...more };
    const args = ['--require', join(__dirname, 'support/tellPid.cjs'), SERVER];
    return {
      config: { command: process.execPath, args, env },
      pid: () => Number(readFileSync(file, 'utf8')),
      restart: async () => undefined,
    };
  },
  HTTP: async (bench, store, more = {}) => {
    const env = { NINEPLAN_SESSIONS_PATH: store, NINEPLAN_HTTP_TOKEN: 'sesame', ...more };
    let server = await bench.http(env);
    return {
      config: { url: server.url, headers: { authorization: 'Bearer sesame' } },
      pid: () => server.process.child.pid as number,
      restart: async () => {
        server = await bench.http({ ...env, NINEPLAN_HTTP_PORT: new URL(server.url).port });
      },
    };
  },
};

for (const [transport, begin] of Object.entries(transports)) {
  describe(`a 9plan server as the task backend of another over ${transport}`, () => {
    const bench = new Bench();
    let other: string;
    let backend: Backend;
    let agent: Agent;
    beforeEach(async () => {
      other = bench.store();
      await use({});
    });
    afterEach(() => bench.clear());

    async function use(env: Record<string, string>): Promise<void> {
      backend = await begin(bench, other, env);
      agent = await bench.agent({ env: { NINEPLAN_TASK_BACKEND: JSON.stringify(backend.config) } });
    }

    async function plan(steps: object[] = STEPS): Promise<Planned> {
      const start = performance.now();
      const answer = await agent.ok('reasoning_plan', { goal: 'Dinner', steps });
      const ms = performance.now() - start;
      if (answer.persisted === 'none') assert.ok(ms < FEW_SECONDS, `${ms} ms`);
      return answer as unknown as Planned;
    }

    /** All that the agent needs to go on stands in the answer, stored or not. */
    function inContextOnly({ persisted, steps, warning = '' }: Planned, reason: RegExp): void {
      assert.equal(persisted, 'none');
      assert.match(warning, reason);
      assert.ok(steps.every(({ plan_id, title, id }) => plan_id === null && title !== '' && /^q\d+$/.test(id)));
    }

    async function storedWhole({ persisted, steps, warning }: Planned): Promise<void> {
      assert.deepEqual([persisted, warning], ['task_backend', undefined]);
      const keeper = await bench.agent({ store: other });
      const [shop, cook, serve] = await Promise.all(
        steps.map(({ plan_id }) => keeper.ok('task_read', { id: plan_id }) as Promise<Record<string, unknown>>),
      );
      assert.deepEqual([shop?.title, cook?.title, serve?.title], ['Shop', 'Cook', 'Serve']);
      assert.deepEqual([cook?.depends_on, serve?.depends_on], [[steps[0]?.plan_id], [steps[1]?.plan_id]]);
    }

    const kill = async () => {
      const pid = backend.pid();
      process.kill(pid, 'SIGKILL');
      // Until the kernel has cleared it away.
      for (let isThere = true; isThere; await new Promise((resolve) => setTimeout(resolve, 10))) {
        isThere = alive(pid);
      }
    };

    it('keeps the steps, with their blockers', async () => {
      await storedWhole(await plan());
      assert.deepEqual((await agent.ok('9plan_admin_sessions')).sessions, []);
    });

    it('is done without when it has no task_create', async () => {
      await use({ NINEPLAN_TOOLSETS: 'history' });
      const { persisted, warning, steps } = await plan();
      assert.equal(persisted, 'queue');
      assert.match(String(warning), /no task_create, so the steps went into the queue/);
      assert.equal((await agent.ok('9plan_queue_pull')).plan_id, steps[0]?.plan_id);
    });

    it('that was killed before is done without, or started again', async () => {
      if (transport === 'stdio') {
        await plan();
        await kill();
      } else {
        await kill();
        inContextOnly(await plan(), /The steps could not be stored: /);
        await backend.restart();
      }
      await storedWhole(await plan());
    });

    it('that is killed in the middle costs persistence, never the plan; what was made is named', async () => {
      const window = bench.window(other);
      let made = 0;
      let killed: Promise<void> | undefined;
      await window.planner.store.read(() => undefined);
      window.planner.store.onDidChange(({ events }) => {
        made += events.filter(({ type }) => type === 'plan_added').length;
        if (made >= 10) killed ??= kill();
      });
      const answer = await plan(MANY);
      await killed;
      inContextOnly(answer, /The steps could not be stored: .*these tasks were made and could not be deleted: \w{5}, /);
      assert.equal(answer.steps.length, MANY.length);
      await window.planner.store.read(() => undefined);
      const named = /deleted: ([\w, ]+)/.exec(answer.warning ?? '')?.[1]?.split(', ') ?? [];
      // The last one may have been made and not been answered.
      assert.ok(made - named.length <= 1, `${made} made, ${named.length} named`);
      await backend.restart();
      await storedWhole(await plan());
    });

    it('that is killed afterwards is found again when it is back', async () => {
      await storedWhole(await plan());
      await kill();
      if (transport === 'HTTP') inContextOnly(await plan(), /The steps could not be stored: /);
      await backend.restart();
      await storedWhole(await plan());
      // Nor does anybody notice if it was started again between two plans.
      await kill();
      await backend.restart();
      await storedWhole(await plan());
    });

    it(`that takes ${SLOW_MS / 1000} s is not waited for, and used again when it is quick`, async function () {
      if (process.platform === 'win32') this.skip();
      await storedWhole(await plan());
      const pid = backend.pid();
      process.kill(pid, 'SIGSTOP');
      const awake = new Promise<void>((resolve) => {
        setTimeout(() => {
          if (alive(pid)) process.kill(pid, 'SIGCONT');
          resolve();
        }, SLOW_MS);
      });
      inContextOnly(await plan(), /The steps could not be stored: /);
      await awake;
      await storedWhole(await plan());
    });
  });
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
