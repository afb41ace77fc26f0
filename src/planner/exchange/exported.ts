// The small form of zod: nothing else in the editor needs it.
import * as z from 'zod/mini';
import { UnreadableImport } from './outline';

/** Raised when a reader of the version before could not make sense of the file. */
const VERSION = 1;
const FORMAT = '9plan-export';

const time = z.iso.datetime();
const text = z.string().check(z.refine((value) => !value.includes('\0'), 'must not contain a NUL character'));
const status = z.enum(['queued', 'active', 'completed', 'discarded']);
const todos = z.array(
  z.strictObject({
    content: text,
    status: z.enum(['pending', 'in_progress', 'completed']),
    priority: z.optional(z.enum(['high', 'medium', 'low'])),
  }),
);

const plan = z.strictObject({
  id: z.string(),
  status,
  goal: text,
  context: text,
  inputs: text,
  outputs: text,
  approach: text,
  success_criteria: text,
  notes: text,
  outcome: z.nullable(text),
  discard_reason: z.nullable(text),
  created_at: time,
  created_by: text,
  pulled_at: z.nullable(time),
  pulled_by: z.nullable(text),
  completed_at: z.nullable(time),
  discarded_at: z.nullable(time),
  /** Orders the history over all sessions; null unless completed or discarded. */
  finish_rank: z.nullable(z.int()),
  parent: z.nullable(z.string()),
  waits_for: z.array(z.string()),
  metadata: z.nullable(z.record(z.string(), z.unknown())),
});

const round = z.strictObject({
  round: z.int().check(z.positive()),
  plan: text,
  todos,
  submitted_at: time,
  decision: z.nullable(z.enum(['approved', 'changes_requested', 'rejected'])),
  decided_by: z.nullable(text),
  decided_at: z.nullable(time),
  feedback: z.nullable(text),
  comments: z.array(
    z.strictObject({ quote: text, comment: text, occurrence: z.optional(z.int().check(z.nonnegative())) }),
  ),
  approved_plan: z.nullable(text),
  queued_plans: z.array(z.string()),
});

const proposal = z.strictObject({
  id: z.string(),
  client: text,
  agent: text,
  status: z.enum(['planning', 'submitted', 'approved', 'rejected', 'superseded']),
  reason: z.nullable(text),
  goal: z.nullable(text),
  created_at: time,
  rounds: z.array(round),
});

const session = z.strictObject({
  name: z.string(),
  task_description: z.nullable(text),
  created_at: time,
  changed_at: time,
  archived_at: z.nullable(time),
  /** Completed and discarded ones, then the active one, then the queue in its order. */
  plans: z.array(plan),
  /** The oldest first. */
  proposals: z.array(proposal),
  todo_lists: z.array(z.strictObject({ client: text, agent: text, changed_at: time, todos })),
});

const file = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** The workspace's current session. */
  selected_session: z.nullable(z.string()),
  sessions: z.array(session),
});

export type ExportedPlan = z.output<typeof plan>;
export type ExportedProposal = z.output<typeof proposal>;
export type ExportedSession = z.output<typeof session>;
/** All that a store holds, in a form that outlives its own. */
export type Exported = z.output<typeof file>;

export function newExport(selected: string | undefined, sessions: ExportedSession[]): Exported {
  return { format: FORMAT, version: VERSION, selected_session: selected ?? null, sessions };
}

/** Whether it says of itself that it is one. */
export function isExported(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'format' in json && json.format === FORMAT;
}

/** Throws UnreadableImport. */
export function readExported(json: unknown): Exported {
  const version = (json as { version?: unknown }).version;
  if (typeof version === 'number' && version > VERSION) {
    throw new UnreadableImport({ kind: 'newer' });
  }
  const parsed = file.safeParse(json);
  if (parsed.success) return parsed.data;
  const detail = z.prettifyError(parsed.error).split('\n').slice(0, 4).join(' ');
  throw new UnreadableImport({ kind: 'shape', detail });
}
