import { EDITOR } from '../../planner/caller';
import { time } from '../time';
import type { ReviewDecision } from './protocol';
import type { ReviewWord } from './words';

export type Say = (key: ReviewWord, ...values: (string | number)[]) => string;

export function decidedBy(word: Say, decision: ReviewDecision, by: string | null, at: string | null): string {
  // A client's name says nothing by itself: it may call itself anything.
  const who = by === EDITOR ? word('you') : word('inForm', by ?? '?');
  return word('decidedBy', word(decision), who, at ? time(at) : '');
}

/** One line, cut to fit in a list or a label. */
export function excerpt(text: string, limit = 80): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= limit ? line : `${characters.slice(0, limit - 1).join('')}…`;
}
