import type { Row } from './comparison';

/** A row that is shown, or rows `[from, to)` of which only the number is. */
export type Run = { row: number } | { from: number; to: number };

/** Unchanged passages that stay in sight beside a change. */
const AROUND = 1;
/** Fewer than this are shown rather than counted. */
const FEWEST = 3;

/** Leaves out long stretches in which nothing was changed and nothing said. */
export function runsOf(rows: readonly Row[], speaks: (row: number) => boolean, opened: ReadonlySet<number>): Run[] {
  const near = new Set<number>();
  rows.forEach((row, index) => {
    if (row.kind === 'same' && !speaks(index)) return;
    for (let i = index - AROUND; i <= index + AROUND; i++) near.add(i);
  });
  const runs: Run[] = [];
  let i = 0;
  while (i < rows.length) {
    let end = i;
    while (end < rows.length && !near.has(end)) end++;
    if (end - i >= FEWEST && !opened.has(i)) {
      runs.push({ from: i, to: end });
      i = end;
    } else {
      const stop = Math.max(end, i + 1);
      for (; i < stop; i++) runs.push({ row: i });
    }
  }
  return runs;
}
