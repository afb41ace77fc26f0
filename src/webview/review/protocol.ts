import * as z from 'zod/mini';

/** The messages between the extension and a review panel. See `webview/protocol.ts` for the rules they follow. */

const count = z.int().check(z.nonnegative());
const decision = z.enum(['approved', 'changes_requested', 'rejected']);
export type ReviewDecision = z.infer<typeof decision>;

const comment = z.object({ quote: z.string(), comment: z.string(), occurrence: z.optional(count) });

const todo = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  priority: z.optional(z.enum(['high', 'medium', 'low'])),
});

/** A comment that was not sent. `line`: where its passage begins in the plan, from 0. */
const draftComment = z.object({ id: z.string(), quote: z.string(), line: count, comment: z.string() });
export type DraftComment = z.infer<typeof draftComment>;

/** What the person has prepared for one round and not sent. */
export const reviewDraft = z.object({
  comments: z.array(draftComment),
  feedback: z.string(),
  /** The plan's text as the person changed it; null if they didn't. */
  edited: z.nullable(z.string()),
  /** Indexes of the to-dos to be queued; null as long as nobody has chosen. */
  todos: z.nullable(z.array(count)),
});
export type ReviewDraft = z.infer<typeof reviewDraft>;

export const EMPTY_DRAFT: Readonly<ReviewDraft> = { comments: [], feedback: '', edited: null, todos: null };

/** Times are ISO 8601. */
const round = z.object({
  round: count,
  plan: z.string(),
  todos: z.array(todo),
  /** Indexes of the to-dos that an approval has already queued. */
  queuedTodos: z.array(count),
  submittedAt: z.string(),
  decision: z.nullable(decision),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  feedback: z.nullable(z.string()),
  comments: z.array(comment),
  approvedPlan: z.nullable(z.string()),
  /** Made from the to-dos on approval. */
  queuedPlans: z.array(z.object({ id: z.string(), goal: z.string() })),
});
export type ReviewRound = z.infer<typeof round>;

const status = z.enum(['planning', 'submitted', 'approved', 'rejected', 'superseded']);
export type ReviewStatus = z.infer<typeof status>;

/** A proposal in a list. */
const listed = z.object({
  id: z.string(),
  title: z.string(),
  status,
  decision: z.nullable(decision),
  /** Of the last round's decision or submission. */
  at: z.string(),
});
export type ListedProposal = z.infer<typeof listed>;

export const toReview = z.discriminatedUnion('type', [
  /** Everything, after `ready` and whenever the proposal or the list of others changed. */
  z.object({
    type: z.literal('show'),
    proposal: z.object({
      id: z.string(),
      title: z.string(),
      client: z.string(),
      session: z.string(),
      /** What the session is about, shortened; '' if nobody said. */
      task: z.string(),
      status,
      reason: z.nullable(z.string()),
      /** The newer proposal that took its place. */
      supersededBy: z.nullable(z.string()),
      rounds: z.array(round),
    }),
    others: z.array(listed),
    /** For the round that waits, or that the panel last showed waiting. */
    draft: reviewDraft,
    /** Grows when the extension has changed the draft: else the page's own is newer. */
    draftVersion: count,
    /** Where the approved plan was saved, relative to the workspace folder. */
    savedAs: z.nullable(z.string()),
    /** False in Restricted Mode. */
    mayDecide: z.boolean(),
  }),
  /** There is no such proposal (any more). */
  z.object({ type: z.literal('gone') }),
  /** A decision was not taken, or something else failed; nothing was changed. */
  z.object({ type: z.literal('refused'), text: z.string() }),
  z.object({ type: z.literal('told'), text: z.string() }),
]);
export type ToReview = z.infer<typeof toReview>;
export type ShownProposal = Extract<ToReview, { type: 'show' }>['proposal'];

const action = z.enum(['tellInChat', 'copyMessage', 'copyDraft', 'dropDraft', 'takeDraftAlong', 'openSaved']);
export type ReviewAction = z.infer<typeof action>;

export const fromReview = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('draft'), round: count, draft: reviewDraft }),
  /** All that is sent with the decision stands in it: what the person saw, not what the extension remembers. */
  z.object({
    type: z.literal('decide'),
    round: count,
    decision,
    feedback: z.string(),
    comments: z.array(comment),
    /** The text as the person changed it. With requested changes it is a suggestion. */
    edited: z.nullable(z.string()),
    queueTodos: z.array(count),
  }),
  z.object({ type: z.literal('act'), action }),
  z.object({ type: z.literal('openProposal'), proposal: z.string() }),
  z.object({ type: z.literal('openPlan'), plan: z.string() }),
  z.object({ type: z.literal('openLink'), target: z.string() }),
]);
export type FromReview = z.infer<typeof fromReview>;
