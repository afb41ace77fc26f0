import type { PlanHeading, QueuedPlan } from '../../planner/model';

const GOAL_SHOWN = 200;

/** A plan in one line: id and the start of its goal. */
export function heading({ id, goal }: PlanHeading): string {
  const line = goal.replaceAll('\n', ' ');
  return `${id}: ${line.length > GOAL_SHOWN ? `${line.slice(0, GOAL_SHOWN)}…` : line}`;
}

export function queueLines(queue: QueuedPlan[]): string[] {
  return queue.map((plan) => {
    const waiting = plan.waitingFor.length > 0 ? ` (waits for ${plan.waitingFor.join(', ')})` : '';
    return `  ${plan.queuePosition}. ${heading(plan)}${waiting}`;
  });
}

/** What comes next after a plan was finished. */
export function nextLine(next: PlanHeading | null, queueLength: number): string {
  if (next) return `Next: ${heading(next)}`;
  if (queueLength > 0) return `None of the ${queueLength} queued plans is ready: each waits for another plan.`;
  return 'The queue is empty.';
}
