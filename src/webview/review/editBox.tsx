import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Say } from './speech';

/** The plan's source, to be changed before it is approved. */
export function EditBox(props: {
  word: Say;
  text: string;
  changed: boolean;
  typed(text: string): void;
  revert(): void;
}): JSX.Element {
  const { word } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  // The box belongs to the person: drawing the page again never touches its text.
  useLayoutEffect(() => {
    if (box.current) box.current.value = props.text;
  }, []);
  return (
    <div class="edit">
      <label for="edit-box">{word('planText')}</label>
      <p class="muted" id="edit-hint">
        {word('editHint')} {word('editHintRequest')}
      </p>
      <textarea
        ref={box}
        id="edit-box"
        dir="auto"
        aria-describedby="edit-hint"
        onInput={(event) => props.typed(event.currentTarget.value)}
      />
      {props.changed && (
        <div class="actions">
          <button type="button" onClick={props.revert}>
            {word('revert')}
          </button>
        </div>
      )}
    </div>
  );
}
