import type { Decision, Owner, PlanSections, ReviewComment, Todo } from './model';

/**
 * What can happen. These are written to the journal as they stand, so a field or type once released never changes
 * its meaning; a new event type raises `EVENT_VERSION`.
 *
 * Applying an event never decides anything: positions are final numbers, texts are final texts.
 */
export type DomainEvent = PlainEvent & {
  /** When and by whom it was done the first time, if it is done again by an import; else the record's own facts count. */
  restored?: { at: string; by: string };
};

export type PlainEvent = SessionEvent | PlanEvent | PlanModeEvent;

export const EVENT_VERSION = 1;

export type SessionEvent =
  | { type: 'session_created'; session: string; taskDescription: string | null }
  | { type: 'session_described'; session: string; taskDescription: string | null }
  | { type: 'session_archived'; session: string; archived: boolean }
  | { type: 'session_deleted'; session: string }
  /** The workspace's current session, as the person selected it. */
  | { type: 'session_selected'; session: string | null };

export type PlanEvent =
  /** Inserted at `position`; the plans from there on move back by one. */
  | {
      type: 'plan_added';
      plan: string;
      session: string;
      position: number;
      sections: PlanSections;
      parent: string | null;
    }
  /**
   * Replaces the named sections whole. `source` is `file` when a hand edit of the plan file was taken in; `fileVersion`
   * tells which state of the file that was, so that it isn't taken in again after later changes. `fileSetAside`: the file
   * could not be understood and is kept under another name.
   */
  | {
      type: 'plan_edited';
      plan: string;
      sections: Partial<PlanSections>;
      source: 'file' | 'command';
      fileVersion?: string;
      fileSetAside?: true;
    }
  /** `position` counts in the queue without the plan itself: it is the position it has afterwards. */
  | { type: 'plan_moved'; plan: string; position: number }
  /** Leaves the queue and becomes its session's active plan. */
  | { type: 'plan_pulled'; plan: string; client: string }
  /** Back into the queue, from active (deferred, released) or from completed or discarded (reopened). */
  | { type: 'plan_requeued'; plan: string; position: number; cause: 'deferred' | 'released' | 'reopened' }
  | { type: 'plan_completed'; plan: string; outcome: string }
  | { type: 'plan_discarded'; plan: string; reason: string }
  /** `plan` waits for `waitsFor`. */
  | { type: 'plan_linked'; plan: string; waitsFor: string }
  | { type: 'plan_unlinked'; plan: string; waitsFor: string }
  | { type: 'plan_reparented'; plan: string; parent: string | null }
  | { type: 'plan_annotated'; plan: string; metadata: Record<string, unknown> | null };

export type PlanModeEvent =
  | { type: 'proposal_opened'; proposal: string; owner: Owner; reason: string | null; goal: string | null }
  | { type: 'proposal_submitted'; proposal: string; round: number; plan: string; todos: Todo[] }
  | {
      type: 'proposal_decided';
      proposal: string;
      round: number;
      decision: Decision;
      decidedBy: string;
      feedback: string | null;
      comments: ReviewComment[];
      approvedPlan: string | null;
      queuedPlans: string[];
    }
  | { type: 'proposal_superseded'; proposal: string }
  | { type: 'todos_replaced'; owner: Owner; todos: Todo[] };

/**
 * The events of one transaction, as every process of the store sees them. Without events: the state was read anew (the
 * store was exchanged, restored or damaged), and anything may be different.
 */
export interface CommittedChange {
  /** Position in the store's history; grows by one a transaction. */
  seq: number;
  at: string;
  by: string;
  /** True in the process that made the change. */
  own: boolean;
  events: readonly DomainEvent[];
}
