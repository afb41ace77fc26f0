import { PlannerError } from './errors';
import type { Plan, PlanSections } from './model';
import { HEADINGS, type ParsedPlan, parsePlan } from './planDocument';
import type { Transaction, View } from './ports';
import { SECTION_NAMES } from './text';

/**
 * Takes what was edited by hand in the file of a queued or active plan into the store, as part of the same change, and
 * gives the plan as it is then. It comes before any other change of the plan, so that the edits are kept.
 * VALIDATION_ERROR, naming the file and how to mend it, if it can't be understood.
 */
export function takeInEdits(tx: Transaction, plan: Plan): Plan {
  const sections = editedSections(tx, plan);
  if (sections === undefined) return plan;
  tx.emit({ type: 'plan_edited', plan: plan.id, sections, source: 'file' });
  return { ...plan, ...sections };
}

/** As `takeInEdits`, but a file that can't be understood is left alone: gives what is wrong with it, if anything. */
export function takeInReadableEdits(tx: Transaction, plan: Plan): string | undefined {
  try {
    takeInEdits(tx, plan);
    return undefined;
  } catch (error) {
    if (error instanceof PlannerError) return error.message;
    throw error;
  }
}

/** The sections in which the file differs from the store; undefined if it holds nothing new. */
function editedSections(view: View, plan: Plan): Partial<PlanSections> | undefined {
  const text = view.planFileText(plan.sessionName, plan.id);
  if (text === undefined || text.trim() === '') return undefined;
  const inFile = sectionsInFile(view, plan, text);
  const edited: Partial<PlanSections> = {};
  for (const name of SECTION_NAMES) {
    const found = inFile[name];
    if (found !== undefined && found !== plan[name]) edited[name] = found;
  }
  if (Object.keys(edited).length === 0 || view.planFileUntouched(plan.sessionName, plan.id)) return undefined;
  return edited;
}

function sectionsInFile(view: View, plan: Plan, text: string): Partial<PlanSections> {
  if (text.includes('\0')) {
    throw unreadable(view, plan, 'holds a NUL character', 'Save it as plain UTF-8 text without NUL characters');
  }
  const parsed = parsePlan(text);
  if (Object.keys(parsed.sections).length === 0) {
    const headings = HEADINGS.map(([, heading]) => `# ${heading}`).join(', ');
    throw unreadable(
      view,
      plan,
      'has text but none of the headings of a plan',
      `Put the text below its headings (${headings})`,
    );
  }
  if (parsed.sections.goal === '') {
    throw unreadable(view, plan, 'has no text below # Goal', 'Write the goal below # Goal');
  }
  return withPreamble(plan, parsed);
}

/** What somebody wrote above the first heading is kept as the beginning of the context, where it may stand already. */
export function withPreamble(plan: Pick<Plan, 'context'>, { preamble, sections }: ParsedPlan): Partial<PlanSections> {
  const context = sections.context ?? plan.context;
  if (preamble === '' || `${context}\n`.startsWith(`${preamble}\n`)) return sections;
  return { ...sections, context: context === '' ? preamble : `${preamble}\n\n${context}` };
}

function unreadable(view: View, plan: Plan, what: string, mend: string): PlannerError {
  return new PlannerError(
    'VALIDATION_ERROR',
    `The file of plan ${plan.id} ${what}, so its edits can't be taken in: ${view.planPath(plan.sessionName, plan.id)}`,
    `${mend}, or empty the file to keep the text that is stored, and call again.`,
    { session: plan.sessionName },
  );
}
