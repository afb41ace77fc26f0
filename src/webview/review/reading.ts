import type { ReviewComment } from '../../planner/model';
import { type MarkdownBlock, readMarkdown } from '../markdown';
import { compareBlocks, type PlacedComment, placeComments, type Row } from './comparison';
import type { DraftComment } from './protocol';
import { linesOf, nearest } from './quotes';

export interface Heading {
  row: number;
  /** 1 to 6. */
  level: number;
  text: string;
}

/** A plan as it is laid out for reading, by itself or against an older version. */
export interface Reading {
  text: string;
  rows: Row[];
  headings: Heading[];
  /** HTML that is safe to insert. */
  render(block: MarkdownBlock): string;
  renderOld(block: MarkdownBlock): string;
}

/** Characters of a heading in the outline, which shows one line of it. */
const LONGEST_HEADING = 200;

/** One passage a block; the steps of a list are passages of their own. */
const finely = { itemsInOneBlock: 1 };

export function readPlan(text: string): Reading {
  const { blocks, render } = readMarkdown(text, finely);
  const rows = blocks.map((block): Row => ({ kind: 'same', before: block, after: block }));
  return { text, rows, headings: headingsOf(rows), render, renderOld: render };
}

export function readChanges(before: string, after: string): Reading {
  const [old, now] = [readMarkdown(before, finely), readMarkdown(after, finely)];
  const rows = compareBlocks(old.blocks, now.blocks);
  return { text: after, rows, headings: headingsOf(rows), render: now.render, renderOld: old.render };
}

/** Comments on `before` by the rows of what became of it. */
export function commentsOn(
  reading: Reading,
  before: string,
  comments: readonly ReviewComment[],
): Map<number, PlacedComment[]> {
  return placeComments(reading.rows, before, reading.text, comments);
}

/** The row of a draft's comment, -1 if its passage isn't there. Its line tells two passages of the same words apart. */
export function rowOf(reading: Reading, comment: DraftComment): number {
  const lines = linesOf(reading.text, comment.quote);
  const first = comment.quote.split('\n', 1)[0] ?? '';
  const begins = reading.text.split('\n')[comment.line]?.includes(first) === true;
  const line = lines[nearest(lines, comment.line)] ?? (begins ? comment.line : undefined);
  if (line === undefined) return -1;
  return reading.rows.findIndex((row) => 'after' in row && line >= row.after.start && line < row.after.end);
}

/** The plan's source from one row to another; undefined if nothing of the present text is there. */
export function sourceOf(reading: Reading, from: number, to: number): { source: string; line: number } | undefined {
  const blocks = reading.rows.slice(from, to + 1).flatMap((row) => ('after' in row ? [row.after] : []));
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return undefined;
  return { source: reading.text.split('\n').slice(first.start, last.end).join('\n'), line: first.start };
}

function headingsOf(rows: readonly Row[]): Heading[] {
  return rows.flatMap((row, index) => {
    const match = 'after' in row ? /^\s{0,3}(#{1,6})\s+(.*)/.exec(row.after.source) : null;
    return match ? [{ row: index, level: match[1]?.length ?? 1, text: plain(unclosed(match[2] ?? '')) }] : [];
  });
}

/** Without the marks that may close a heading. A pattern for them would try every blank and mark of a long line. */
function unclosed(heading: string): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd().slice(0, LONGEST_HEADING);
}

/** Without the commonest marks, which would only be noise in a list of headings. */
function plain(text: string): string {
  return text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '');
}
