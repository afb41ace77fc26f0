import { type Merged, mergeTexts } from './merge';
import { FIELD_ORDER, type FieldName, PlanFile } from './planFields';

/** A field, or the whole text of a file that can't be cut into fields. */
export type EditedField = FieldName | 'whole';

/** Two changes of one field that can't both stand. */
export interface FieldConflict {
  field: EditedField;
  mine: string;
  theirs: string;
}

/**
 * Notes are a log: what two people or agents add there at the same time is no contradiction. Without a `base` nobody can
 * tell who changed what: then two different texts are a conflict.
 */
export function mergeField(field: EditedField, base: string | undefined, mine: string, theirs: string): Merged {
  if (base === undefined) {
    if (mine !== theirs && mine !== '' && theirs !== '') return { kind: 'conflict' };
    return { kind: 'merged', text: mine || theirs };
  }
  return mergeTexts(base, mine, theirs, { keepAdditions: field === 'notes' });
}

/**
 * Brings together two versions of a plan file that began as `base`, section by section, and line by line where both
 * changed the same section. Where that fails the text keeps mine, and the conflict holds theirs.
 */
export function mergePlanFiles(
  base: string | undefined,
  mine: string,
  theirs: string,
): { text: string; conflicts: FieldConflict[] } {
  const before = base === undefined ? undefined : new PlanFile(base);
  const [my, their] = [new PlanFile(mine), new PlanFile(theirs)];
  if (before?.unreadable || my.unreadable || their.unreadable) {
    const merged = mergeField('whole', before?.text, my.text, their.text);
    return merged.kind === 'merged'
      ? { text: merged.text, conflicts: [] }
      : { text: my.text, conflicts: [{ field: 'whole', mine: my.text, theirs: their.text }] };
  }
  const conflicts: FieldConflict[] = [];
  let text = my.text;
  for (const field of FIELD_ORDER) {
    const merged = mergeField(field, before?.fields[field], my.fields[field], their.fields[field]);
    if (merged.kind === 'conflict') conflicts.push({ field, mine: my.fields[field], theirs: their.fields[field] });
    else if (merged.text !== my.fields[field]) text = new PlanFile(text).with(field, merged.text);
  }
  return { text, conflicts };
}
