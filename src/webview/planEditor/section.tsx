import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BlockView } from '../blockView';
import type { Conflict, ConflictChoice, Field } from '../protocol';
import { FieldEditor } from './fieldEditor';
import type { Speech, View } from './header';
import { Versions } from './versions';

/** Longer texts get a box of fixed height: one that grows is laid out whole for each key. */
const LONGEST_GROWING = 20_000;
/** Milliseconds without a key until the preview follows. */
const PAUSE = 150;

export interface SectionProps extends Speech {
  field: Field;
  shown: { text: string; revision: number };
  view: View;
  conflict: Conflict | undefined;
  /** Hands the text box to the page, which knows where messages go. */
  opened(editor: FieldEditor): void;
  typed(field: Field, text: string): void;
}

/** A labelled section: its text box, its rendering, and its two versions if there are two. */
export function Section(props: SectionProps): JSX.Element {
  const { word, field, shown, view, conflict } = props;
  const root = useRef<HTMLElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const preview = useRef<HTMLDivElement>(null);
  const hint = field === 'whole' ? undefined : word(`${field}.hint`);

  // The box belongs to its FieldEditor: rendering the page again never touches its text.
  useEffect(() => {
    const rendering = new Rendering(preview.current as HTMLDivElement, word('empty'));
    rendering.soon(shown.text);
    const arrange = (text: string) => {
      limitGrowth(box.current as HTMLTextAreaElement, text);
      // Most plans have nothing above their headings, and a box for it would be a riddle.
      const idle = field === 'preamble' && text === '' && document.activeElement !== box.current;
      if (root.current) root.current.hidden = idle;
    };
    const changed = (text: string) => {
      arrange(text);
      rendering.soon(text);
      props.typed(field, text);
    };
    const editor = new FieldEditor(field, box.current as HTMLTextAreaElement, shown, props.post, changed);
    arrange(shown.text);
    props.opened(editor);
  }, []);

  return (
    <section ref={root} class={`field ${field}`} aria-labelledby={`${field}-label`}>
      <label id={`${field}-label`} for={`${field}-box`}>
        {word(field)}
      </label>
      {field === 'preamble' && <p class="hint">{hint}</p>}
      {conflict && <ConflictView word={word} post={props.post} conflict={conflict} />}
      <div class={`panes ${view}`}>
        <textarea
          id={`${field}-box`}
          ref={box}
          dir="auto"
          rows={field === 'goal' ? 2 : 3}
          spellcheck={true}
          placeholder={hint}
          hidden={view === 'read'}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a region of its own would be one too many for a screen reader. */}
        <div
          ref={preview}
          class="preview"
          role="group"
          aria-label={word('preview', word(field))}
          hidden={view === 'write'}
        />
      </div>
    </section>
  );
}

/** Both versions of a part, and the ways to settle it. */
export function ConflictView({ word, post, conflict }: Speech & { conflict: Conflict }): JSX.Element {
  const { field } = conflict;
  const buttons: [ConflictChoice, 'keepMine' | 'takeTheirs' | 'keepBoth'][] = [
    ['mine', 'keepMine'],
    ['theirs', 'takeTheirs'],
    ['both', 'keepBoth'],
  ];
  return (
    <div class="conflict" role="alert">
      <h2>{word('conflict', word(field))}</h2>
      <p>{word('conflictText')}</p>
      <Versions
        left={{ title: word('mine'), text: conflict.mine }}
        right={{ title: word('theirs'), text: conflict.theirs }}
        empty={word('emptyVersion')}
      />
      <div class="actions">
        {buttons.map(([choice, label]) => (
          <button type="button" key={choice} onClick={() => post({ type: 'resolve', field, choice })}>
            {word(label)}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Follows a text when its author pauses. */
class Rendering {
  private readonly blocks: BlockView;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly container: HTMLElement,
    private readonly empty: string,
  ) {
    this.blocks = new BlockView(container);
  }

  soon(text: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => requestIdleCallback(() => this.show(text), { timeout: 1000 }), PAUSE);
  }

  private show(text: string): void {
    this.container.dataset.empty = text.trim() === '' ? this.empty : '';
    this.blocks.show(text);
  }
}

function limitGrowth(box: HTMLTextAreaElement, text: string): void {
  box.classList.toggle('long', text.length > LONGEST_GROWING);
}
