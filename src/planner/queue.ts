import type { Caller, InSession } from './caller';
import type { PlanHeading, PlanSections, QueuedPlan, QueueEnd } from './model';
import type { PlanStore } from './ports';

/** What an agent or a person gives for a new plan; missing sections are empty. */
export interface NewPlan extends Partial<PlanSections> {
  goal: string;
}

export interface AddedPlan {
  planId: string;
  planPath: string;
  queuePosition: number;
}

export type PullResult = InSession &
  (
    | { kind: 'pulled'; plan: { id: string; goal: string; path: string; text: string }; completedCount: number }
    | { kind: 'empty'; completedCount: number }
    | { kind: 'blocked'; blocked: { id: string; goal: string; waitingFor: string[] }[]; completedCount: number }
  );

export type MoveTarget = { position: QueueEnd } | { before: string } | { after: string };

export interface FinishedPlan extends InSession {
  planId: string;
  queueLength: number;
  completedCount: number;
  /** The next plan that a pull would return; null if the queue is empty or all of it is blocked. */
  next: PlanHeading | null;
}

/** Which plan a lifecycle call is about: without `planId` the active one of the session. */
export interface PlanTarget {
  sessionName?: string;
  planId?: string;
}

/** The queue and the lifecycle of its plans (seed, sections 6.2 and 6.3). */
export class Queue {
  constructor(private readonly store: PlanStore) {}

  /** Adds plans at one end, in the given order at the front too. All or none. */
  add(
    _caller: Caller,
    _input: { sessionName?: string; plans: NewPlan[]; position?: QueueEnd },
  ): Promise<InSession & { plans: AddedPlan[] }> {
    throw new Error('unwritten');
  }

  list(_caller: Caller, _input: { sessionName?: string }): Promise<InSession & { plans: QueuedPlan[] }> {
    throw new Error('unwritten');
  }

  /** Makes the frontmost ready plan active. PLAN_ALREADY_ACTIVE if the session has one. */
  pull(_caller: Caller, _input: { sessionName?: string }): Promise<PullResult> {
    throw new Error('unwritten');
  }

  /** Moves queued plans, in the given order, keeping them together. `queuePosition` is the first one's. */
  move(_caller: Caller, _input: { planIds: string[]; to: MoveTarget }): Promise<InSession & { queuePosition: number }> {
    throw new Error('unwritten');
  }

  /** Replaces sections of a queued or active plan and appends to its notes. */
  update(
    _caller: Caller,
    _input: { planId: string; sections: Partial<PlanSections>; appendNotes?: string },
  ): Promise<InSession & { planId: string; planPath: string }> {
    throw new Error('unwritten');
  }

  /** Puts the active plan back; the reason goes to its notes with a timestamp. */
  defer(
    _caller: Caller,
    _input: PlanTarget & { reason: string; position?: QueueEnd },
  ): Promise<InSession & { planId: string; queuePosition: number }> {
    throw new Error('unwritten');
  }

  complete(_caller: Caller, _input: PlanTarget & { outcome: string }): Promise<FinishedPlan> {
    throw new Error('unwritten');
  }

  /** Abandons the active plan, or a queued one that is named. */
  discard(_caller: Caller, _input: PlanTarget & { reason: string }): Promise<FinishedPlan> {
    throw new Error('unwritten');
  }

  /** Puts an active plan whose agent is gone back to the front, without a reason in its notes. */
  release(_caller: Caller, _input: { planId: string }): Promise<InSession & { queuePosition: number }> {
    throw new Error('unwritten');
  }

  /** Queues a completed or discarded plan again. */
  reopen(
    _caller: Caller,
    _input: { planId: string; position?: QueueEnd },
  ): Promise<InSession & { queuePosition: number }> {
    throw new Error('unwritten');
  }

  /** Takes a hand edit of the plan's file into the store; false if there was none. */
  takeInEdits(_caller: Caller, _input: { planId: string }): Promise<boolean> {
    throw new Error('unwritten');
  }
}
