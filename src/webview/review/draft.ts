import type { ReviewComment } from '../../planner/model';
import type { DraftComment, ReviewDraft, ReviewRound } from './protocol';
import { linesOf, nearest } from './quotes';

/** Comments in which something is written, as they are sent. */
export function written(draft: ReviewDraft, { plan }: Pick<ReviewRound, 'plan'>): ReviewComment[] {
  return spoken(draft).map(({ quote, line, comment }) => {
    const occurrence = nearest(linesOf(plan, quote), line);
    return { quote, comment, ...(occurrence > 0 ? { occurrence } : {}) };
  });
}

/** The comments in which something is written. */
export function spoken({ comments }: ReviewDraft): DraftComment[] {
  return comments.filter(({ comment }) => comment.trim() !== '');
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
  return spoken(draft).length > 0 || draft.feedback.trim() !== '' || draft.edited !== null || draft.todos !== null;
}

/** All words of a draft, for the clipboard. */
export function draftText(draft: ReviewDraft): string {
  const comments = spoken(draft).map(({ quote, comment }) => `${quote.replace(/^/gm, '> ')}\n\n${comment.trim()}`);
  return [draft.feedback.trim(), ...comments, draft.edited ?? ''].filter((part) => part !== '').join('\n\n');
}
