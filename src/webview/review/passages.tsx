import type { ComponentChild, JSX } from 'preact';
import { CommentCard, SentComment } from './comments';
import type { PlacedComment } from './comparison';
import { Passage } from './passage';
import type { DraftComment } from './protocol';
import type { Reading } from './reading';
import { runsOf } from './runs';
import type { Say } from './speech';

/** With more passages than this, those out of sight are not laid out. */
const MANY = 60;

export interface Remarks {
  /** By row; those whose passage isn't in the text stand under -1. */
  drafts: ReadonlyMap<number, readonly DraftComment[]>;
  sent: ReadonlyMap<number, readonly PlacedComment[]>;
  last: ReadonlyMap<number, readonly PlacedComment[]>;
}

export interface CommentActions {
  typed(comment: DraftComment, text: string): void;
  remove(comment: DraftComment): void;
  leave(comment: DraftComment): void;
}

/** The plan, passage by passage, with what is said about each. */
export function Passages(props: {
  word: Say;
  reading: Reading;
  remarks: Remarks;
  actions: CommentActions;
  /** Leave out what has not changed. */
  collapse: boolean;
  opened: ReadonlySet<number>;
  open(from: number): void;
  comment: ((row: number) => void) | undefined;
}): JSX.Element {
  const { word, reading, remarks, actions, comment } = props;
  const { drafts, sent, last } = remarks;
  const speaks = (row: number) => [drafts, sent, last].some((map) => map.has(row));
  const below = (row: number): ComponentChild => {
    if (!speaks(row)) return null;
    const block = reading.rows[row];
    const source = block && 'after' in block ? block.after.source : '';
    return (
      <div class="thread">
        {last.get(row)?.map((one, index) => (
          <SentComment key={`last${index}`} word={word} heading={word('lastComment')} {...one} />
        ))}
        {sent.get(row)?.map(({ quote, comment: text }, index) => (
          <SentComment key={`sent${index}`} word={word} heading={word('sentComment')} quote={quote} comment={text} />
        ))}
        {drafts.get(row)?.map((one) => (
          <CommentCard
            key={one.id}
            word={word}
            comment={one}
            whole={one.quote === source}
            typed={(text) => actions.typed(one, text)}
            remove={() => actions.remove(one)}
            leave={() => actions.leave(one)}
          />
        ))}
      </div>
    );
  };
  const signature = (row: number) =>
    [
      drafts
        .get(row)
        ?.map(({ id }) => id)
        .join(' '),
      sent.get(row)?.length,
      last.get(row)?.length,
    ].join('|');
  const runs = props.collapse ? runsOf(reading.rows, speaks, props.opened) : reading.rows.map((_, row) => ({ row }));
  return (
    <>
      {speaks(-1) && (
        <div class="unplaced">
          <h3>{word('noPassage')}</h3>
          {below(-1)}
        </div>
      )}
      <div class={`passages markdown ${runs.length > MANY ? 'long' : ''}`}>
        {runs.map((run) =>
          'row' in run ? (
            <Passage
              key={run.row}
              word={word}
              reading={reading}
              index={run.row}
              signature={signature(run.row)}
              comments={() => below(run.row)}
              comment={comment}
            />
          ) : (
            <button type="button" class="gap" key={`gap${run.from}`} onClick={() => props.open(run.from)}>
              {run.to - run.from === 1 ? word('unchangedPassagesOne') : word('unchangedPassages', run.to - run.from)}
            </button>
          ),
        )}
      </div>
    </>
  );
}
