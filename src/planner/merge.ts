import { diffLines, type LineHunk } from './lineDiff';

export type Merged = { kind: 'merged'; text: string } | { kind: 'conflict' };

const CONFLICT: Merged = { kind: 'conflict' };

/**
 * Brings together two versions of a text that began as `base`: each one's changed lines, if they are not the same lines.
 * Lines that both added at the same place are a conflict, unless `keepAdditions`: then theirs come first, mine after.
 */
export function mergeTexts(
  base: string,
  mine: string,
  theirs: string,
  options: { keepAdditions?: boolean } = {},
): Merged {
  if (mine === theirs || base === theirs) return { kind: 'merged', text: mine };
  if (base === mine) return { kind: 'merged', text: theirs };
  const [baseLines, myLines, theirLines] = [splitLines(base), splitLines(mine), splitLines(theirs)];
  const changes = [
    ...diffLines(baseLines, theirLines).map((hunk) => change(hunk, theirLines)),
    ...diffLines(baseLines, myLines).map((hunk) => change(hunk, myLines)),
  ].sort((a, b) => a.start - b.start || a.end - b.end);

  let lines: string[] = [];
  let done = 0;
  let last: Change | undefined;
  for (const next of changes) {
    if (last && same(last, next)) continue;
    if (last && collide(last, next, options.keepAdditions ?? false)) return CONFLICT;
    lines = lines.concat(baseLines.slice(done, next.start), next.lines);
    done = next.end;
    last = next;
  }
  return { kind: 'merged', text: lines.concat(baseLines.slice(done)).join('\n') };
}

/** Every line of both versions, for a person to sort out by hand: common ones once, elsewhere mine before theirs. */
export function keepBoth(mine: string, theirs: string): string {
  if (mine.trim() === '') return theirs;
  if (theirs.trim() === '') return mine;
  const [myLines, theirLines] = [splitLines(mine), splitLines(theirs)];
  const hunks = diffLines(myLines, theirLines);
  // With nothing in common they are texts of their own, not variants of one.
  const isWhole = hunks.some(({ oldStart, oldEnd }) => oldEnd - oldStart === myLines.length);
  if (isWhole) return `${mine}\n\n${theirs}`;
  let lines: string[] = [];
  let done = 0;
  for (const { oldEnd, newStart, newEnd } of hunks) {
    lines = lines.concat(myLines.slice(done, oldEnd), theirLines.slice(newStart, newEnd));
    done = oldEnd;
  }
  return lines.concat(myLines.slice(done)).join('\n');
}

/** Lines `[start, end)` of the base become `lines`. */
interface Change {
  start: number;
  end: number;
  lines: string[];
}

function change(hunk: LineHunk, source: readonly string[]): Change {
  return { start: hunk.oldStart, end: hunk.oldEnd, lines: source.slice(hunk.newStart, hunk.newEnd) };
}

function same(a: Change, b: Change): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join('\n') === b.lines.join('\n');
}

function collide(earlier: Change, later: Change, keepAdditions: boolean): boolean {
  const bothAdd = earlier.start === earlier.end && later.start === later.end && earlier.start === later.start;
  return bothAdd ? !keepAdditions : later.start < earlier.end;
}

/** An empty text has no lines: what is written into it is an addition, not a change of an empty line. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
