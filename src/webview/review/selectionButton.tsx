import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type SelectedPassage, selectedPassage } from './selection';
import type { Say } from './speech';

/** Appears beside what is selected in the plan. */
export function SelectionButton(props: { word: Say; comment(selected: SelectedPassage): void }): JSX.Element | null {
  const button = useRef<HTMLButtonElement>(null);
  const selected = selectedPassage();
  useLayoutEffect(() => {
    if (!button.current || !selected) return;
    const { box } = selected;
    const left = Math.min(box.left, window.innerWidth - button.current.offsetWidth - 8);
    button.current.style.top = `${box.bottom + window.scrollY + 4}px`;
    button.current.style.left = `${Math.max(left, 8) + window.scrollX}px`;
  });
  if (!selected) return null;
  return (
    <button
      type="button"
      class="main bubble"
      ref={button}
      // Pressing it must not take the selection away.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => props.comment(selected)}
    >
      {props.word('commentOnSelection')}
    </button>
  );
}
