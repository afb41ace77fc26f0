import type { PlanHeading, QueuedPlan } from '../../planner/model';
import type { FileOutcome } from '../../planner/planEdits';
import type { SessionState } from '../../planner/sessionState';
import { firstOf, legible } from '../../planner/text';
import { cut } from '../excerpts';
import type { ToolCall } from '../tool';

const LINE_SHOWN = 120;
/** Characters of a hand edit that is told in an answer. */
const EDIT_SHOWN = 2_000;

/** A plan in one line: id and the start of its goal. */
export function heading({ id, goal }: PlanHeading, shown = LINE_SHOWN): string {
  return `${id}: ${cut(legible(goal).replaceAll(/\s+/g, ' '), shown)}`;
}

export function headings(plans: readonly PlanHeading[]): string {
  return firstOf(
    plans.map((plan) => heading(plan)),
    '; ',
  );
}

/** What a plan in a list waits for, as the end of its line. */
export function waits(waitingFor: readonly string[]): string {
  return waitingFor.length > 0 ? ` (waits for ${firstOf(waitingFor, ', ')})` : '';
}

/** `shown`: characters of each goal. */
export function queueLines(queue: QueuedPlan[], shown: number): string[] {
  return queue.map((plan) => {
    return `  ${plan.queuePosition}. ${heading(plan, Math.min(shown, LINE_SHOWN))}${waits(plan.waitingFor)}`;
  });
}

export function plans(count: number): string {
  return count === 1 ? '1 plan' : `${count} plans`;
}

/** What comes next after a plan was finished. */
export function nextLine(next: PlanHeading | null, queueLength: number): string {
  if (next) return `Next: ${heading(next)}`;
  if (queueLength === 0) return 'The queue is empty.';
  return queueLength === 1
    ? 'The one queued plan is not ready: it waits for another plan.'
    : `None of the ${queueLength} queued plans is ready: each waits for another plan.`;
}

/** How an agent without access to files reads the active plan again; undefined if there is none. */
export function readAgain({ activePlan }: SessionState, { offers }: ToolCall): string | undefined {
  const tool = ['9plan_history_get', 'task_read'].find(offers);
  return activePlan && tool ? `Read the active plan whole with ${tool}.` : undefined;
}

/** What was cut, and how it is read. */
export function cutRemark(texts: readonly string[], limit: number, { offers }: ToolCall): string | undefined {
  if (texts.every((text) => text.length <= limit)) return undefined;
  const tool = ['9plan_history_get', 'task_read'].find(offers);
  return `Texts that end in "…" are cut${tool ? `; ${tool} shows a plan whole` : ''}.`;
}

export function goalsOf({ queue, activePlan }: SessionState): string[] {
  return [...queue, ...(activePlan ? [activePlan] : [])].map(({ goal }) => goal);
}

/** What an agent that gave a plan another text must know of its file, where a person may have been at work. */
export function fileRemark({ fileSetAside, editsReplaced = {} }: Partial<FileOutcome>): string | undefined {
  // A person's words are told to the agent that wrote over them, unread.
  const replaced = Object.entries(editsReplaced).map(([name, text]) => `${name}:\n${cut(text, EDIT_SHOWN)}`);
  return joined(
    fileSetAside &&
      `${fileSetAside} It is kept beside it under a name that ends in .kept, and the stored text counts: tell the person.`,
    replaced.length === 0
      ? undefined
      : `A person had just edited this in the file, and your text replaced it. See whether both belong there. What stood there:\n\n${replaced.join('\n\n')}`,
  );
}

/** The remarks that there are, as one. */
export function joined(...remarks: (string | undefined)[]): string | undefined {
  return remarks.filter((remark) => remark !== undefined).join(' ') || undefined;
}
