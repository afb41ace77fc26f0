import type { Todo } from './model';
import type { View } from './ports';

/**
 * Tells the to-dos that an approval has made plans of in this session, by their text: offering them again would queue the same work
 * twice. One whose plan was discarded is free again.
 */
export function queuedBefore(view: View, session: string): (todo: Todo) => boolean {
  const approved = view.proposals({ session, status: ['approved'] });
  const plans = approved.flatMap(({ rounds }) => rounds.flatMap(({ queuedPlans }) => queuedPlans));
  const goals = new Set(
    plans.flatMap((id) => {
      const plan = view.plan(id);
      return plan && plan.status !== 'discarded' ? [plan.goal] : [];
    }),
  );
  return ({ content }) => goals.has(content);
}

/** Indexes of those `queuedBefore`. */
export function queuedAmong(view: View, session: string, todos: readonly Todo[]): number[] {
  const isQueued = queuedBefore(view, session);
  return todos.flatMap((todo, index) => (isQueued(todo) ? [index] : []));
}
