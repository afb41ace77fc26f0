import { withPreamble } from '../planner/fileEdits';
import type { Plan, SectionName } from '../planner/model';
import { formatPlan, parsePlan } from '../planner/planDocument';
import { type FoundFile, textOf } from './planFileAccess';

export function isBlank(found: FoundFile): boolean {
  return textOf(found)?.trim() === '';
}

/** Whether the file says nothing that the plan doesn't: its form may differ, and headings may be missing. */
export function holdsPlan(found: FoundFile, plan: Plan): boolean {
  if (found.bytes.equals(Buffer.from(formatPlan(plan)))) return true;
  const parsed = parsePlan(textOf(found) ?? '');
  const sections = Object.entries(withPreamble(plan, parsed)) as [SectionName, string][];
  return isBlank(found) || (sections.length > 0 && sections.every(([name, text]) => plan[name] === text));
}
