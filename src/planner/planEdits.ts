import { takeInOrSetAside } from './fileEdits';
import { appendedNotes } from './lifecycle';
import type { Plan, PlanSections, SectionName } from './model';
import type { Transaction } from './ports';
import { SECTION_NAMES } from './text';

/** What became of a plan's file when its text was changed. */
export interface FileOutcome {
  /** What is wrong with it; it is therefore kept under another name. */
  fileSetAside: string | undefined;
  /** What somebody had just written there by hand. */
  editsReplaced: Partial<PlanSections>;
}

/** Replaces sections of an open plan and appends to its notes, after the edits of its file were taken in. */
export function editPlan(tx: Transaction, plan: Plan, given: Partial<PlanSections>, addition = ''): FileOutcome {
  const { plan: current, setAside } = takeInOrSetAside(tx, plan);
  const sections = addition === '' ? given : { ...given, notes: appendedNotes(given.notes ?? current.notes, addition) };
  const differs = (from: PlanSections, to: Partial<PlanSections>) => (name: SectionName) =>
    to[name] !== undefined && to[name] !== from[name];
  const changed = SECTION_NAMES.filter(differs(current, sections));
  if (changed.length > 0) {
    tx.emit({ type: 'plan_edited', plan: plan.id, sections: picked(sections, changed), source: 'command' });
  }
  const replaced = SECTION_NAMES.filter(differs(current, given)).filter(differs(plan, current));
  return { fileSetAside: setAside, editsReplaced: picked(current, replaced) };
}

function picked(sections: Partial<PlanSections>, names: readonly SectionName[]): Partial<PlanSections> {
  return Object.fromEntries(names.map((name) => [name, sections[name]]));
}
