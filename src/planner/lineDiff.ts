/** Lines `[oldStart, oldEnd)` of the old text stand for lines `[newStart, newEnd)` of the new one. */
export interface LineHunk {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Beyond this many differing lines the rest counts as one hunk: time and memory grow with its square. */
const MOST_DIFFERENCES = 1500;

/** The changed lines between two texts, in order (Myers, "An O(ND) Difference Algorithm", 1986). */
export function diffLines(before: readonly string[], after: readonly string[]): LineHunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let kept = 0;
  while (
    kept < Math.min(before.length, after.length) - start &&
    before[before.length - kept - 1] === after[after.length - kept - 1]
  ) {
    kept++;
  }
  const old = before.slice(start, before.length - kept);
  const now = after.slice(start, after.length - kept);
  if (old.length === 0 && now.length === 0) return [];
  const whole = { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: now.length };
  const hunks = old.length === 0 || now.length === 0 ? [whole] : (shortestScript(old, now) ?? [whole]);
  return hunks.map((hunk) => ({
    oldStart: hunk.oldStart + start,
    oldEnd: hunk.oldEnd + start,
    newStart: hunk.newStart + start,
    newEnd: hunk.newEnd + start,
  }));
}

function shortestScript(old: readonly string[], now: readonly string[]): LineHunk[] | undefined {
  const most = Math.min(old.length + now.length, MOST_DIFFERENCES);
  // furthest[k + offset]: how many old lines the furthest path on diagonal k has passed.
  const offset = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    rounds.push(furthest.slice(offset - d - 1, offset + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(furthest, k - 1 + offset) < at(furthest, k + 1 + offset));
      let x = down ? at(furthest, k + 1 + offset) : at(furthest, k - 1 + offset) + 1;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      furthest[k + offset] = x;
      if (x >= old.length && x - k >= now.length) return backtrack(rounds, old.length, now.length);
    }
  }
  return undefined;
}

function backtrack(rounds: readonly Int32Array[], oldLength: number, newLength: number): LineHunk[] {
  const hunks: LineHunk[] = [];
  let x = oldLength;
  let y = newLength;
  for (let d = rounds.length - 1; d > 0; d--) {
    const round = rounds[d] as Int32Array;
    const k = x - y;
    const down = k === -d || (k !== d && at(round, k - 1 + d + 1) < at(round, k + 1 + d + 1));
    const previousK = down ? k + 1 : k - 1;
    const previousX = at(round, previousK + d + 1);
    const previousY = previousX - previousK;
    const step = down
      ? { oldStart: previousX, oldEnd: previousX, newStart: previousY, newEnd: previousY + 1 }
      : { oldStart: previousX, oldEnd: previousX + 1, newStart: previousY, newEnd: previousY };
    const next = hunks[0];
    if (next && next.oldStart === step.oldEnd && next.newStart === step.newEnd) {
      next.oldStart = step.oldStart;
      next.newStart = step.newStart;
    } else {
      hunks.unshift(step);
    }
    x = previousX;
    y = previousY;
  }
  return hunks;
}

function at(array: Int32Array, index: number): number {
  return array[index] as number;
}
