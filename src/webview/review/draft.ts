import type { ReviewComment } from '../../planner/model';
import type { ReviewDraft, ReviewRound } from './protocol';

/** Comments in which something is written, as they are sent. */
export function written(draft: ReviewDraft): ReviewComment[] {
  return draft.comments
    .filter(({ comment }) => comment.trim() !== '')
    .map(({ quote, comment }) => ({ quote, comment }));
}

/** The plan's text as the person changed it; null if it is the agent's. */
export function editedPlan(draft: ReviewDraft, round: Pick<ReviewRound, 'plan'>): string | null {
  return draft.edited === null || draft.edited.trimEnd() === round.plan.trimEnd() ? null : draft.edited;
}

/** Indexes of the to-dos that would be queued. Before anybody chose, these are all that are neither done nor queued already. */
export function chosenTodos(
  draft: ReviewDraft,
  { todos, queuedTodos }: Pick<ReviewRound, 'todos' | 'queuedTodos'>,
): number[] {
  const open = todos.flatMap(({ status }, index) =>
    status === 'completed' || queuedTodos.includes(index) ? [] : [index],
  );
  return (draft.todos ?? open).filter((index) => index < todos.length).sort((a, b) => a - b);
}

/** True if a person would miss something were the draft gone. */
export function isWorthKeeping(draft: ReviewDraft): boolean {
  return written(draft).length > 0 || draft.feedback.trim() !== '' || draft.edited !== null || draft.todos !== null;
}

/** All words of a draft, for the clipboard. */
export function draftText(draft: ReviewDraft): string {
  const comments = written(draft).map(({ quote, comment }) => `${quote.replace(/^/gm, '> ')}\n\n${comment.trim()}`);
  return [draft.feedback.trim(), ...comments, draft.edited ?? ''].filter((part) => part !== '').join('\n\n');
}
