import type { Caller, InSession } from './caller';
import { PlannerError } from './errors';
import type { Plan, PlanHeading, PlanStatus } from './model';
import { checkPlanId } from './names';
import type { View } from './ports';
import { chooseSession, namedSession } from './sessionChoice';
import { excerpt, firstOf } from './text';

/** Which plan a lifecycle call is about: without `planId` the active one of the session. */
export interface PlanTarget {
  sessionName?: string;
  planId?: string;
}

export type ChosenPlan = InSession & { plan: Plan };

/** The plan with this id. VALIDATION_ERROR if it can't be an id, PLAN_NOT_FOUND if no plan has it. `field` is its name in the input. */
export function namedPlan(view: View, planId: string, field = 'plan_id'): Plan {
  checkPlanId(planId, field);
  const plan = view.plan(planId);
  if (plan !== undefined) return plan;
  throw new PlannerError(
    'PLAN_NOT_FOUND',
    `There is no plan with the id ${planId}.`,
    'Look the id up in the state of the session, or search the history.',
  );
}

/** VALIDATION_ERROR saying which status the plan has, unless it is one of `allowed`. `verb` completes "can't be …". */
export function requireStatus(view: View, plan: Plan, allowed: readonly PlanStatus[], verb: string): void {
  if (allowed.includes(plan.status)) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `Plan ${plan.id} (${excerpt(plan.goal)}) is ${plan.status}; it can't be ${verb}${verb === plan.status ? ' again' : ''}.`,
    wayOut(view, plan),
    {
      session: plan.sessionName,
      tools: plan.status === 'completed' ? ['task_update'] : undefined,
      matter: { kind: 'status', goal: plan.goal, status: plan.status },
    },
  );
}

/** VALIDATION_ERROR naming what the plan still waits for, if anything. */
export function requireReady(view: View, plan: Plan): void {
  const waitingFor = unfinishedBlockers(view, plan.id);
  if (waitingFor.length === 0) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `Plan ${plan.id} (${excerpt(plan.goal)}) waits for ${firstOf(
      waitingFor.map(({ id }) => id),
      ', ',
    )}.`,
    'Finish these first, or remove the dependency.',
    { session: plan.sessionName, matter: { kind: 'waits', goal: plan.goal, waitingFor } },
  );
}

/**
 * The plan that complete, defer and discard act on: the one named, else the active one of the call's session. A
 * connection that pulled a plan means that plan: if it is no longer the active one, the call is refused.
 */
export function chooseActivePlan(
  view: View,
  caller: Caller,
  target: PlanTarget,
  verb: string,
  allowed: readonly PlanStatus[] = ['active'],
): ChosenPlan {
  if (target.planId !== undefined) {
    const plan = namedPlan(view, target.planId);
    requireSession(view, plan, target.sessionName);
    requireStatus(view, plan, allowed, verb);
    return { session: plan.sessionName, assumed: false, plan };
  }
  const ownPull = () => (caller.pulled === undefined ? undefined : view.plan(caller.pulled.plan));
  const ownSession = caller.session === undefined ? ownPull()?.sessionName : undefined;
  const chosen = chooseSession(view, caller, target.sessionName ?? ownSession);
  const active = view.activePlan(chosen.session);
  if (caller.pulled !== undefined && !isOwnPull(caller, active)) {
    const pulled = ownPull();
    if (pulled === undefined || pulled.sessionName === chosen.session) {
      throw notActiveAnyMore(view, chosen.session, caller.pulled.plan, pulled, active);
    }
    if (target.sessionName === undefined && isOwnPull(caller, pulled)) {
      throw pulledElsewhere(view, chosen.session, pulled, active);
    }
  }
  if (active === undefined) throw noActivePlan(view, chosen.session);
  return { ...chosen, plan: active };
}

/** Whether this connection made `active` the active plan, and nobody put it back since. */
export function isOwnPull({ pulled }: Caller, active: Plan | undefined): boolean {
  return pulled !== undefined && active?.id === pulled.plan && active.pulledAt === pulled.at;
}

/** What the plan still waits for, by id. */
export function unfinishedBlockers(view: View, planId: string): PlanHeading[] {
  return view.blockersOf(planId).filter(({ id }) => {
    const status = view.plan(id)?.status;
    return status === 'queued' || status === 'active';
  });
}

/** How a message names a plan: what it is for, and where its text lies. */
export function describePlan(view: View, plan: Plan): string {
  return `${plan.id} (${excerpt(plan.goal)}; ${view.planPath(plan.sessionName, plan.id)})`;
}

function requireSession(view: View, plan: Plan, sessionName: string | undefined): void {
  if (sessionName === undefined) return;
  const session = namedSession(view, sessionName);
  if (session === plan.sessionName) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `Plan ${plan.id} belongs to the session ${plan.sessionName}, not to ${session}.`,
    'Leave the session name out, or give the one that the plan belongs to.',
    { session },
  );
}

function notActiveAnyMore(
  view: View,
  session: string,
  pulledId: string,
  pulled: Plan | undefined,
  active: Plan | undefined,
): PlannerError {
  const message = `Plan ${pulledId}, which this connection pulled, ${fateOf(pulled)}: somebody else changed it.`;
  if (active === undefined) {
    return new PlannerError('NO_ACTIVE_PLAN', `${message} The session has no active plan.`, 'Pull a plan to go on.', {
      session,
    });
  }
  return new PlannerError(
    'VALIDATION_ERROR',
    `${message} The active plan is ${describePlan(view, active)}.`,
    `If you mean the active plan, call again with plan_id ${active.id}.`,
    { session },
  );
}

function fateOf(plan: Plan | undefined): string {
  if (plan === undefined) return 'does not exist any more';
  if (plan.status !== 'active') return `is ${plan.status} now`;
  return `was put back and then pulled by ${plan.pulledBy} at ${plan.pulledAt}`;
}

/** Neither of the two is the one that is obviously meant. */
function pulledElsewhere(view: View, session: string, pulled: Plan, active: Plan | undefined): PlannerError {
  const here =
    active === undefined
      ? `The session ${session} has no active plan.`
      : `The active plan of the session ${session} is ${describePlan(view, active)}, pulled by ${active.pulledBy}.`;
  return new PlannerError(
    active === undefined ? 'NO_ACTIVE_PLAN' : 'VALIDATION_ERROR',
    `${here} The plan that this connection pulled is in ${pulled.sessionName}: ${describePlan(view, pulled)}.`,
    `If you mean that one, call again with plan_id ${pulled.id}.`,
    { session, tools: [] },
  );
}

function noActivePlan(view: View, session: string): PlannerError {
  const queued = view.queueLength(session);
  return new PlannerError(
    'NO_ACTIVE_PLAN',
    `The session ${session} has no active plan.`,
    queued > 0
      ? `Pull first: ${queued === 1 ? 'one plan is' : `${queued} plans are`} queued.`
      : 'Add a plan to the queue and pull it first.',
    { session },
  );
}

function wayOut(view: View, plan: Plan): string {
  if (plan.status === 'queued') return 'It waits in the queue: pull it to work on it.';
  if (plan.status === 'active') return 'It is being worked on: complete, defer or discard it.';
  const reopen =
    plan.status === 'completed'
      ? 'If work on it must go on, reopen it (as a task, by setting it to open, or in the editor), or add a new plan for what is left.'
      : 'Add a new plan, or reopen this one in the editor.';
  const active = view.activePlan(plan.sessionName);
  return active === undefined ? reopen : `${reopen} The active plan of its session is ${describePlan(view, active)}.`;
}
