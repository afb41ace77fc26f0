import type { Wanted } from './searchQuery';

/**
 * Okapi BM25's constants: how soon repetition saturates, and how much a text's length matters. Measured: with package
 * descriptions as queries for their READMEs, a little slower saturation than the usual 1.2 finds more.
 */
const K1 = 1.6;
const B = 0.75;

/** What SQLite says of the matches of a query. */
export interface Matches {
  rowids: number[];
  /**
   * Its matchinfo 'nayl' of each, one after another: the number of indexed rows, the average length of each column, the
   * hits of each phrase in each column, and the length of each column, all 32 bits wide.
   */
  facts: Uint32Array;
}

/**
 * The best matches first, at most `limit`: those that have all that is required before the others, then by BM25 with
 * weighted columns (a hit counts for what its column and the shortness of the text there say; repetition then saturates
 * once for all columns together); of equals the first given. Runs over thousands of matches, hence the plain loops.
 */
export function rankMatches(
  { rowids, facts }: Matches,
  wanted: Wanted[],
  columnWeights: number[],
  limit: number,
): number[] {
  const columns = columnWeights.length;
  const phrases = wanted.flatMap(({ spellings, required }, group) =>
    spellings.map(({ weight }) => ({ weight, group: required ? group : -1 })),
  );
  const hits = 1 + columns;
  const lengths = hits + phrases.length * columns;
  const stride = lengths + columns;
  const required = wanted.filter((one) => one.required).length;

  /** How much is in the row of a phrase. */
  const frequencyOf = (start: number, phrase: number): number => {
    let frequency = 0;
    for (let column = 0; column < columns; column++) {
      const count = facts[start + hits + phrase * columns + column] as number;
      if (count === 0) continue;
      const length = (facts[start + lengths + column] as number) / Math.max(1, facts[start + 1 + column] as number);
      frequency += ((columnWeights[column] as number) * count) / (1 - B + B * length);
    }
    return frequency;
  };

  const rarity = phrases.map((_, phrase) => {
    let found = 0;
    for (let start = 0; start < facts.length; start += stride) if (frequencyOf(start, phrase) > 0) found++;
    const rows = facts[0] ?? 0;
    return Math.log(1 + (rows - found + 0.5) / (found + 0.5));
  });

  const best: { rowid: number; score: number; isComplete: boolean }[] = [];
  for (const [row, rowid] of rowids.entries()) {
    let score = 0;
    let groups = 0;
    let lastGroup = -1;
    for (const [phrase, { weight, group }] of phrases.entries()) {
      const frequency = frequencyOf(row * stride, phrase);
      if (frequency === 0) continue;
      score += (weight * (rarity[phrase] as number) * frequency * (K1 + 1)) / (frequency + K1);
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
  return isComplete === than.isComplete ? score > than.score : isComplete;
}
