import { diffLines, type LineHunk } from './lineDiff';

/** Unchanged lines shown around a change. */
const AROUND = 2;

/** How `before` became `after`, as the hunks of a unified diff; '' if they are equal. */
export function unifiedDiff(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return groups(diffLines(old, now), old.length)
    .map((hunks) => {
      const [first, last] = [hunks[0] as LineHunk, hunks.at(-1) as LineHunk];
      const from = Math.max(0, first.oldStart - AROUND);
      const to = Math.min(old.length, last.oldEnd + AROUND);
      const shift = first.newStart - first.oldStart;
      const lines: string[] = [];
      let done = from;
      const keepUpTo = (end: number) => {
        for (; done < end; done++) lines.push(` ${old[done]}`);
      };
      for (const hunk of hunks) {
        keepUpTo(hunk.oldStart);
        for (const line of old.slice(hunk.oldStart, hunk.oldEnd)) lines.push(`-${line}`);
        for (const line of now.slice(hunk.newStart, hunk.newEnd)) lines.push(`+${line}`);
        done = hunk.oldEnd;
      }
      keepUpTo(to);
      const length = to - last.oldEnd + last.newEnd - (from + shift);
      return [`@@ -${from + 1},${to - from} +${from + shift + 1},${length} @@`, ...lines].join('\n');
    })
    .join('\n');
}

/** Changes so close together that their surroundings touch are shown as one. */
function groups(hunks: readonly LineHunk[], lineCount: number): LineHunk[][] {
  const result: LineHunk[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const hunk of hunks) {
    if (hunk.oldStart - AROUND <= end) result.at(-1)?.push(hunk);
    else result.push([hunk]);
    end = Math.min(lineCount, hunk.oldEnd + AROUND);
  }
  return result;
}
