/**
 * How text becomes search terms, for the index and for queries alike. The terms hold nothing but letters, digits and
 * pictographs, so the index's own tokenizer has only to split at spaces.
 */

/** Scripts written without spaces between words (Korean has some, but also endings); indexed by pairs of characters. */
const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
const WORD = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`;
/** What joins the parts of one identifier, file name or hyphenated word. */
const JOINT = "(?:::|->|[-_./\\\\:@'’])";

const UNITS = new RegExp(`([${UNSPACED}]+)|(${WORD}(?:${JOINT}${WORD})*)|(\\p{Extended_Pictographic})`, 'gu');
const ASCII_UNITS = /()([A-Za-z0-9]+(?:(?:::|->|[-_./\\:@'])[A-Za-z0-9]+)*)/g;
const PARTS = /\p{Lu}+(?!\p{Ll})[\p{N}\p{M}]*|\p{Lu}?[^\p{Lu}]+|./gu;
const ASCII_PARTS = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^A-Z]+|./g;
/** Most words; only for speed. */
const PLAIN_WORD = /^[A-Z]?[a-z0-9]{1,50}$/;
/** Words of ASCII text that aren't one plain word: joined by something, with capitals inside, or very long. */
const COMPOUNDS =
  /(?<![A-Za-z0-9])(?!(?:[A-Z]?[a-z0-9]{1,50}|[A-Z]{1,50})(?![A-Za-z0-9]|(?:::|->|[-_./\\:@'])[A-Za-z0-9]))[A-Za-z0-9]+(?:(?:::|->|[-_./\\:@'])[A-Za-z0-9]+)*/g;
const JOINTS = /[^\p{L}\p{N}\p{M}]+/u;

const ASCII = /^[\0-\x7f]*$/;
/** The accents themselves, set apart by decomposition. Vowel signs of Indic scripts stay. */
const ACCENTS = /[\u0300-\u036f]/g;
const UNDECOMPOSED = /[ßæœøđðþłıς]/g;
const FOLDED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};

/** A longer joined name is found by its parts alone: nobody types a whole path as one word. */
const LONGEST_WHOLE = 64;
/** Base64 and the like must not fill the index. */
const LONGEST_TERM = 100;

export type Unit =
  /** A word, or an identifier of several `parts`; `whole` has them joined, so that `user_id` and `userId` are one. */
  | { kind: 'word'; whole: string; parts: string[] }
  /** A run of characters without spaces. */
  | { kind: 'run'; characters: string[] };

/** The words, identifiers and runs of a text, in order. */
export function* unitsOf(text: string): Generator<Unit> {
  const ascii = ASCII.test(text);
  const clean = ascii ? text : text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  for (const [, run, word, pictograph] of clean.matchAll(ascii ? ASCII_UNITS : UNITS)) {
    if (word !== undefined) yield wordUnit(word, ascii);
    else if (pictograph !== undefined) yield { kind: 'word', whole: pictograph, parts: [pictograph] };
    else yield { kind: 'run', characters: Array.from(run as string) };
  }
}

function wordUnit(word: string, ascii: boolean): Unit {
  if (PLAIN_WORD.test(word)) {
    const term = word.toLowerCase();
    return { kind: 'word', whole: term, parts: [term] };
  }
  const parts: string[] = [];
  for (const segment of word.split(JOINTS)) {
    for (const [part] of segment.matchAll(ascii ? ASCII_PARTS : PARTS))
      parts.push(lower(part, ascii).slice(0, LONGEST_TERM));
  }
  return { kind: 'word', whole: parts.join(''), parts };
}

function lower(text: string, ascii: boolean): string {
  if (ascii) return text.toLowerCase();
  return text
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(UNDECOMPOSED, (letter) => FOLDED[letter] as string);
}

/**
 * A text made so that the index's tokenizer, which takes each run of ASCII letters and digits for a term and ignores case,
 * finds in it the terms under which it is to be found. Most lines can stay as they are.
 */
export function indexText(text: string | null): string {
  if (text === null || text === '') return '';
  if (ASCII.test(text)) return text.replace(COMPOUNDS, termsOf);
  return text
    .split('\n')
    .map((line) => (ASCII.test(line) ? line.replace(COMPOUNDS, termsOf) : termsOf(line)))
    .join('\n');
}

/** The terms of a text, separated by spaces. */
export function termsOf(text: string): string {
  const terms: string[] = [];
  for (const unit of unitsOf(text)) {
    // Term by term: a unit of a long text has more of them than a call may have arguments.
    for (const term of termsOfUnit(unit)) terms.push(term);
  }
  return terms.join(' ');
}

function termsOfUnit(unit: Unit): string[] {
  if (unit.kind === 'run') return [...pairs(unit.characters), unit.characters.at(-1) as string];
  const { whole, parts } = unit;
  return parts.length > 1 && whole.length <= LONGEST_WHOLE ? [whole, ...parts] : parts;
}

/** Neighbouring characters in pairs. */
export function pairs(characters: string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
