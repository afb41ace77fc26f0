import type { Toolset } from './config';

/**
 * Sent with `initialize`; reaches the model's system prompt, so every line has to earn its place. A line is there if its
 * tools are.
 */
export function instructionText(toolsets: readonly Toolset[]): string {
  const has = (toolset: Toolset) => toolsets.includes(toolset);
  const paragraphs = [
    '9plan keeps one queue of plans for a large task, so that the work survives long conversations and lost context.',
    has('queue') ? workflow(has('admin')) : `First ${SESSION}${has('admin') ? LISTED : ''}.`,
    has('queue') || has('history') ? sections(has('history')) : undefined,
    COMMON,
    has('planmode') ? PLAN_MODE : undefined,
    has('reasoning') ? REASONING : undefined,
    has('tasks') ? TASKS : undefined,
  ];
  return paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n');
}

const SESSION = '9plan_session_create once for a task, or 9plan_session_resume to go on';
const LISTED = ' (9plan_admin_sessions lists what there is)';

const workflow = (hasAdmin: boolean) => `How to work:
1. ${SESSION}${hasAdmin ? LISTED : ''}.
2. Split the task into plans that can each be carried out without a question back, and queue them: 9plan_queue_add, 9plan_queue_add_batch.
3. 9plan_queue_pull makes the next plan active and returns its text. One plan is active at a time.
4. Do it. Keep findings in its notes: 9plan_plan_update append_notes.
5. 9plan_plan_complete with an outcome that says what was made and where. Not finished: 9plan_plan_defer. Not needed: 9plan_plan_discard.
6. Pull again until the queue is empty.`;

const sections = (hasHistory: boolean) =>
  `A plan has the sections Context, Goal, Inputs, Outputs, Approach, Success Criteria, Notes. Inputs name what other plans make by description, not by id${hasHistory ? ': find it with 9plan_history_search, read it with 9plan_history_get' : ''}.`;

const COMMON = `Each answer names its session. After a loss of context go on with that name; without one the workspace's current session is taken.
The person sees the same queue in the editor and may reorder or edit plans at any time.`;

const PLAN_MODE =
  'Before work of several steps, or anything hard to undo: enter_plan_mode, get_plan_mode_standards, research, then exit_plan_mode with the plan. Start only when its status is approved; a later decision is found with plan_mode_status.';
const REASONING = 'reasoning_plan queues the steps of a goal in the order of what they depend on.';
const TASKS = 'The task_ tools are another view of the same queue: a task is a plan.';
