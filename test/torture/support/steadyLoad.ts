import { sampleText } from '../../bench/sampleText';
import type { LineClient } from '../../support/lineClient';
import type { Trend } from './processUse';

const PLANS = 6;
/** Milliseconds. */
const BETWEEN_SAMPLES = 500;
const BETWEEN_ROUNDS = 100;
/** However slow the machine is: a trend needs so many. */
const LEAST_ROUNDS = 12;

/** What an editor does with a session that an agent has worked on: it looks, and deletes it, so that the store stays as it is. */
export type Window = (session: string) => Promise<void>;

/** An agent and an editor at work on one store, round after round, for so many milliseconds. */
export async function steadyLoad(
  client: LineClient,
  window: Window,
  trends: readonly Trend[],
  duration: number,
): Promise<{ rounds: number; calls: number }> {
  const end = Date.now() + duration;
  let sampled = 0;
  let calls = 0;
  let rounds = 0;
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    calls++;
    return client.call(tool, args);
  };
  for (; Date.now() < end || rounds < LEAST_ROUNDS; rounds++) {
    await window(await workThrough(call, rounds));
    if (Date.now() - sampled > BETWEEN_SAMPLES) {
      for (const trend of trends) trend.sample();
      sampled = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_ROUNDS));
  }
  return { rounds, calls };
}

/** One session from its beginning to where only its deletion is left; its name. */
async function workThrough(
  call: (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>,
  round: number,
): Promise<string> {
  const name = String((await call('9plan_session_create', { task_description: `Round ${round}` })).session_name);
  const plans = Array.from({ length: PLANS }, (_, n) => {
    const text = sampleText(round * PLANS + n, 1500);
    return { goal: `Goal ${n} of round ${round}`, context: text, approach: text, success_criteria: 'It holds.' };
  });
  await call('9plan_queue_add_batch', { plans });
  await call('todo_write', { todos: [{ content: 'go on', status: 'pending' }] });
  for (let n = 0; n < PLANS - 2; n++) {
    const { plan_id } = await call('9plan_queue_pull');
    await call('9plan_plan_update', { plan_id, append_notes: 'half done' });
    if (n === 0) await call('9plan_plan_defer', { reason: 'later' });
    else if (n === 1) await call('9plan_plan_discard', { reason: 'not needed' });
    else await call('9plan_plan_complete', { outcome: `Goal ${n} is reached` });
  }
  await call('enter_plan_mode', { goal: 'plan' });
  await call('9plan_history_search', { query: 'goal reached', all_sessions: true });
  await call('9plan_admin_state');
  await call('9plan_session_resume', { session_name: name });
  return name;
}
