import * as z from 'zod';
import type { PullResult } from '../../planner/queue';
import { cutBytes } from '../cutBytes';
import { cut, GOAL_SHOWN } from '../excerpts';
import { type Answer, defineTool, inSession, type Tool, type ToolCall } from '../tool';
import { Waiting } from '../waiting';
import { heading, waits } from './phrases';

/** Bytes of a plan's text in an answer; what is longer is cut, and its path is named. */
const PLAN_SHOWN = 100_000;

const output = {
  plan_id: z.string().nullable(),
  plan_path: z.string().nullable(),
  goal: z.string().nullable(),
  plan: z.string().nullable().describe("the plan file's text"),
  queue_empty: z.boolean().describe('true: all work is done'),
  completed_count: z.number(),
  blocked: z.array(z.object({ id: z.string(), waiting_for: z.array(z.string()) })).optional(),
};
type PullAnswer = Answer<z.input<z.ZodObject<typeof output>>>;

export const pullTool: Tool = defineTool({
  name: '9plan_queue_pull',
  title: 'Pull the next plan',
  description: 'Make the frontmost ready plan active and return it whole. Finish it with complete, defer or discard.',
  toolset: 'queue',
  input: {
    wait_seconds: z.number().int().min(0).max(3600).optional().describe('wait so long for a ready plan'),
    ...inSession,
  },
  output,
  async handle({ wait_seconds, session_name }, call) {
    const result = await pull(call, session_name, wait_seconds ?? 0);
    switch (result.kind) {
      case 'pulled':
        return pulled(result);
      case 'empty':
        return empty(result);
      case 'blocked':
        return blocked(result);
    }
  },
});

async function pull(call: ToolCall, sessionName: string | undefined, seconds: number): Promise<PullResult> {
  const { planner, caller, signal } = call;
  let last = await planner.queue.pull(caller, { sessionName });
  if (last.kind === 'pulled' || seconds === 0) return last;
  const { session, assumed } = last;
  const ask = async () => {
    // A plan must not become active for a call that nobody waits for any more.
    if (signal.aborted) return undefined;
    last = await planner.queue.pull(caller, { sessionName: session });
    if (last.kind !== 'pulled') return undefined;
    if (!signal.aborted) return last;
    await planner.queue.release(caller, { planId: last.plan.id });
    return undefined;
  };
  const beat = (elapsed: number) => call.progress(elapsed, seconds, `Waiting for a plan in ${session}`);
  const answer = await new Waiting(planner.store, signal).forAnswer(ask, seconds, beat);
  return { ...(answer ?? last), assumed };
}

function pulled(result: Extract<PullResult, { kind: 'pulled' }>): PullAnswer {
  const { id, goal, path, text } = result.plan;
  const shown = cutBytes(text, PLAN_SHOWN);
  return {
    session: result.session,
    assumed: result.assumed,
    text: `Plan ${id} is active.\nFile: ${path}\n\n${shown}`,
    structured: {
      plan_id: id,
      plan_path: path,
      goal: cut(goal, GOAL_SHOWN),
      plan: shown,
      queue_empty: false,
      completed_count: result.completedCount,
    },
    message: shown === text ? undefined : `The plan is longer than is shown here. Read the rest in ${path}.`,
  };
}

function empty(result: Extract<PullResult, { kind: 'empty' }>): PullAnswer {
  const { completedCount, isUnused } = result;
  const completed = completedCount === 1 ? '1 plan is completed' : `${completedCount} plans are completed`;
  return {
    session: result.session,
    assumed: result.assumed,
    text: '',
    structured: { ...nothing, queue_empty: true, completed_count: completedCount },
    // The words are a signal that agents look for, so they stand in both.
    message: isUnused
      ? 'QUEUE_EMPTY. No plan was ever queued here, so "Task complete! 🎉" would say too much: add plans with 9plan_queue_add, or resume the session that you mean.'
      : `QUEUE_EMPTY: Task complete! 🎉 Nothing is queued; ${completed}.`,
  };
}

function blocked(result: Extract<PullResult, { kind: 'blocked' }>): PullAnswer {
  const lines = result.blocked.map((plan) => `- ${heading(plan)}${waits(plan.waitingFor)}`);
  return {
    session: result.session,
    assumed: result.assumed,
    text: lines.join('\n'),
    structured: {
      ...nothing,
      queue_empty: false,
      completed_count: result.completedCount,
      blocked: result.blocked.map(({ id, waitingFor }) => ({ id, waiting_for: waitingFor })),
    },
    message: 'No plan is ready: each queued one waits for another plan. Call again with wait_seconds to wait for it.',
  };
}

const nothing = { plan_id: null, plan_path: null, goal: null, plan: null };
