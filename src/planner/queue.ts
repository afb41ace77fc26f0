import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import { hasEdits, takeInEdits } from './fileEdits';
import { type FinishedPlan, finishedPlan, pulledByOther } from './finishedPlan';
import {
  completePlan,
  deferPlan,
  discardPlan,
  pullPlan,
  releasePlan,
  reopenPlan,
  requireNoActivePlan,
} from './lifecycle';
import type { PlanHeading, PlanSections, QueuedPlan, QueueEnd } from './model';
import {
  chooseActivePlan,
  namedPlan,
  type PlanTarget,
  requireReady,
  requireStatus,
  unfinishedBlockers,
} from './planChoice';
import { formatPlan } from './planDocument';
import { editPlan, type FileOutcome } from './planEdits';
import type { PlanStore, Transaction } from './ports';
import {
  type AddedPlan,
  addPlans,
  enteringPlan,
  type MoveTarget,
  movePlans,
  type NewPlan,
  plansToMove,
} from './queueing';
import { chooseSession } from './sessionChoice';
import { enteringSections, enteringText, requiredText } from './text';

export type { FinishedPlan } from './finishedPlan';
export type { PlanTarget } from './planChoice';
export type { AddedPlan, MoveTarget, NewPlan } from './queueing';

export interface PulledPlan extends PlanHeading {
  path: string;
  text: string;
  pulledAt: string;
}

export type PullResult = InSession &
  (
    | { kind: 'pulled'; plan: PulledPlan; completedCount: number }
    /** `isUnused`: no plan was ever queued here. */
    | { kind: 'empty'; completedCount: number; isUnused: boolean }
    /** The first of them, by position. */
    | { kind: 'blocked'; blocked: { id: string; goal: string; waitingFor: string[] }[]; completedCount: number }
  );

const BLOCKED_LISTED = 50;

/** The queue and the lifecycle of its plans (seed, sections 6.2 and 6.3). */
export class Queue {
  constructor(private readonly store: PlanStore) {}

  /** Adds plans at one end, in the given order at the front too. All or none. */
  async add(
    caller: Caller,
    input: { sessionName?: string; plans: NewPlan[]; position?: QueueEnd },
  ): Promise<InSession & { plans: AddedPlan[] }> {
    if (input.plans.length === 0) {
      throw new PlannerError('VALIDATION_ERROR', 'No plan to add was given.', 'Give at least one plan and call again.');
    }
    const plans = input.plans.map((plan, index) =>
      enteringPlan(plan, input.plans.length > 1 ? `plans[${index}].` : ''),
    );
    return this.store.transact(caller.client, (tx) => {
      const chosen = chooseSession(tx, caller, input.sessionName);
      return { ...chosen, plans: addPlans(tx, chosen.session, plans, input.position ?? 'back') };
    });
  }

  list(caller: Caller, input: { sessionName?: string }): Promise<InSession & { plans: QueuedPlan[] }> {
    return this.store.read((view) => {
      const chosen = chooseSession(view, caller, input.sessionName);
      return { ...chosen, plans: view.queue(chosen.session) };
    });
  }

  /** Makes the frontmost ready plan active. PLAN_ALREADY_ACTIVE if the session has one. */
  async pull(caller: Caller, input: { sessionName?: string }): Promise<PullResult> {
    const result = await this.store.transact(caller.client, (tx) => {
      const chosen = chooseSession(tx, caller, input.sessionName);
      requireNoActivePlan(tx, caller, chosen.session);
      return pullNext(tx, chosen, caller);
    });
    if (result.kind === 'pulled') caller.pulled = { plan: result.plan.id, at: result.plan.pulledAt };
    return result;
  }

  /**
   * Makes this plan the active one, wherever it stands in the queue. VALIDATION_ERROR if it isn't queued or waits for
   * others, PLAN_ALREADY_ACTIVE if its session has an active plan.
   */
  async start(caller: Caller, input: { planId: string }): Promise<void> {
    caller.pulled = await this.store.transact(caller.client, (tx) => {
      const plan = namedPlan(tx, input.planId);
      requireStatus(tx, plan, ['queued'], 'started');
      requireReady(tx, plan);
      pullPlan(tx, plan, caller);
      return { plan: plan.id, at: tx.now };
    });
  }

  /**
   * Moves queued plans, in the given order, keeping them together. `queuePosition` is the first one's, `waitingFor` what
   * it still waits for wherever it stands.
   */
  async move(
    caller: Caller,
    input: { planIds: string[]; to: MoveTarget },
  ): Promise<InSession & { queuePosition: number; waitingFor: PlanHeading[] }> {
    return this.store.transact(caller.client, (tx) => {
      const plans = plansToMove(tx, input.planIds, input.to);
      const { id, sessionName: session } = plans[0] as (typeof plans)[number];
      const queuePosition = movePlans(tx, plans, input.to);
      return { session, assumed: false, queuePosition, waitingFor: unfinishedBlockers(tx, id) };
    });
  }

