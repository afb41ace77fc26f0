import { Component, type ComponentChild, createRef } from 'preact';
import type { Row } from './comparison';
import { markWords } from './markWords';
import type { Reading } from './reading';
import type { Say } from './speech';

export interface PassageProps {
  word: Say;
  reading: Reading;
  index: number;
  /** Changes when the comments below the passage do, so that the others needn't be drawn again. */
  signature: string;
  comments(): ComponentChild;
  /** Undefined where nothing can be said. */
  comment: ((index: number) => void) | undefined;
}

const LABELS = { added: 'addedPassage', removed: 'removedPassage', changed: 'changedPassage' } as const;

/** One passage of the plan, rendered, with what is new in it and what was said about it. */
export class Passage extends Component<PassageProps> {
  private readonly body = createRef<HTMLDivElement>();
  private readonly label = createRef<HTMLSpanElement>();

  override shouldComponentUpdate(next: PassageProps): boolean {
    return (
      next.signature !== this.props.signature || (next.comment === undefined) !== (this.props.comment === undefined)
    );
  }

  override componentDidMount(): void {
    const { reading, index, word } = this.props;
    const body = this.body.current;
    const row = reading.rows[index];
    if (!body || !row) return;
    body.innerHTML = row.kind === 'removed' ? reading.renderOld(row.before) : reading.render(row.after);
    if (row.kind !== 'changed') return;
    const old = document.createElement('div');
    old.innerHTML = reading.renderOld(row.before);
    if (!markWords(body, old) && this.label.current) this.label.current.textContent = word('reformattedPassage');
  }

  override render({ word, reading, index, comments, comment }: PassageProps): ComponentChild {
    const row = reading.rows[index] as Row;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a passage is no set of fields.
      <div
        class={`passage ${row.kind}`}
        role="group"
        aria-label={word('passage', index + 1, reading.rows.length)}
        tabIndex={index === 0 ? 0 : -1}
        data-row={index}
      >
        {row.kind !== 'same' && (
          <span class="mark" ref={this.label}>
            {word(LABELS[row.kind])}
          </span>
        )}
        <div class="block" dir="auto" ref={this.body} />
        {comment && row.kind !== 'removed' && (
          <button
            type="button"
            class="add"
            tabIndex={-1}
            aria-label={word('comment')}
            title={`${word('comment')} (C)`}
            onClick={() => comment(index)}
          >
            +
          </button>
        )}
        {comments()}
      </div>
    );
  }
}
