import type { Wanted } from './searchQuery';

/**
 * Okapi BM25's constants: how soon repetition saturates, and how much a text's length matters. Measured: with package
 * descriptions as queries for their READMEs, a little slower saturation than the usual 1.2 finds more.
 */
const K1 = 1.6;
const B = 0.75;

/** What the index says of the plans that a query matches. */
export interface Matches {
  /** Ascending. */
  rowids: number[];
  /** Of each match the hits of each phrase in each column. */
  hits: Uint32Array;
  /** Of each match the number of terms in each column. */
  lengths: Uint32Array;
  /** All indexed plans, and their average lengths. */
  all: { plans: number; lengths: number[] };
  /** The rowids to rank, if not all matches. The others still tell how rare a phrase is. */
  allowed: Set<number> | undefined;
}

/**
 * The best matches first, at most `limit`: those that have all that is required before the others, then by BM25 with
 * weighted columns (a hit counts for what its column and the shortness of the text there say; repetition then saturates
 * once for all columns together); of equals the newer. Runs over thousands of matches, hence the plain loops.
 */
export function rankMatches(
  { rowids, hits, lengths, all, allowed }: Matches,
  wanted: Wanted[],
  columnWeights: number[],
  limit: number,
): number[] {
  const columns = columnWeights.length;
  const phrases = wanted.flatMap(({ spellings, required }, group) =>
    spellings.map(({ weight }) => ({ weight, group: required ? group : -1 })),
  );
  const required = wanted.filter((one) => one.required).length;

  /** How much of each phrase is in each match, and in how many matches it is. */
  const frequencies = new Float64Array(rowids.length * phrases.length);
  const found = new Uint32Array(phrases.length);
  for (let cell = 0; cell < frequencies.length; cell++) {
    const match = Math.floor(cell / phrases.length);
    let frequency = 0;
    for (let column = 0; column < columns; column++) {
      const count = hits[cell * columns + column] as number;
      if (count === 0) continue;
      const length = (lengths[match * columns + column] as number) / Math.max(1, all.lengths[column] as number);
      frequency += ((columnWeights[column] as number) * count) / (1 - B + B * length);
    }
    if (frequency === 0) continue;
    frequencies[cell] = frequency;
    (found[cell % phrases.length] as number)++;
  }
  const rarities = Array.from(found, (plans) => Math.log(1 + (all.plans - plans + 0.5) / (plans + 0.5)));

  const best: { rowid: number; score: number; isComplete: boolean }[] = [];
  for (const [match, rowid] of rowids.entries()) {
    if (allowed && !allowed.has(rowid)) continue;
    let score = 0;
    let groups = 0;
    let lastGroup = -1;
    for (let phrase = 0; phrase < phrases.length; phrase++) {
      const frequency = frequencies[match * phrases.length + phrase] as number;
      if (frequency === 0) continue;
      const { weight, group } = phrases[phrase] as (typeof phrases)[0];
      score += (weight * (rarities[phrase] as number) * frequency * (K1 + 1)) / (frequency + K1);
      // The spellings of a group stand together.
      if (group > lastGroup) {
        lastGroup = group;
        groups++;
      }
    }
    const isComplete = groups === required;
    let place = best.length;
    while (place > 0 && isBetter(isComplete, score, best[place - 1] as (typeof best)[0])) place--;
    if (place >= limit) continue;
    best.splice(place, 0, { rowid, score, isComplete });
    if (best.length > limit) best.pop();
  }
  return best.map(({ rowid }) => rowid);
}

function isBetter(isComplete: boolean, score: number, than: { score: number; isComplete: boolean }): boolean {
  return isComplete === than.isComplete ? score >= than.score : isComplete;
}
