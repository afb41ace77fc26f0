import * as z from 'zod/mini';

/**
 * The messages between the extension and its webviews: two unions a webview, one a direction. Both sides check what
 * they receive; what doesn't fit is logged and ignored. A webview says `ready` before anything is posted to it.
 */

const position = z.int().check(z.nonnegative());

const field = z.enum([
  'preamble',
  'context',
  'goal',
  'inputs',
  'outputs',
  'approach',
  'successCriteria',
  'notes',
  'whole',
]);
export type Field = z.infer<typeof field>;

const heading = z.object({ id: z.string(), goal: z.string() });

/** What can be done with the plan; each is a command of the extension. */
const planAction = z.enum([
  'start',
  'complete',
  'defer',
  'release',
  'discard',
  'moveToFront',
  'moveToBack',
  'reopen',
  'addAsNew',
  'copyText',
  'openText',
  'showSections',
]);
export type PlanAction = z.infer<typeof planAction>;

/** Times are ISO 8601. */
const planHeader = z.object({
  /** `foreign`: the file belongs to no plan of this window's store. `missing`: its plan was deleted. */
  state: z.enum(['loading', 'queued', 'active', 'completed', 'discarded', 'foreign', 'missing']),
  id: z.string(),
  session: z.string(),
  /** What the session is about, shortened; '' if nobody said. */
  task: z.string(),
  queuePosition: z.nullable(z.int()),
  queueLength: z.int(),
  /** Unfinished plans that this one waits for. */
  waitingFor: z.array(heading),
  pulledBy: z.nullable(z.string()),
  pulledAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  /** Outcome of a completed plan, reason of a discarded one. */
  outcome: z.nullable(z.string()),
  actions: z.array(planAction),
});
export type PlanHeader = z.infer<typeof planHeader>;

const conflict = z.object({ field, mine: z.string(), theirs: z.string() });
export type Conflict = z.infer<typeof conflict>;

const notice = z.object({
  severity: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  actions: z.array(planAction),
});
export type Notice = z.infer<typeof notice>;

const shownField = z.object({ field, text: z.string(), revision: position });

const choice = z.enum(['mine', 'theirs', 'both']);
export type ConflictChoice = z.infer<typeof choice>;

export const toPlanEditor = z.discriminatedUnion('type', [
  /** Everything, after `ready` and when the file's shape changed. */
  z.object({ type: z.literal('show'), readOnly: z.boolean(), fields: z.array(shownField) }),
  /** A field's text has changed elsewhere; to be taken only if the webview has sent nothing after edit `seen`. */
  z.object({ type: z.literal('text'), field, text: z.string(), revision: position, seen: position }),
  /** The webview's text is not what its edits say: it sends the text whole. */
  z.object({ type: z.literal('resend'), field }),
  z.object({ type: z.literal('header'), header: planHeader, notices: z.array(notice) }),
  z.object({ type: z.literal('conflicts'), conflicts: z.array(conflict) }),
  z.object({ type: z.literal('focus'), field }),
]);
export type ToPlanEditor = z.infer<typeof toPlanEditor>;

export const fromPlanEditor = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** `edit` number `number` of this field, made on `revision`; the text has `length` afterwards. */
  z.object({
    type: z.literal('edit'),
    field,
    revision: position,
    number: position,
    start: position,
    end: position,
    insert: z.string(),
    length: position,
  }),
  z.object({ type: z.literal('whole'), field, revision: position, number: position, text: z.string() }),
  /** The person paused or left the field: what was typed goes into the document. */
  z.object({ type: z.literal('settle') }),
  z.object({ type: z.literal('undo') }),
  z.object({ type: z.literal('redo') }),
  z.object({ type: z.literal('act'), action: planAction }),
  z.object({ type: z.literal('resolve'), field, choice }),
  z.object({ type: z.literal('openPlan'), plan: z.string() }),
  z.object({ type: z.literal('openLink'), target: z.string() }),
]);
export type FromPlanEditor = z.infer<typeof fromPlanEditor>;
