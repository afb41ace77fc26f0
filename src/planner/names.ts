import { PlannerError } from './errors';
import { excerpt } from './text';

const PLAN_ID = /^[0-9a-z]{5}$/;
/** As made here, or by a later version with more words. Nothing that matches can lead out of the store's folder. */
const SESSION_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_SESSION_NAME = 100;

export function isSessionName(name: string): boolean {
  return name.length <= LONGEST_SESSION_NAME && SESSION_NAME.test(name);
}

export function isPlanId(id: string): boolean {
  return PLAN_ID.test(id);
}

/** VALIDATION_ERROR unless `id` has the form of a plan id. */
export function checkPlanId(id: string, field = 'plan_id'): void {
  if (isPlanId(id)) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `${field} ${quoted(id)} is not a plan id: it has five characters, each a digit or a lower-case letter.`,
    'Take the id from the answer that added the plan, or list the queue.',
  );
}

/** What was given, short and on one line, safe to show. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text, 40));
}
