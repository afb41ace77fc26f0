import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { withInvisibleShown } from '../planner/invisible';
import type { Decision } from '../planner/model';
import { cutBytes } from './cutBytes';

/** Bytes of a plan that a form shows; a longer one is cut, and its path is named. */
const PLAN_SHOWN = 20_000;

/**
 * The values are what people read, so they are words. Clients preselect the first one and take the keyboard: whoever was
 * typing something else and presses Enter must not have approved.
 */
const CHOICES: Readonly<Record<string, Decision>> = {
  'Request changes': 'changes_requested',
  'Approve the plan': 'approved',
  'Reject the plan': 'rejected',
};

/** A `decline` that comes faster than a person can read is a client's own doing. */
const PERSON_NEEDS_MS = 1_000;

export const DECISION_SCHEMA: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Decision', enum: Object.keys(CHOICES) },
    feedback: { type: 'string', title: 'Feedback', description: 'Reaches the agent whatever you decide' },
  },
  required: ['decision'],
};

export interface FormRuling {
  decision: Decision;
  feedback?: string;
}

/**
 * What a person decided by answering the form; undefined if nobody did: cancelled, declined at once, or accepted without
 * a choice. Clients don't check answers against the schema, so nothing is taken for granted.
 */
export function rulingOf(answer: ElicitResult, ageMs: number): FormRuling | undefined {
  if (answer.action === 'decline') return ageMs < PERSON_NEEDS_MS ? undefined : { decision: 'rejected' };
  if (answer.action !== 'accept') return undefined;
  const { decision: chosen, feedback: typed } = answer.content ?? {};
  const feedback = typeof typed === 'string' && typed.trim() !== '' ? typed : undefined;
  const decision = typeof chosen === 'string' && Object.hasOwn(CHOICES, chosen) ? CHOICES[chosen] : undefined;
  if (decision) return { decision, feedback };
  // Words without a choice are no approval, but they must not get lost either.
  return feedback === undefined ? undefined : { decision: 'changes_requested', feedback };
}

/** What the form says: the plan, or its beginning and where the whole of it lies until `dispose`. */
export async function planMessage(
  client: string,
  plan: string,
): Promise<{ message: string; dispose(): Promise<void> }> {
  const heading = `**${client} asks you to approve this plan:**`;
  const cut = cutBytes(plan, PLAN_SHOWN);
  const shown = withInvisibleShown(cut);
  if (cut === plan) return { message: `${heading}\n\n${shown}`, dispose: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), '9plan-'));
  const path = join(folder, `plan-${randomUUID()}.md`);
  await writeFile(path, plan, { mode: 0o600, flag: 'wx' });
  return {
    message: `${heading}\n\nOnly its beginning is shown here.\n\n${shown}\n\n… The plan goes on. The whole of it: ${path}`,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
