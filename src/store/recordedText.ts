import { withPreamble } from '../planner/fileEdits';
import type { Plan, SectionName } from '../planner/model';
import { formatPlan, parsePlan } from '../planner/planDocument';
import { type FoundFile, textOf } from './planFileAccess';

/** Says nothing: empty, blank, or the zeros that a power cut can leave of a file. */
export function isBlank(found: FoundFile): boolean {
  return textOf(found)?.replaceAll('\0', '').trim() === '';
}

/** Whether the file says nothing that the plan doesn't: its form may differ, and headings may be missing. */
export function holdsPlan(found: FoundFile, plan: Plan): boolean {
  if (found.bytes.equals(Buffer.from(formatPlan(plan)))) return true;
  const parsed = parsePlan(textOf(found) ?? '');
  const sections = Object.entries(withPreamble(plan, parsed)) as [SectionName, string][];
  return isBlank(found) || (sections.length > 0 && sections.every(([name, text]) => plan[name] === text));
}
