import type { Caller, InSession } from './caller';
import type { Plan, PlanHeading } from './model';
import type { ChosenPlan } from './planChoice';
import type { View } from './ports';

/** What there is to say when a plan was completed or discarded. */
export interface FinishedPlan extends InSession {
  planId: string;
  queueLength: number;
  completedCount: number;
  /** The next plan that a pull would return; null if the queue is empty or all of it is blocked. */
  next: PlanHeading | null;
  /** Queued plans that waited for this one and no longer do. */
  released: PlanHeading[];
  /** The client that had pulled it, if it was another one than the caller's. */
  pulledByOther: string | null;
}

export function finishedPlan(view: View, caller: Caller, { session, assumed, plan }: ChosenPlan): FinishedPlan {
  return {
    session,
    assumed,
    planId: plan.id,
    queueLength: view.queueLength(session),
    completedCount: view.completedCount(session),
    next: view.firstReady(session) ?? null,
    pulledByOther: pulledByOther(caller, plan),
    released: view.blockedBy(plan.id).filter(({ id }) => view.plan(id)?.status === 'queued'),
  };
}

/** The client that had pulled the active plan, if it wasn't the caller's. */
export function pulledByOther(caller: Caller, { status, pulledBy }: Plan): string | null {
  return status === 'active' && pulledBy !== null && pulledBy !== caller.client ? pulledBy : null;
}
