import type { Wanted } from './searchQuery';

/** Okapi BM25's usual constants: how soon repetition saturates, and how much a text's length matters. */
const K1 = 1.2;
const B = 0.75;

/**
 * The rowids of the matches, best first: those that have all that is required before the others, then by BM25 with
 * weighted columns (a hit counts for what its column and the shortness of the text there say; repetition then
 * saturates once for all columns together); of equals the first given.
 *
 * `facts` holds SQLite's matchinfo 'nayl' of each row, one after another: the number of indexed rows, the average
 * length of each column, the hits of each phrase in each column, and the length of each column, all 32 bits wide.
 */
export function rankMatches(rowids: number[], facts: Uint32Array, wanted: Wanted[], columnWeights: number[]): number[] {
  const columns = columnWeights.length;
  const phrases = wanted.flatMap(({ spellings, required }, group) =>
    spellings.map(({ weight }) => ({ weight, group: required ? group : -1 })),
  );
  const hits = 1 + columns;
  const lengths = hits + phrases.length * columns;
  const stride = lengths + columns;

  const rarity = phrases.map((_, phrase) => {
    let found = 0;
    for (let row = 0; row < rowids.length; row++) {
      const base = row * stride + hits + phrase * columns;
      if (facts.subarray(base, base + columns).some((count) => count > 0)) found++;
    }
    const rows = facts[0] as number;
    return Math.log(1 + (rows - found + 0.5) / (found + 0.5));
  });

  const required = wanted.filter((one) => one.required).length;
  const scored = rowids.map((rowid, row) => {
    const start = row * stride;
    const groups = new Set<number>();
    let score = 0;
    for (const [phrase, { weight, group }] of phrases.entries()) {
      let frequency = 0;
      for (let column = 0; column < columns; column++) {
        const count = facts[start + hits + phrase * columns + column] as number;
        if (count === 0) continue;
        const length = (facts[start + lengths + column] as number) / Math.max(1, facts[start + 1 + column] as number);
        frequency += ((columnWeights[column] as number) * count) / (1 - B + B * length);
      }
      if (frequency === 0) continue;
      if (group >= 0) groups.add(group);
      score += (weight * (rarity[phrase] as number) * frequency * (K1 + 1)) / (frequency + K1);
    }
    return { rowid, score, complete: groups.size === required };
  });
  scored.sort((a, b) => Number(b.complete) - Number(a.complete) || b.score - a.score);
  return scored.map(({ rowid }) => rowid);
}
