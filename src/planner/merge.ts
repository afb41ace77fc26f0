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

/** Both versions, one after the other, for a person who wants to sort it out by hand. */
export function keepBoth(mine: string, theirs: string): string {
  return [mine, theirs].filter((text) => text.trim() !== '').join('\n\n');
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
