import type { Caller } from './caller';
import { PlannerError } from './errors';
import { completePlan, pullPlan, releasePlan, reopenPlan } from './lifecycle';
import type { Plan, PlanStatus } from './model';
import { describePlan, unfinishedBlockers } from './planChoice';
import type { Transaction, View } from './ports';
import { excerpt, firstOf, requiredText } from './text';

export const TASK_STATUSES = ['open', 'in_progress', 'done', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const STATUS_OF: Record<PlanStatus, TaskStatus> = {
  queued: 'open',
  active: 'in_progress',
  completed: 'done',
  discarded: 'cancelled',
};

export function taskStatus(plan: Plan): TaskStatus {
  return STATUS_OF[plan.status];
}

/** What stands in the history when a task was closed without a word about its result. */
const NO_OUTCOME = 'Marked done without an outcome.';

/** Moves a task to `status`. Staying where it is changes nothing. */
export function moveTask(
  tx: Transaction,
  caller: Caller,
  plan: Plan,
  status: TaskStatus,
  outcome: string | undefined,
): void {
  const from = taskStatus(plan);
  if (from === status) return;
  switch (`${from} -> ${status}`) {
    case 'open -> in_progress':
      checkPullable(tx, plan);
      pullPlan(tx, plan, caller);
      break;
    case 'open -> done':
    case 'in_progress -> done':
      completePlan(tx, plan, outcomeText(outcome));
      break;
    case 'in_progress -> open':
      releasePlan(tx, plan);
      break;
    case 'done -> open':
      reopenPlan(tx, plan, 'back');
      break;
    default:
      throw impossible(plan, from, status);
  }
}

function checkPullable(view: View, plan: Plan): void {
  const active = view.activePlan(plan.sessionName);
  if (active) {
    throw new PlannerError(
      'VALIDATION_ERROR',
      `Task ${plan.id} can't start: ${describePlan(view, active)} is in progress in ${plan.sessionName}.`,
      'Finish that one or put it back (status open) first.',
      { session: plan.sessionName },
    );
  }
  const waitingFor = unfinishedBlockers(view, plan.id);
  if (waitingFor.length === 0) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `Task ${plan.id} waits for ${firstOf(
      waitingFor.map(({ id, goal }) => `${id} (${excerpt(goal)})`),
      ', ',
    )}.`,
    'Finish these first, or remove the dependency with task_dep.',
    { session: plan.sessionName },
  );
}

function outcomeText(outcome: string | undefined): string {
  return outcome === undefined ? NO_OUTCOME : requiredText('metadata.outcome', outcome);
}

function impossible(plan: Plan, from: TaskStatus, to: TaskStatus): PlannerError {
  const ways: Record<TaskStatus, string> = {
    open: 'An open task may become in_progress or done.',
    in_progress: 'A task in progress may become done or open.',
    done: 'A done task may only become open again.',
    cancelled: 'A cancelled task stays cancelled; create a new one.',
  };
  const cancel = to === 'cancelled' && from !== 'done' ? ' To cancel it call task_delete with a reason.' : '';
  return new PlannerError(
    'VALIDATION_ERROR',
    `Task ${plan.id} is ${from}; it can't become ${to}.`,
    `${ways[from]}${cancel}`,
    {
      session: plan.sessionName,
    },
  );
}
