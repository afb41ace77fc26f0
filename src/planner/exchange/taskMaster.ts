import * as z from 'zod/mini';
import { type Outline, type PlanOutline, type Remark, type SessionOutline, UnreadableImport } from './outline';
import { settled } from './settling';

const id = z.pipe(z.union([z.number(), z.string()]), z.transform(String));
const text = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value) => (value === undefined || value === null ? '' : String(value))),
);

const subtask = z.object({
  id,
  title: text,
  description: text,
  details: text,
  testStrategy: text,
  status: z._default(z.string(), 'pending'),
  priority: z.nullish(z.string()),
  dependencies: z.nullish(z.array(id)),
  metadata: z.nullish(z.record(z.string(), z.unknown())),
});
const task = z.extend(subtask, { subtasks: z.nullish(z.array(subtask)) });
const list = z.object({
  tasks: z.array(task),
  metadata: z.nullish(z.object({ description: z.optional(z.string()) })),
});
type Subtask = z.output<typeof subtask>;
type Task = z.output<typeof task>;
type List = z.output<typeof list>;

/** The tag of a file from before there were tags. */
const UNTAGGED = 'master';

/** Whether it looks like a `tasks.json` of Task Master: `{tasks}`, or one such list for each tag. */
export function isTaskMaster(json: unknown): boolean {
  return typeof json === 'object' && json !== null && [json, ...Object.values(json)].some(holdsTasks);
}

/** Each tag becomes a session, each task and subtask a plan. Throws UnreadableImport. */
export function readTaskMaster(json: unknown): Outline {
  const tags = holdsTasks(json)
    ? { [UNTAGGED]: json }
    : Object.fromEntries(Object.entries(json as object).filter(([, value]) => holdsTasks(value)));
  const remarks: Remark[] = [];
  const sessions = Object.entries(tags).map(([tag, value]) => {
    const parsed = list.safeParse(value);
    if (!parsed.success) throw new UnreadableImport({ kind: 'tag', tag, detail: z.prettifyError(parsed.error) });
    return sessionOf(tag, parsed.data, remarks);
  });
  return { source: 'taskMaster', sessions, remarks };
}

function holdsTasks(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tasks' in value && Array.isArray(value.tasks);
}

function sessionOf(tag: string, { tasks, metadata }: List, remarks: Remark[]): SessionOutline {
  const plans = settled(
    tag,
    tasks.flatMap((one) => plansOf(tag, one)),
    remarks,
  );
  return { title: tag, taskDescription: metadata?.description || null, plans };
}

/** The subtasks come first: a task is done when its parts are. They wait for whatever the task waits for. */
function plansOf(tag: string, one: Task): PlanOutline[] {
  const parts = one.subtasks ?? [];
  const before = one.dependencies ?? [];
  const children = parts.map((part) => ({
    ...planOf(tag, part, `${one.id}.${part.id}`),
    parent: one.id,
    waitsFor: [...before, ...(part.dependencies ?? []).map((key) => sibling(key, one, parts))],
    context: paragraphs(`Part of: ${one.title}`, part.description),
  }));
  const whole = { ...planOf(tag, one, one.id), waitsFor: [...before, ...children.map(({ key }) => key)] };
  return [...children, whole];
}

/** Subtasks name each other by their short ids, and other tasks or their parts by the whole one. */
function sibling(key: string, one: Task, parts: Subtask[]): string {
  return parts.some((part) => part.id === key) ? `${one.id}.${key}` : key;
}

function planOf(tag: string, one: Subtask, key: string): PlanOutline {
  return {
    key,
    goal: one.title.trim() || one.description.trim() || `Task ${key}`,
    context: one.description,
    approach: one.details,
    successCriteria: one.testStrategy,
    waitsFor: [],
    end: endOf(one.status),
    metadata: { ...one.metadata, taskMaster: { tag, id: key, status: one.status, priority: one.priority ?? null } },
  };
}

function endOf(status: string): PlanOutline['end'] {
  if (/^(done|completed)$/.test(status)) return { kind: 'completed', text: 'It was done before it was imported.' };
  if (/^cancell?ed$/.test(status)) return { kind: 'discarded', text: 'It was cancelled before it was imported.' };
  return undefined;
}

function paragraphs(...texts: string[]): string {
  return texts.filter((one) => one.trim() !== '').join('\n\n');
}
