import type { Caller } from './caller';
import { PlannerError } from './errors';
import { takeInEdits, takeInReadableEdits } from './fileEdits';
import type { Plan, QueueEnd } from './model';
import { describePlan, isOwnPull } from './planChoice';
import type { Transaction } from './ports';
import { positionAt } from './queueing';
import { checkLength } from './text';

/*
 * The steps of a plan's life (seed, section 2.2) inside a transaction. Whoever calls them has chosen the plan and
 * checked its status; all take in edits of the plan's file first, so that they are kept.
 */

/**
 * PLAN_ALREADY_ACTIVE, naming the plan, if the session has an active one. Whoever didn't pull it is warned: it is more
 * likely another agent's work than one's own that was forgotten.
 */
export function requireNoActivePlan(tx: Transaction, caller: Caller, session: string): void {
  const active = tx.activePlan(session);
  if (active === undefined) return;
  const by = `pulled by ${active.pulledBy} at ${active.pulledAt}`;
  const refuse = (message: string, suggestion: string, tools?: string[]) =>
    new PlannerError('PLAN_ALREADY_ACTIVE', message, suggestion, { session, tools });
  const message = `The session ${session} already has an active plan: ${describePlan(tx, active)}, ${by}`;
  if (isOwnPull(caller, active)) {
    throw refuse(`${message}.`, 'Go on with that plan and complete, defer or discard it; then pull again.');
  }
  throw refuse(
    `${message}. This connection did not pull it, so somebody is probably at work on it.`,
    `Don't finish it unless it is yours from before you lost your context; then read it and go on. If its agent is gone, put it back (defer with plan_id ${active.id}; the person can release it in the editor) and pull again.`,
    ['9plan_history_get', '9plan_plan_defer'],
  );
}

/** Makes a queued plan the active one. */
export function pullPlan(tx: Transaction, plan: Plan, caller: Caller): Plan {
  requireNoActivePlan(tx, caller, plan.sessionName);
  const current = takeInEdits(tx, plan);
  tx.emit({ type: 'plan_pulled', plan: plan.id, client: caller.client });
  return current;
}

/** Puts the active plan back and says why in its notes. Gives its position. */
export function deferPlan(tx: Transaction, plan: Plan, reason: string, end: QueueEnd): number {
  addNote(tx, takeInEdits(tx, plan), datedNote(tx.now, `Deferred: ${reason}`));
  return requeue(tx, plan, end, 'deferred');
}

/** Puts an active plan whose agent is gone back to the front. Gives its position. */
export function releasePlan(tx: Transaction, plan: Plan): number {
  takeInEdits(tx, plan);
  return requeue(tx, plan, 'front', 'released');
}

/** Queues a completed or discarded plan again; unless `quietly`, its notes keep how it had ended. Gives its position. */
export function reopenPlan(tx: Transaction, plan: Plan, end: QueueEnd, quietly = false): number {
  const position = requeue(tx, plan, end, 'reopened');
  const current = takeInEdits(tx, plan);
  const ended = plan.status === 'completed' ? `completed: ${plan.outcome}` : `discarded: ${plan.discardReason}`;
  if (!quietly) addNote(tx, current, datedNote(tx.now, `Reopened; it had been ${ended}`));
  return position;
}

export function completePlan(tx: Transaction, plan: Plan, outcome: string): void {
  takeInEdits(tx, plan);
  tx.emit({ type: 'plan_completed', plan: plan.id, outcome });
}

/** Its file need not be understood for that: it is left where it is. Gives what is wrong with it, if anything. */
export function discardPlan(tx: Transaction, plan: Plan, reason: string): PlannerError | undefined {
  const problem = takeInReadableEdits(tx, plan);
  tx.emit({ type: 'plan_discarded', plan: plan.id, reason });
  return problem;
}

export function appendedNotes(notes: string, addition: string): string {
  const appended = notes === '' ? addition : `${notes}\n${addition}`;
  checkLength('notes', appended, undefined, 'Replace the notes of the plan with shorter ones first, then call again.');
  return appended;
}

function requeue(tx: Transaction, plan: Plan, end: QueueEnd, cause: 'deferred' | 'released' | 'reopened'): number {
  const position = positionAt(tx, plan.sessionName, end);
  tx.emit({ type: 'plan_requeued', plan: plan.id, position, cause });
  return position;
}

function addNote(tx: Transaction, plan: Plan, note: string): void {
  const notes = appendedNotes(plan.notes, note);
  tx.emit({ type: 'plan_edited', plan: plan.id, sections: { notes }, source: 'command' });
}

/** A list item; the lines after the first are indented so that they stay part of it. */
function datedNote(time: string, text: string): string {
  return `- [${time}] ${text.replace(/\n(?=[^\n])/g, '\n  ')}`;
}
