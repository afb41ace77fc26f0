import { diffLines } from '../../planner/lineDiff';
import type { ReviewComment } from '../../planner/model';
import type { MarkdownBlock } from '../markdown';
import { linesOf } from './quotes';
import { likeness, wordsIn } from './wordChanges';

/** One passage of two versions of a plan that are read as one text. */
export type Row =
  | { kind: 'added'; after: MarkdownBlock }
  | { kind: 'same' | 'changed'; before: MarkdownBlock; after: MarkdownBlock }
  | { kind: 'removed'; before: MarkdownBlock };

/** What became of the passage that a comment was about. */
export type PassageFate = 'unchanged' | 'changed' | 'removed';

export interface PlacedComment extends ReviewComment {
  fate: PassageFate;
}

/** Two passages are taken for versions of one if so much of their words is the same. */
const ALIKE = 0.4;
/** Beyond this many pairs in one place no versions are looked for: time grows with their number. */
const MOST_PAIRS = 40_000;

/** Brings two versions of a text together, passage by passage, in reading order. */
export function compareBlocks(before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]): Row[] {
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  const keepUpTo = (end: number) => {
    while (j < end)
      rows.push({ kind: 'same', before: before[i++] as MarkdownBlock, after: after[j++] as MarkdownBlock });
  };
  for (const hunk of diffLines(before.map(keyOf), after.map(keyOf))) {
    keepUpTo(hunk.newStart);
    rows.push(...pair(before.slice(hunk.oldStart, hunk.oldEnd), after.slice(hunk.newStart, hunk.newEnd)));
    [i, j] = [hunk.oldEnd, hunk.newEnd];
  }
  keepUpTo(after.length);
  return rows;
}

/** The comments on `before` by the index of the row that they are about; those without one stand under -1. */
export function placeComments(
  rows: readonly Row[],
  before: string,
  after: string,
  comments: readonly ReviewComment[],
): Map<number, PlacedComment[]> {
  const placed = new Map<number, PlacedComment[]>();
  for (const comment of comments) {
    const { row, fate } = whereabouts(rows, before, after, comment);
    placed.set(row, [...(placed.get(row) ?? []), { ...comment, fate }]);
  }
  return placed;
}

/** The row that a comment's own place became, before any other with the same words. */
function whereabouts(
  rows: readonly Row[],
  before: string,
  after: string,
  { quote, occurrence = 0 }: ReviewComment,
): { row: number; fate: PassageFate } {
  const [then, now] = [linesOf(before, quote), linesOf(after, quote)];
  const index = rowAt(rows, 'before', then[occurrence] ?? then.at(-1));
  const row = rows[index];
  if (row?.kind === 'same') return { row: index, fate: 'unchanged' };
  if (now.some((line) => row && rowAt([row], 'after', line) === 0)) return { row: index, fate: 'unchanged' };
  // The only place with these words may have moved.
  if (then.length < 2 && now.length > 0) return { row: rowAt(rows, 'after', now[0]), fate: 'unchanged' };
  return { row: index, fate: row?.kind === 'removed' ? 'removed' : 'changed' };
}

function rowAt(rows: readonly Row[], side: 'before' | 'after', line: number | undefined): number {
  if (line === undefined) return -1;
  return rows.findIndex((row) => {
    const block =
      side === 'after' ? ('after' in row ? row.after : undefined) : 'before' in row ? row.before : undefined;
    return block !== undefined && line >= block.start && line < block.end;
  });
}

/** The number of a list's item is no change of the item. */
function keyOf({ source }: MarkdownBlock): string {
  return source.replace(/^(\s{0,3})\d+([.)]\s)/, '$1#$2');
}

function pair(before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]): Row[] {
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  for (const [old, now] of [...versions(before, after), [before.length, after.length] as const]) {
    for (; i < old; i++) rows.push({ kind: 'removed', before: before[i] as MarkdownBlock });
    for (; j < now; j++) rows.push({ kind: 'added', after: after[j] as MarkdownBlock });
    if (i === before.length && j === after.length) break;
    rows.push({ kind: 'changed', before: before[i++] as MarkdownBlock, after: after[j++] as MarkdownBlock });
  }
  return rows;
}

/** The pairs, in order on both sides, that are most alike in all. */
function versions(before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]): [number, number][] {
  const [m, n] = [before.length, after.length];
  if (m === 0 || n === 0 || m * n > MOST_PAIRS) return [];
  const [old, now] = [before.map(read), after.map(read)];
  const alike = old.map((one) => now.map((other) => worth(one, other)));
  // best[i][j]: the most that can be had from the passages from i and j on.
  const best = Array.from({ length: m + 1 }, () => new Float64Array(n + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const both = (i: number, j: number) => (alike[i]?.[j] ? (alike[i]?.[j] ?? 0) + at(i + 1, j + 1) : -1);
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) (best[i] as Float64Array)[j] = Math.max(both(i, j), at(i + 1, j), at(i, j + 1));
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < m && j < n; ) {
    if (both(i, j) === at(i, j)) pairs.push([i++, j++]);
    else if (at(i + 1, j) === at(i, j)) i++;
    else j++;
  }
  return pairs;
}

interface ReadBlock {
  kind: string;
  words: string[];
}

function read({ source }: MarkdownBlock): ReadBlock {
  return { kind: kindOf(source), words: wordsIn(source) };
}

function worth(old: ReadBlock, now: ReadBlock): number {
  const value = old.kind === now.kind ? likeness(old.words, now.words) : 0;
  return value < ALIKE ? 0 : value;
}

const KINDS: readonly [string, RegExp][] = [
  ['heading', /^\s{0,3}#+\s/],
  ['fence', /^\s{0,3}(```|~~~)/],
  ['table', /^\s{0,3}\|/],
  ['quotation', /^\s{0,3}>/],
  ['item', /^\s{0,3}([-*+]|\d+[.)])\s/],
];

function kindOf(source: string): string {
  return KINDS.find(([, mark]) => mark.test(source))?.[0] ?? 'text';
}
