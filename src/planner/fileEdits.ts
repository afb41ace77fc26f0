import { PlannerError } from './errors';
import type { Plan, PlanSections } from './model';
import { HEADINGS, type ParsedPlan, parsePlan } from './planDocument';
import type { Transaction, View, WorkingCopy } from './ports';
import { SECTION_NAMES } from './text';

/**
 * Takes what was edited by hand in the file of a queued or active plan into the store, as part of the same change, and
 * gives the plan as it is then. It comes before any other change of the plan, so that the edits are kept.
 * VALIDATION_ERROR, naming the file and the ways out, if it can't be understood; FILE_SYSTEM_ERROR if it can't be read.
 */
export function takeInEdits(tx: Transaction, plan: Plan): Plan {
  const edits = editsOf(tx, plan);
  if (edits === undefined) return plan;
  // Also where nothing differs: after this change something will, and that must not count as an edit then.
  tx.emit({ type: 'plan_edited', plan: plan.id, source: 'file', ...edits });
  return { ...plan, ...edits.sections, fileVersion: edits.fileVersion };
}

/**
 * As `takeInEdits`, for a change that gives the plan a text by itself: a file that can't be understood or read is kept
 * beside its place under another name, and the stored text counts. `setAside` says what is wrong with it. This is the
 * way out for an agent that can't reach the file.
 */
export function takeInOrSetAside(tx: Transaction, plan: Plan): { plan: Plan; setAside: string | undefined } {
  try {
    return { plan: takeInEdits(tx, plan), setAside: undefined };
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    tx.emit({ type: 'plan_edited', plan: plan.id, sections: {}, source: 'command', fileSetAside: true });
    return { plan, setAside: error.message };
  }
}

/** An open plan as it reads now, with the edits of its file that the next change will take in if they can be understood. */
export function withEdits(view: View, plan: Plan): Plan {
  if (plan.status !== 'queued' && plan.status !== 'active') return plan;
  try {
    return { ...plan, ...editsOf(view, plan)?.sections };
  } catch (error) {
    if (error instanceof PlannerError) return plan;
    throw error;
  }
}

/** Whether the file says anything that the store doesn't. VALIDATION_ERROR if it can't be understood. */
export function hasEdits(view: View, plan: Plan): boolean {
  return Object.keys(editsOf(view, plan)?.sections ?? {}).length > 0;
}

/** As `takeInEdits`, but a file that can't be understood is left alone: gives what is wrong with it, if anything. */
export function takeInReadableEdits(tx: Transaction, plan: Plan): PlannerError | undefined {
  try {
    if (hasEdits(tx, plan)) takeInEdits(tx, plan);
    return undefined;
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
}

/** Undefined if nobody saved the file since the store wrote it or took it in, or if it is blank: the stored text stands. */
function editsOf(view: View, plan: Plan): { sections: Partial<PlanSections>; fileVersion: string } | undefined {
  const file = workingCopy(view, plan);
  if (file === undefined || file.isUntouched || file.version === plan.fileVersion) return undefined;
  if (file.text.trim() === '') return undefined;
  return { sections: editedSections(view, plan, file.text), fileVersion: file.version };
}

function workingCopy(view: View, plan: Plan): WorkingCopy | undefined {
  try {
    return view.workingCopy(plan.sessionName, plan.id);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw new PlannerError(error.category, error.message, `${error.suggestion} ${WITHOUT_ACCESS}`, {
      cause: error,
      session: plan.sessionName,
      tools: TEXT_TOOLS,
      matter: error.matter,
    });
  }
}

const WITHOUT_ACCESS =
  'Without access to the file: change the text of the plan itself, a note will do; the file is then kept under another name and the stored text counts.';
const TEXT_TOOLS = ['9plan_plan_update', 'task_edit'];

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
    throw unreadable(view, plan, 'nul', 'holds a NUL character', 'Save it as plain UTF-8 text without NUL characters');
  }
  const parsed = parsePlan(text);
  if (Object.keys(parsed.sections).length === 0) {
    const headings = HEADINGS.map(([, heading]) => `# ${heading}`).join(', ');
    throw unreadable(
      view,
      plan,
      'headings',
      'has text but none of the headings of a plan',
      `Put the text below its headings (${headings})`,
    );
  }
  if (parsed.sections.goal === '') {
    throw unreadable(view, plan, 'goal', 'has no text below # Goal', 'Write the goal below # Goal');
  }
  return withPreamble(plan, parsed);
}

/** What somebody wrote above the first heading is kept as the beginning of the context, where it may stand already. */
export function withPreamble(plan: Pick<Plan, 'context'>, { preamble, sections }: ParsedPlan): Partial<PlanSections> {
  const context = sections.context ?? plan.context;
  if (preamble === '' || `${context}\n`.startsWith(`${preamble}\n`)) return sections;
  return { ...sections, context: context === '' ? preamble : `${preamble}\n\n${context}` };
}

function unreadable(
  view: View,
  plan: Plan,
  fault: 'nul' | 'headings' | 'goal',
  what: string,
  mend: string,
): PlannerError {
  const path = view.planPath(plan.sessionName, plan.id);
  return new PlannerError(
    'VALIDATION_ERROR',
    `The file of plan ${plan.id} ${what}, so its edits can't be taken in: ${path}`,
    `${mend}, or empty the file to keep the text that is stored, and call again. ${WITHOUT_ACCESS}`,
    { session: plan.sessionName, tools: TEXT_TOOLS, matter: { kind: 'planFile', path, fault } },
  );
}
