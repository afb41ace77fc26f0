/*
 * Answers are paid for by the word, so lists show the beginnings of long texts; the whole is had by asking for one item.
 */

/** Characters of a text that an answer about one thing shows, where another tool reads all of it. */
export const GOAL_SHOWN = 300;
export const TASK_SHOWN = 3_000;

/** The text, or its beginning and "…"; at most `limit` characters. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${wholeCharacters(text.slice(0, limit - 1))}…`;
}

/** How many characters each of `count` texts may have if all share `budget`; between `least` and `most`. */
export function shareOf(budget: number, count: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(budget / Math.max(count, 1))));
}

/** At most `limit` characters, from shortly before the first word of `query` that is found in the text. */
export function excerptAround(text: string, query: string, limit: number): string {
  if (text.length <= limit) return text;
  const lower = text.toLowerCase();
  const places = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word.length > 2)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const start = Math.max(0, Math.min(first - Math.floor(limit / 4), text.length - limit + 1));
  if (start === 0) return cut(text, limit);
  return cut(`…${wholeCharacters(text.slice(start))}`, limit);
}

/** Without the half of a surrogate pair that cutting leaves at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
