import { passageOf, rowOfPassage } from './navigation';

export interface SelectedPassage {
  /** Rows, both included. */
  from: number;
  to: number;
  text: string;
  /** Where it is on the page, in pixels from the window's corner. */
  box: DOMRect;
}

/** What is selected in the plan; undefined if nothing is, or something beside it. */
export function selectedPassage(): SelectedPassage | undefined {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const ends = [range.startContainer, range.endContainer];
  if (ends.some((node) => (node instanceof Element ? node : node.parentElement)?.closest('.thread'))) return undefined;
  const [first, last] = ends.map(passageOf);
  const text = wordsOf(range, selection);
  if (!first || text.trim() === '') return undefined;
  // A triple click selects up to the beginning of what follows.
  const to = last && (range.endOffset > 0 || last === first) ? rowOfPassage(last) : rowOfPassage(first);
  return { from: rowOfPassage(first), to: Math.max(to, rowOfPassage(first)), text, box: range.getBoundingClientRect() };
}

/** Words that stood there before are no part of the plan. */
function wordsOf(range: Range, selection: Selection): string {
  const copy = range.cloneContents();
  const old = copy.querySelectorAll('del, .mark, .add');
  if (old.length === 0) return selection.toString();
  for (const one of old) one.remove();
  return copy.textContent ?? '';
}
