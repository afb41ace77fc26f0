import { wordChanges } from './wordChanges';

/** Between the rows of a table or the items of a list nothing but rows and items may stand. */
const NO_TEXT = new Set(['TABLE', 'THEAD', 'TBODY', 'TR', 'UL', 'OL']);

/**
 * Marks in a rendered passage what differs from an older rendering: `<ins>` around new words, `<del>` with those that
 * stood there before.
 *
 * @returns false if the words are the same, so that only their formatting or targets of links can have changed
 */
export function markWords(passage: HTMLElement, before: HTMLElement): boolean {
  const changes = wordChanges(before.textContent ?? '', passage.textContent ?? '');
  // From the end, so that the offsets of those before stay right.
  for (const { start, end, removed } of changes.reverse()) {
    const pieces = end > start ? wrap(passage, start, end) : [];
    if (removed.trim() === '') continue;
    const mark = document.createElement('del');
    mark.textContent = removed;
    const first = pieces[0];
    if (first) first.before(mark);
    else insertAt(passage, start, mark);
  }
  return changes.length > 0;
}

function wrap(passage: HTMLElement, start: number, end: number): HTMLElement[] {
  return textNodes(passage).flatMap(({ node, at }) => {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, node.length);
    if (from >= to || node.data.slice(from, to).trim() === '') return [];
    const part = from > 0 ? node.splitText(from) : node;
    if (to - from < part.length) part.splitText(to - from);
    const mark = document.createElement('ins');
    part.replaceWith(mark);
    mark.append(part);
    return mark;
  });
}

function insertAt(passage: HTMLElement, offset: number, mark: HTMLElement): void {
  const nodes = textNodes(passage);
  const place = nodes.find(({ node, at }) => offset >= at && offset <= at + node.length) ?? nodes.at(-1);
  if (!place) {
    passage.append(mark);
    return;
  }
  const inside = Math.min(Math.max(offset - place.at, 0), place.node.length);
  if (inside === place.node.length) place.node.after(mark);
  else place.node.splitText(inside).before(mark);
}

/** `at`: characters of the passage before the node. Nodes that hold no text one could mark are left out. */
function textNodes(passage: HTMLElement): { node: Text; at: number }[] {
  const walker = document.createTreeWalker(passage, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; at: number }[] = [];
  let at = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!NO_TEXT.has(node.parentElement?.tagName ?? '')) nodes.push({ node, at });
    at += node.length;
  }
  return nodes;
}
