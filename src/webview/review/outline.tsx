import type { JSX } from 'preact';
import type { Reading } from './reading';
import { excerpt, type Say } from './speech';

/** With fewer headings one sees the plan at a glance. */
const FEWEST = 3;

export interface OverviewEntry {
  key: string;
  row: number;
  quote: string;
  comment: string;
  heading: string;
}

/** The way through a long plan: its headings, with the number of comments below each, and all comments. */
export function Outline(props: {
  word: Say;
  reading: Reading;
  comments: readonly OverviewEntry[];
  /** Comments may come: their place is kept, so that the first one doesn't move the plan. */
  reserved: boolean;
  go(row: number): void;
  goComment(entry: OverviewEntry): void;
}): JSX.Element | null {
  const { word, reading, comments, reserved } = props;
  const headings = reading.headings.length < FEWEST ? [] : reading.headings;
  if (headings.length === 0 && comments.length === 0 && !reserved) return null;
  const isWide = window.matchMedia('(min-width: 900px)').matches;
  const lowest = headings.reduce((least, { level }) => Math.min(least, level), 6);
  const count = (index: number) => {
    const [from, to] = [headings[index]?.row ?? 0, headings[index + 1]?.row ?? Number.POSITIVE_INFINITY];
    return comments.filter(({ row }) => row >= from && row < to).length;
  };
  return (
    <nav class="outline" aria-label={word('outline')}>
      {headings.length > 0 && (
        <details open={isWide}>
          <summary>{word('outline')}</summary>
          <ul>
            {headings.map(({ row, level, text }, index) => (
              <li key={row} class={`level${Math.min(level - lowest, 3)}`}>
                <button type="button" class="link" dir="auto" onClick={() => props.go(row)}>
                  {headingLabel(word, text, count(index))}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {(comments.length > 0 || reserved) && (
        <details open={isWide}>
          <summary>
            {word('commentsOverview')} <span class="count">{comments.length}</span>
          </summary>
          {comments.length === 0 && <p class="muted">{word('noComments')}</p>}
          <ul class="overview">
            {comments.map((entry) => (
              <li key={entry.key}>
                <button type="button" class="link" dir="auto" onClick={() => props.goComment(entry)}>
                  <span class="muted">
                    {entry.heading} · {entry.row < 0 ? word('general') : excerpt(entry.quote, 40)}
                  </span>
                  <span>{excerpt(entry.comment, 100) || '…'}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}

function headingLabel(word: Say, text: string, comments: number): string {
  if (comments === 0) return text;
  return comments === 1 ? word('outlineCommentsOne', text) : word('outlineComments', text, comments);
}
