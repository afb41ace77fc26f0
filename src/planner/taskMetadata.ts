import { PlannerError } from './errors';

type Metadata = Readonly<Record<string, unknown>>;

const LIMIT = 64 * 1024;
/** Levels. Far deeper ones can't be written as JSON by every process. */
const DEEPEST = 100;

/** `given` merged into `existing`, null removing a key. The very same object if nothing changes; null if nothing is left. */
export function mergedMetadata(
  existing: Record<string, unknown> | null,
  given: Metadata,
): Record<string, unknown> | null {
  if (isDeeper(given, DEEPEST)) {
    throw new PlannerError(
      'VALIDATION_ERROR',
      `metadata is nested more than ${DEEPEST} levels deep.`,
      'Give flat metadata, or put the text into the task itself with task_edit.',
    );
  }
  const entries = new Map(Object.entries(existing ?? {}));
  for (const [key, value] of Object.entries(given)) {
    if (value === null) entries.delete(key);
    else entries.set(key, value);
  }
  const merged = entries.size > 0 ? Object.fromEntries(entries) : null;
  const json = JSON.stringify(merged);
  if (json === JSON.stringify(existing)) return existing;
  if (json.length <= LIMIT) return merged;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `The task's metadata would grow to ${json.length} characters; at most ${LIMIT} are kept.`,
    'Put long texts into the task itself with task_edit.',
  );
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
