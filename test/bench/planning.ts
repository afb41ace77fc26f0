import { budgeted, median, percentile, type Row, time } from './figures';
import { sampleText } from './sampleText';
import { ours, plan, type Scale } from './servers';

const SESSIONS = 100;
const PROPOSALS_EACH = 10;
const PLAN_BYTES = 3000;

/** Plan mode in one server process: the last of 1,000 proposals, in 100 sessions with to-dos, beside the first. */
export async function proposals({ folder }: Scale): Promise<Row[]> {
  const client = await ours(folder());
  const sessions: unknown[] = [];
  for (let n = 0; n < SESSIONS; n++) sessions.push((await client.call('9plan_session_create', {})).session_name);
  const rounds: number[] = [];
  for (let round = 0; round < PROPOSALS_EACH; round++) {
    const times: number[] = [];
    for (const [n, session_name] of sessions.entries()) {
      const plan = sampleText(round * SESSIONS + n, PLAN_BYTES);
      const todos = [{ content: `Part ${round} of ${n}`, status: 'pending' }];
      await client.call('todo_write', { session_name, todos });
      times.push(await time(() => client.call('exit_plan_mode', { session_name, plan })));
    }
    rounds.push(median(times));
  }
  await client.close();
  return [
    {
      figure: 'exit_plan_mode, p50, last 100 of 1,000 proposals',
      value: rounds.at(-1) ?? Number.NaN,
      unit: 'ms',
      // The very first ones run in code that has just been loaded.
      reference: rounds[1] ?? Number.NaN,
      referenceName: 'second 100',
      bound: 1.2,
    },
  ];
}

const STEPS = 200;

/** A large plan at one stroke: every step waits for the two before it, the last one for the first three too. */
export async function reasoning({ runs, folder }: Scale): Promise<Row[]> {
  const client = await ours(folder());
  const steps = Array.from({ length: STEPS }, (_, n) => ({
    title: `Step ${n}`,
    description: sampleText(n, 200),
    depends_on: [n - 1, n - 2, ...(n === STEPS - 1 ? [0, 1, 2] : [])].filter((to) => to >= 0),
  }));
  const edges = steps.reduce((sum, step) => sum + step.depends_on.length, 0);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await client.call('9plan_session_create', {});
    times.push(await time(() => client.call('reasoning_plan', { goal: 'All of it', steps })));
  }
  await client.close();
  return [budgeted(`reasoning_plan, ${STEPS} steps, ${edges} edges, p50`, median(times), 'ms', 200)];
}

const ROUNDS = 30;

/** From a change by one server to what it sets going in another, the change itself included. */
export async function waking({ folder }: Scale): Promise<Row[]> {
  const path = folder();
  const [waiting, working] = [await ours(path), await ours(path)];
  const here = (await waiting.call('9plan_session_create', {})).session_name;
  await working.call('9plan_session_create', {});
  const pulls: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const { plan_id: blocker } = await working.call('9plan_queue_add', plan(n));
    const { plan_id: blocked } = await waiting.call('9plan_queue_add', plan(n));
    await waiting.call('task_dep', { id: blocked, add: [blocker] });
    await working.call('9plan_queue_pull');
    const pulled = waiting.call('9plan_queue_pull', { wait_seconds: 60 });
    // Answered after the pull has begun to wait.
    await waiting.call('9plan_admin_state');
    const start = performance.now();
    const [waited] = await Promise.all([
      pulled.then(() => performance.now() - start),
      working.call('9plan_plan_complete', { outcome: 'Out of the way.' }),
    ]);
    pulls.push(waited);
    await waiting.call('9plan_plan_complete', { outcome: 'Done.' });
  }

  const notices: number[] = [];
  await waiting.request('resources/subscribe', { uri: `nineplan://session/${here}` });
  for (let n = 0; n < ROUNDS; n++) {
    const start = performance.now();
    const noticed = new Promise<number>((resolve) => {
      waiting.onMessage = (method) => {
        if (method === 'notifications/resources/updated') resolve(performance.now() - start);
      };
    });
    await working.call('9plan_queue_add', { ...plan(n), session_name: here });
    notices.push(await noticed);
    // What is told together must not count for the next one.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await Promise.all([waiting.close(), working.close()]);
  return [
    budgeted('a waiting pull, after another server unblocked it, p95', percentile(pulls, 0.95), 'ms', 100),
    budgeted('a subscription, after another server’s change, p95', percentile(notices, 0.95), 'ms', 200),
  ];
}
