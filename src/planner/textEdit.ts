/** One replacement: the characters from `start` up to `end` of a text become `insert`. Offsets count UTF-16 units. */
export interface TextEdit {
  start: number;
  end: number;
  insert: string;
}

/** The smallest single replacement that makes `from` into `to`; undefined if they are equal. Never splits a character. */
export function editBetween(from: string, to: string): TextEdit | undefined {
  if (from === to) return undefined;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  if (start > 0 && isHighSurrogate(from.charCodeAt(start - 1))) start--;
  let kept = 0;
  while (kept < shorter - start && from.charCodeAt(from.length - kept - 1) === to.charCodeAt(to.length - kept - 1)) {
    kept++;
  }
  if (kept > 0 && isLowSurrogate(from.charCodeAt(from.length - kept))) kept--;
  return { start, end: from.length - kept, insert: to.slice(start, to.length - kept) };
}

export function applyEdit(text: string, edit: TextEdit): string {
  return text.slice(0, edit.start) + edit.insert + text.slice(edit.end);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
