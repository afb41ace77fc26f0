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
  const edits = editsOf(tx, plan);
  if (edits === undefined) return plan;
  // Also where nothing differs: after this change something will, and that must not count as an edit then.
  tx.emit({ type: 'plan_edited', plan: plan.id, source: 'file', ...edits });
  return { ...plan, ...edits.sections, fileVersion: edits.fileVersion };
}

/** Whether the file says anything that the store doesn't. VALIDATION_ERROR if it can't be understood. */
export function hasEdits(view: View, plan: Plan): boolean {
  return Object.keys(editsOf(view, plan)?.sections ?? {}).length > 0;
}

/** As `takeInEdits`, but a file that can't be understood is left alone: gives what is wrong with it, if anything. */
export function takeInReadableEdits(tx: Transaction, plan: Plan): string | undefined {
  try {
    if (hasEdits(tx, plan)) takeInEdits(tx, plan);
    return undefined;
  } catch (error) {
    if (error instanceof PlannerError) return error.message;
    throw error;
  }
}

/** Undefined if nobody saved the file since the store wrote it or took it in, or if it is blank: the stored text stands. */
function editsOf(view: View, plan: Plan): { sections: Partial<PlanSections>; fileVersion: string } | undefined {
  const file = view.workingCopy(plan.sessionName, plan.id);
  if (file === undefined || file.isUntouched || file.version === plan.fileVersion) return undefined;
  if (file.text.trim() === '') return undefined;
  return { sections: editedSections(view, plan, file.text), fileVersion: file.version };
}

function editedSections(view: View, plan: Plan, text: string): Partial<PlanSections> {
  const inFile = sectionsInFile(view, plan, text);
  const edited: Partial<PlanSections> = {};
  for (const name of SECTION_NAMES) {
    const found = inFile[name];
    if (found !== undefined && found !== plan[name]) edited[name] = found;
  }
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
