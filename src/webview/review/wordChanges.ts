import { diffLines } from '../../planner/lineDiff';

/** The characters `[start, end)` of the new text stand where `removed` stood in the old one. */
export interface WordChange {
  start: number;
  end: number;
  removed: string;
}

/** Scripts without spaces are compared by character. */
const CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const WORD = String.raw`(?:(?!${CHARACTER})[\p{L}\p{N}\p{M}_])+`;
const TOKEN = new RegExp(String.raw`${CHARACTER}|${WORD}|\n|[^\S\n]+|.`, 'gu');

/** The words that differ between two texts, in order. Changes with only blanks between them count as one. */
export function wordChanges(before: string, after: string): WordChange[] {
  const [old, now] = [tokens(before), tokens(after)];
  const [oldAt, newAt] = [offsets(old), offsets(now)];
  const changes: (WordChange & { oldStart: number; oldEnd: number })[] = [];
  for (const hunk of diffLines(old, now)) {
    const [start, end] = [newAt[hunk.newStart] ?? 0, newAt[hunk.newEnd] ?? 0];
    const [oldStart, oldEnd] = [oldAt[hunk.oldStart] ?? 0, oldAt[hunk.oldEnd] ?? 0];
    const last = changes.at(-1);
    const joins = last && /^[^\S\n]*$/.test(after.slice(last.end, start));
    if (joins) Object.assign(last, { end, oldEnd, removed: before.slice(last.oldStart, oldEnd) });
    else changes.push({ start, end, oldStart, oldEnd, removed: before.slice(oldStart, oldEnd) });
  }
  return changes.map(({ start, end, removed }) => ({ start, end, removed }));
}

/** The words of a text, without what stands between them. */
export function wordsIn(text: string): string[] {
  return tokens(text).filter((token) => /[\p{L}\p{N}]/u.test(token));
}

/** How many of the words of two texts are the same: 0 is none, 1 all. */
export function likeness(first: readonly string[], second: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of first) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of second) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    shared++;
  }
  const all = first.length + second.length;
  return all === 0 ? 1 : (2 * shared) / all;
}

function tokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function offsets(parts: readonly string[]): number[] {
  const result = [0];
  for (const part of parts) result.push((result.at(-1) ?? 0) + part.length);
  return result;
}
