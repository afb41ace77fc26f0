/** Fenced code blocks of Markdown (CommonMark 4.5), outside of lists and quotes. */

const OPENING = /^ {0,3}(`{3,})[^`]*$|^ {0,3}(~{3,})/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

export interface ClosedFence {
  /** Index of the closing line. */
  end: number;
}

export function opensFence(line: string): boolean {
  return OPENING.test(line);
}

/**
 * A function that says, for a line outside of any fenced block, whether a block begins there that a later line closes.
 * It is to be asked in ascending order: it remembers which fences nothing closes, so that a text of nothing but opening
 * fences doesn't take quadratic time.
 */
export function findClosedFence(lines: readonly string[]): (index: number) => ClosedFence | undefined {
  const shortestUnclosed: Record<string, number> = { '`': Number.POSITIVE_INFINITY, '~': Number.POSITIVE_INFINITY };
  return (index) => {
    const opening = OPENING.exec(lines[index] as string);
    const fence = opening?.[1] ?? opening?.[2];
    if (fence === undefined) return undefined;
    const kind = fence[0] as string;
    if (fence.length >= (shortestUnclosed[kind] as number)) return undefined;
    for (let end = index + 1; end < lines.length; end++) {
      const closing = CLOSING.exec(lines[end] as string)?.[1];
      if (closing?.startsWith(fence)) return { end };
    }
    shortestUnclosed[kind] = fence.length;
    return undefined;
  };
}
