import * as z from 'zod/mini';
import { type Outline, type PlanOutline, type Remark, UnreadableImport } from './outline';
import { settled } from './settling';

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? ''),
);

const issue = z.object({
  id: z.string(),
  title: text,
  description: text,
  design: text,
  acceptance_criteria: text,
  notes: text,
  status: z._default(z.string(), 'open'),
  priority: z.nullish(z.number()),
  issue_type: z.nullish(z.string()),
  close_reason: text,
  dependencies: z.nullish(z.array(z.object({ depends_on_id: z.string(), type: z._default(z.string(), 'blocks') }))),
});
type Issue = z.output<typeof issue>;

/** What beads keeps of an issue that was deleted. */
const DELETED = 'tombstone';

/** Whether it looks like the issues of beads: an object of JSON a line, each with an id and a title. */
export function isBeads(source: string): boolean {
  const [first = ''] = source.trimStart().split('\n', 1);
  const json = parsed(first);
  return typeof json === 'object' && json !== null && 'id' in json && 'title' in json && 'issue_type' in json;
}

/** Each issue becomes a plan, with what blocks it; the parts of an epic come before it. Throws UnreadableImport. */
export function readBeads(source: string, name: string): Outline {
  const remarks: Remark[] = [];
  const issues = source.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const read = issue.safeParse(parsed(line));
    if (!read.success)
      throw new UnreadableImport({ kind: 'line', line: index + 1, detail: z.prettifyError(read.error) });
    return read.data.status === DELETED ? [] : [read.data];
  });
  const title = name.replace(/\.\w+$/, '');
  const plans = settled(title, plansOf(issues), remarks);
  return { source: 'beads', sessions: [{ title, taskDescription: title, plans }], remarks };
}

function plansOf(issues: Issue[]): PlanOutline[] {
  const known = new Map(issues.map((one) => [one.id, one]));
  const parts = new Map<string, string[]>();
  for (const one of issues) {
    const parent = parentOf(one);
    if (parent) parts.set(parent, [...(parts.get(parent) ?? []), one.id]);
  }
  return issues.map((one) => planOf(one, known.get(parentOf(one) ?? ''), parts.get(one.id) ?? []));
}

/** What an epic waits for, its parts wait for; the epic waits for its parts. */
function planOf(one: Issue, parent: Issue | undefined, parts: string[]): PlanOutline {
  const { id, status, priority, issue_type: type } = one;
  return {
    key: id,
    goal: one.title.trim() || one.description.trim() || id,
    context: [parent && `Part of: ${parent.title}`, one.description].filter(Boolean).join('\n\n'),
    approach: one.design,
    successCriteria: one.acceptance_criteria,
    notes: one.notes,
    parent: parent?.id,
    waitsFor: [...blockersOf(one), ...(parent ? blockersOf(parent) : []), ...parts],
    end: endOf(one),
    metadata: { beads: { id, status, priority: priority ?? null, type: type ?? null } },
  };
}

function endOf({ status, close_reason: reason }: Issue): PlanOutline['end'] {
  if (status !== 'closed') return undefined;
  return { kind: 'completed', text: reason.trim() || 'It was closed before it was imported.' };
}

function parentOf({ dependencies }: Issue): string | undefined {
  return dependencies?.find(({ type }) => type === 'parent-child')?.depends_on_id;
}

function blockersOf({ dependencies }: Issue): string[] {
  return (dependencies ?? []).filter(({ type }) => type === 'blocks').map((each) => each.depends_on_id);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
