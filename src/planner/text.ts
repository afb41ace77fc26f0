import { PlannerError } from './errors';
import type { PlanSections, SectionName } from './model';

/** Half of a surrogate pair has no UTF-8 form: it would come back from a file as something else. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** LF line ends, no blank lines around the text; otherwise kept to the byte, leading and trailing spaces too. */
export function normalizeText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let start = 0;
  let end = lines.length;
  while (start < end && isBlank(lines[start] as string)) start++;
  while (end > start && isBlank(lines[end - 1] as string)) end--;
  return lines.slice(start, end).join('\n').replace(LONE_SURROGATES, '\uFFFD');
}

/** Characters of one text. Seven sections of them, in any script, make a file that is still read as a plan's. */
const LONGEST_TEXT = 1_000_000;

/** VALIDATION_ERROR naming `field` if the text is longer than any plan needs. */
export function checkLength(
  field: string,
  text: string,
  longest = LONGEST_TEXT,
  advice = 'Shorten it, or put it into a file of the project and name that.',
): void {
  if (text.length <= longest) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `${field} would have ${text.length} characters; at most ${longest} are kept.`,
    advice,
  );
}

/** Text as it enters the store. VALIDATION_ERROR naming `field` if it holds a NUL or is far too long. */
export function enteringText(field: string, text: string, longest?: number): string {
  checkLength(field, text, longest);
  if (text.includes('\0')) {
    throw new PlannerError(
      'VALIDATION_ERROR',
      `${field} contains a NUL character.`,
      `Remove the NUL character from ${field} and call again.`,
    );
  }
  return normalizeText(text);
}

/** The same for a text that must say something. */
export function requiredText(field: string, text: string, longest?: number): string {
  const entered = enteringText(field, text, longest);
  if (entered === '') {
    throw new PlannerError('VALIDATION_ERROR', `${field} is empty.`, `Give a text for ${field} and call again.`, {
      matter: { kind: 'emptyText', field },
    });
  }
  return entered;
}

/** What each section is called in tool input, for messages. */
export const FIELD_NAMES: Record<SectionName, string> = {
  context: 'context',
  goal: 'goal',
  inputs: 'inputs',
  outputs: 'outputs',
  approach: 'approach',
  successCriteria: 'success_criteria',
  notes: 'notes',
};

export const SECTION_NAMES = Object.keys(FIELD_NAMES) as SectionName[];

export const EMPTY_SECTIONS: Readonly<PlanSections> = {
  context: '',
  goal: '',
  inputs: '',
  outputs: '',
  approach: '',
  successCriteria: '',
  notes: '',
};

/** The sections that are given, as they enter the store; the goal, if given, must say something. `prefix` names the plan in messages. */
export function enteringSections(
  sections: Partial<PlanSections>,
  prefix = '',
  longest?: number,
): Partial<PlanSections> {
  const entered: Partial<PlanSections> = {};
  for (const name of SECTION_NAMES) {
    const text = sections[name];
    if (text === undefined) continue;
    const field = prefix + FIELD_NAMES[name];
    entered[name] = name === 'goal' ? requiredText(field, text, longest) : enteringText(field, text, longest);
  }
  return entered;
}

/** Without what would move a terminal's cursor or turn the direction of the words around it. */
export function legible(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/[\u202A-\u202E\u2066-\u2069]/g, '');
}

/** JSON of the same meaning in which nothing acts on a terminal or turns the order of characters round. */
export function legibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** One line of at most `limit` characters, for messages that name a plan or a task by its text. */
export function excerpt(text: string, limit = 100): string {
  return shortened(legible(text).replace(/\s+/g, ' ').trim(), limit);
}

/** The line, or its beginning and "…": at most `limit` characters, none of them split. */
export function shortened(line: string, limit: number): string {
  const characters = Array.from(line.slice(0, 2 * limit + 2));
  if (characters.length <= limit) return line;
  const beginning = characters.slice(0, limit - 1).join('');
  // No "word:…" and no "word,…".
  return `${beginning.replace(/[\s,;:]+$/, '')}…`;
}

/** What a plan is about, as its first line says, without the marks of a heading or list; '' if no line says anything. */
export function planTitle(plan: string): string {
  const line = plan.split('\n').find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
  return line.replace(/^\s{0,3}(#+|[-*+]|\d+[.)])\s+/, '').trim();
}

const ENUMERATED = 10;

/** An enumeration that stays readable however many there are. */
export function firstOf(all: readonly string[], separator: string): string {
  const more = all.length - ENUMERATED;
  return more > 1 ? `${all.slice(0, ENUMERATED).join(separator)}${separator}and ${more} more` : all.join(separator);
}
