import { PlannerError } from './errors';
import type { Plan } from './model';
import { checkPlanId } from './names';
import type { View } from './ports';
import { findPath } from './topology';

/** The task of that id, of any session. `field` is where the id was given. */
export function knownTask(view: View, id: string, field = 'id'): Plan {
  checkPlanId(id, field);
  const plan = view.plan(id);
  if (plan) return plan;
  throw new PlannerError('PLAN_NOT_FOUND', `There is no task ${id} (${field}).`, 'Take an id from task_list.');
}

/** VALIDATION_ERROR with the circle if `waitsFor` already waits for `plan`, over any number of tasks. */
export function checkNoCircle(view: View, plan: string, waitsFor: string): void {
  const chain = findPath(waitsFor, plan, (id) => view.blockersOf(id).map((blocker) => blocker.id));
  if (!chain) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    plan === waitsFor
      ? `Task ${plan} can't wait for itself.`
      : `These tasks would wait for each other in a circle: ${told([plan, ...chain], ' waits for ')}.`,
    'Leave this dependency out, or remove one of the others with task_dep.',
  );
}

/** VALIDATION_ERROR if `parent` is the task itself or one of its descendants. */
export function checkNoOwnAncestor(view: View, plan: string, parent: string): void {
  const chain = findPath(parent, plan, (id) => parentOf(view, id));
  if (!chain) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    plan === parent
      ? `Task ${plan} can't be its own parent.`
      : `These tasks would contain each other: ${told([plan, ...chain], ' is part of ')}.`,
    'Choose a parent that is not part of this task.',
  );
}

function parentOf(view: View, id: string): string[] {
  const parent = view.plan(id)?.parentId;
  return parent ? [parent] : [];
}

/** A long one without its middle. */
function told(chain: readonly string[], link: string): string {
  return (chain.length > 12 ? [...chain.slice(0, 6), '…', ...chain.slice(-5)] : chain).join(link);
}
