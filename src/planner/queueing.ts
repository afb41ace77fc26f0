import { PlannerError } from './errors';
import type { Plan, PlanSections, QueueEnd } from './model';
import { newPlanId } from './newNames';
import { namedPlan, requireStatus } from './planChoice';
import type { Transaction, View } from './ports';
import { EMPTY_SECTIONS, enteringSections, requiredText } from './text';

/** What an agent or a person gives for a new plan; missing sections are empty. */
export interface NewPlan extends Partial<PlanSections> {
  goal: string;
}

export interface AddedPlan {
  planId: string;
  planPath: string;
  queuePosition: number;
}

export type MoveTarget = { position: QueueEnd } | { before: string } | { after: string };

/** A new plan's sections as they enter the store. VALIDATION_ERROR without a goal; `prefix` names the plan in messages. */
export function enteringPlan(plan: NewPlan, prefix = '', longest?: number): PlanSections {
  return {
    ...EMPTY_SECTIONS,
    ...enteringSections(plan, prefix, longest),
    goal: requiredText(`${prefix}goal`, plan.goal, longest),
  };
}

/** Adds plans at one place of a session's queue, keeping their order. The sections have passed `enteringPlan`. */
export function addPlans(
  tx: Transaction,
  session: string,
  plans: readonly PlanSections[],
  place: QueueEnd | { after: string },
  parent: string | null = null,
): AddedPlan[] {
  const first = typeof place === 'string' ? positionAt(tx, session, place) : positionOf(tx, place.after) + 1;
  return plans.map((sections, index) => {
    const plan = newPlanId((id) => tx.plan(id) !== undefined);
    const position = first + index;
    tx.emit({ type: 'plan_added', plan, session, position, sections, parent });
    return { planId: plan, planPath: tx.planPath(session, plan), queuePosition: position };
  });
}

/** The position of a plan that enters the queue at this end. */
export function positionAt(view: View, session: string, end: QueueEnd): number {
  return end === 'front' ? 1 : view.queueLength(session) + 1;
}

/** The queued plans to be moved, all of one session. VALIDATION_ERROR unless they and the target fit together. */
export function plansToMove(view: View, planIds: readonly string[], to: MoveTarget): Plan[] {
  if (planIds.length === 0) throw invalidMove('No plan to move was named.', 'Name at least one queued plan.');
  const repeated = planIds.find((id, index) => planIds.indexOf(id) !== index);
  const plans = planIds.map((id) => queuedPlan(view, id, 'plan_id'));
  if (repeated !== undefined) throw invalidMove(`Plan ${repeated} is named twice.`, 'Name each plan once.');
  const target = 'before' in to ? to.before : 'after' in to ? to.after : undefined;
  if (target !== undefined) plans.push(queuedPlan(view, target, 'before' in to ? 'before' : 'after'));
  const session = plans[0]?.sessionName;
  const stray = plans.find((plan) => plan.sessionName !== session);
  if (stray !== undefined) {
    throw invalidMove(
      `Plan ${stray.id} belongs to the session ${stray.sessionName}, not to ${session}.`,
      'Plans move only within the queue of their session.',
    );
  }
  if (target === undefined) return plans;
  plans.pop();
  if (planIds.includes(target)) {
    throw invalidMove(
      `Plan ${target} can't be placed before or after itself.`,
      'Name another queued plan as the target.',
    );
  }
  return plans;
}

/** Moves plans so that they stand together, in this order, at the target. Gives the first one's position. */
export function movePlans(tx: Transaction, plans: readonly Plan[], to: MoveTarget): number {
  let target = to;
  for (const plan of plans) {
    const from = positionOf(tx, plan.id);
    const position = positionAfterMove(tx, plan.sessionName, from, target);
    if (position !== from) tx.emit({ type: 'plan_moved', plan: plan.id, position });
    target = { after: plan.id };
  }
  return positionOf(tx, (plans[0] as Plan).id);
}

/** `from` is where the plan stands now: those behind it move up by one when it leaves. */
function positionAfterMove(view: View, session: string, from: number, to: MoveTarget): number {
  if ('position' in to) return to.position === 'front' ? 1 : view.queueLength(session);
  const target = positionOf(view, 'before' in to ? to.before : to.after);
  const behindIt = 'after' in to ? 1 : 0;
  return target + behindIt - (from < target ? 1 : 0);
}

function positionOf(view: View, planId: string): number {
  const position = view.plan(planId)?.queuePosition;
  if (typeof position !== 'number') throw new Error(`plan ${planId} is queued but has no position`);
  return position;
}

function queuedPlan(view: View, planId: string, field: string): Plan {
  const plan = namedPlan(view, planId, field);
  requireStatus(view, plan, ['queued'], field === 'plan_id' ? 'moved' : 'the target of a move');
  return plan;
}

function invalidMove(message: string, suggestion: string): PlannerError {
  return new PlannerError('VALIDATION_ERROR', message, suggestion);
}
