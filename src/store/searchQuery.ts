import { pairs, type Unit, unitsOf } from './searchText';

/** Something that a query asks for. */
export interface Wanted {
  /** Each a phrase of the index's query language; finding one of them is finding it. */
  spellings: { phrase: string; weight: number }[];
  /** The index's terms that it consists of. */
  terms: string[];
  /** False for the parts of an identifier or of a run, which are wanted for themselves only second to the whole. */
  required: boolean;
}

/** Of a long query, a whole README perhaps, the first distinct terms are looked at. */
const LONGEST_QUERY = 200;
/** Characters; one word without an end would be thousands of terms. */
const LONGEST_TEXT = 10_000;
const SHORTEST_PREFIX = 3;
/** Words found only as the beginning of longer ones count less, and so do the parts of a name. */
const PREFIX_WEIGHT = 0.4;
const PART_WEIGHT = 0.15;

/** What a query asks for, each once. Any string is a query: it is taken for text, not for a language. */
export function parseQuery(query: string): Wanted[] {
  const wanted = new Map<string, Wanted>();
  const add = (one: Wanted): void => {
    const key = one.spellings[0]?.phrase as string;
    if (one.required || !wanted.has(key)) wanted.set(key, one);
  };
  for (const unit of unitsOf(query.slice(0, LONGEST_TEXT))) {
    const whole = wholeOf(unit);
    add(whole);
    if (whole.terms.length > 1) for (const term of whole.terms) add(partOf(term));
    if (wanted.size >= LONGEST_QUERY) break;
  }
  return [...wanted.values()];
}

/** Also finds longer words that begin with this one. */
export function withPrefix(wanted: Wanted): Wanted {
  const phrase = wanted.spellings[0]?.phrase ?? '';
  if (phrase.length < SHORTEST_PREFIX || phrase.includes(' ') || phrase.endsWith('*')) return wanted;
  return { ...wanted, spellings: [...wanted.spellings, { phrase: `${phrase}*`, weight: PREFIX_WEIGHT }] };
}

function wholeOf(unit: Unit): Wanted {
  if (unit.kind === 'word') {
    const spellings = [{ phrase: unit.whole, weight: 1 }];
    if (unit.parts.length > 1) spellings.push({ phrase: unit.parts.join(' '), weight: PART_WEIGHT });
    return { spellings, terms: unit.parts, required: true };
  }
  const terms = pairs(unit.characters);
  if (terms.length > 0) return { spellings: [{ phrase: terms.join(' '), weight: 1 }], terms, required: true };
  // A single character begins a pair, or ends a run and stands alone.
  const [character] = unit.characters as [string];
  return { spellings: [{ phrase: `${character}*`, weight: 1 }], terms: [character], required: true };
}

function partOf(term: string): Wanted {
  return { spellings: [{ phrase: term, weight: PART_WEIGHT }], terms: [term], required: false };
}
