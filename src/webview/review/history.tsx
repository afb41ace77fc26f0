import type { JSX } from 'preact';
import { time } from '../time';
import type { FromReview, ListedProposal } from './protocol';
import type { Say } from './speech';

/** The session's proposals with their decisions, newest first. */
export function History(props: {
  word: Say;
  others: readonly ListedProposal[];
  current: string;
  post(message: FromReview): void;
}): JSX.Element | null {
  const { word, others, current, post } = props;
  if (others.length < 2) return null;
  return (
    <details class="history">
      <summary>{word('history')}</summary>
      <ul>
        {others.map(({ id, title, status, decision, at }) => {
          const standing = status === 'rejected' ? (decision ?? status) : status;
          return (
            <li key={id}>
              <button
                type="button"
                class="link"
                dir="auto"
                aria-current={id === current ? 'true' : undefined}
                onClick={() => post({ type: 'openProposal', proposal: id })}
              >
                {title}
              </button>{' '}
              <span class="muted">
                {word(standing === 'submitted' ? 'waiting' : standing)}, {time(at)}
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