  /** Replaces sections of a queued or active plan and appends to its notes. */
  async update(
    caller: Caller,
    input: { planId: string; sections: Partial<PlanSections>; appendNotes?: string },
  ): Promise<InSession & FileOutcome & { planId: string; planPath: string }> {
    const given = enteringSections(input.sections);
    const addition = enteringText('append_notes', input.appendNotes ?? '');
    if (Object.keys(given).length === 0 && addition === '') {
      throw new PlannerError(
        'VALIDATION_ERROR',
        'Nothing to change was given.',
        'Give at least one section, or append_notes, and call again.',
      );
    }
    return this.store.transact(caller.client, (tx) => {
      const plan = namedPlan(tx, input.planId);
      requireStatus(tx, plan, ['queued', 'active'], 'changed');
      const edited = editPlan(tx, plan, given, addition);
      const session = plan.sessionName;
      return { session, assumed: false, planId: plan.id, planPath: tx.planPath(session, plan.id), ...edited };
    });
  }

  /** Puts the active plan back; the reason goes to its notes with a timestamp. */
  async defer(
    caller: Caller,
    input: PlanTarget & { reason: string; position?: QueueEnd },
  ): Promise<InSession & { planId: string; queuePosition: number; pulledByOther: string | null }> {
    const reason = requiredText('reason', input.reason);
    const deferred = await this.store.transact(caller.client, (tx) => {
      const { plan, session, assumed } = chooseActivePlan(tx, caller, input, 'deferred');
      const queuePosition = deferPlan(tx, plan, reason, input.position ?? 'back');
      return { session, assumed, planId: plan.id, queuePosition, pulledByOther: pulledByOther(caller, plan) };
    });
    forget(caller, deferred.planId);
    return deferred;
  }

  async complete(caller: Caller, input: PlanTarget & { outcome: string }): Promise<FinishedPlan> {
    const outcome = requiredText('outcome', input.outcome);
    const finished = await this.store.transact(caller.client, (tx) => {
      const chosen = chooseActivePlan(tx, caller, input, 'completed');
      completePlan(tx, chosen.plan, outcome);
      return finishedPlan(tx, caller, chosen);
    });
    forget(caller, finished.planId);
    return finished;
  }

  /** Abandons the active plan, or a queued one that is named. `fileLeft`: why its file could not be taken in and is left. */
  async discard(
    caller: Caller,
    input: PlanTarget & { reason: string },
  ): Promise<FinishedPlan & { fileLeft: string | undefined }> {
    const reason = requiredText('reason', input.reason);
    const finished = await this.store.transact(caller.client, (tx) => {
      const chosen = chooseActivePlan(tx, caller, input, 'discarded', ['active', 'queued']);
      const fileLeft = discardPlan(tx, chosen.plan, reason)?.message;
      return { ...finishedPlan(tx, caller, chosen), fileLeft };
    });
    forget(caller, finished.planId);
    return finished;
  }

  /** Puts an active plan whose agent is gone back to the front, without a reason in its notes. */
  async release(caller: Caller, input: { planId: string }): Promise<InSession & { queuePosition: number }> {
    const released = await this.store.transact(caller.client, (tx) => {
      const plan = namedPlan(tx, input.planId);
      requireStatus(tx, plan, ['active'], 'released');
      return { session: plan.sessionName, assumed: false, queuePosition: releasePlan(tx, plan) };
    });
    forget(caller, input.planId);
    return released;
  }

  /** Queues a completed or discarded plan again. `quietly`, for taking an end back: without a note of how it had ended. */
  async reopen(
    caller: Caller,
    input: { planId: string; position?: QueueEnd; quietly?: boolean },
  ): Promise<InSession & { queuePosition: number }> {
    return this.store.transact(caller.client, (tx) => {
      const plan = namedPlan(tx, input.planId);
      requireStatus(tx, plan, ['completed', 'discarded'], 'reopened');
      const queuePosition = reopenPlan(tx, plan, input.position ?? 'back', input.quietly);
      return { session: plan.sessionName, assumed: false, queuePosition };
    });
  }

  /** Takes a hand edit of the plan's file into the store; false if there was none. */
  async takeInEdits(caller: Caller, input: { planId: string }): Promise<boolean> {
    return this.store.transact(caller.client, (tx) => {
      const plan = namedPlan(tx, input.planId);
      if (plan.status !== 'queued' && plan.status !== 'active') return false;
      if (!hasEdits(tx, plan)) return false;
      takeInEdits(tx, plan);
      return true;
    });
  }
}

function pullNext(tx: Transaction, chosen: InSession, caller: Caller): PullResult {
  const { session } = chosen;
  const completedCount = tx.completedCount(session);
  const ready = tx.firstReady(session);
  if (ready !== undefined) {
    const plan = pullPlan(tx, namedPlan(tx, ready.id), caller);
    const path = tx.planPath(session, plan.id);
    return {
      ...chosen,
      kind: 'pulled',
      plan: { id: plan.id, goal: plan.goal, path, text: formatPlan(plan), pulledAt: tx.now },
      completedCount,
    };
  }
  if (tx.queueLength(session) === 0) {
    const discarded = tx.history(session, { status: 'discarded', offset: 0, limit: 1 });
    return { ...chosen, kind: 'empty', completedCount, isUnused: completedCount === 0 && discarded.length === 0 };
  }
  const blocked = tx
    .queue(session, { offset: 0, limit: BLOCKED_LISTED })
    .map(({ id, goal, waitingFor }) => ({ id, goal, waitingFor }));
  return { ...chosen, kind: 'blocked', blocked, completedCount };
}

function forget(caller: Caller, planId: string): void {
  if (caller.pulled?.plan === planId) caller.pulled = undefined;
}
