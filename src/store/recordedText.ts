import type { DomainEvent } from '../planner/events';
import { withPreamble } from '../planner/fileEdits';
import type { Plan, PlanSections, SectionName } from '../planner/model';
import { parsePlan } from '../planner/planDocument';
import { type FoundFile, textOf } from './planFileAccess';

export function isBlank(found: FoundFile): boolean {
  return textOf(found)?.trim() === '';
}

/** Whether the file says nothing that the plan doesn't: its form may differ, and headings may be missing. */
export function holdsPlan(found: FoundFile, plan: Plan): boolean {
  const parsed = parsePlan(textOf(found) ?? '');
  const sections = Object.entries(withPreamble(plan, parsed)) as [SectionName, string][];
  return isBlank(found) || (sections.length > 0 && sections.every(([name, text]) => plan[name] === text));
}

/** Whether a file of a plan that is gone is the one from which these sections were taken in. */
export function holdsEdit(found: FoundFile, edit: Partial<PlanSections> | undefined): boolean {
  if (edit === undefined) return false;
  const parsed = parsePlan(textOf(found) ?? '');
  const sections = withPreamble({ context: edit.context ?? '' }, parsed);
  const onlyPreamble = parsed.preamble !== '' && parsed.sections.context === undefined;
  return Object.entries(edit).every(
    ([name, text]) =>
      sections[name as SectionName] === text || (name === 'context' && onlyPreamble && sections.context === undefined),
  );
}

/** What the events took in of a hand edit of the plan's file. */
export function takenIn(events: readonly DomainEvent[], plan: string): Partial<PlanSections> | undefined {
  const edit = events.find((event) => event.type === 'plan_edited' && event.source === 'file' && event.plan === plan);
  return edit?.type === 'plan_edited' ? edit.sections : undefined;
}
