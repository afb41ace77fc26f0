import type { Sql } from './sqlJs';

/** Beyond as many it is faster to read the lengths of all plans than to look each one up. */
const LOOKED_UP = 500;

/** How many terms each indexed plan has in each column, as the index keeps it for ranking. */
export class SearchLengths {
  constructor(
    private readonly sql: Sql,
    private readonly columns: number,
  ) {}

  /** Of each of `rowids`, which ascend, a number for each column. */
  of(rowids: number[]): Uint32Array {
    const isLookup = rowids.length <= LOOKED_UP;
    const found = this.sql.get<{ rowids: string | null; sizes: Uint8Array | null }>(
      `SELECT group_concat(docid, ' ') AS rowids, CAST(group_concat(size, '') AS BLOB) AS sizes FROM
         (SELECT docid, size FROM search_docsize
          ${isLookup ? 'WHERE docid IN (SELECT value FROM json_each(?))' : ''} ORDER BY docid LIMIT -1)`,
      ...(isLookup ? [JSON.stringify(rowids)] : []),
    );
    const lengths = new Uint32Array(rowids.length * this.columns);
    const numbers = varints(found?.sizes ?? new Uint8Array());
    let wanted = 0;
    for (const [row, each] of (found?.rowids?.split(' ') ?? []).entries()) {
      if (Number(each) !== rowids[wanted]) continue;
      for (let column = 0; column < this.columns; column++) {
        lengths[wanted * this.columns + column] = numbers[row * this.columns + column] ?? 0;
      }
      wanted++;
    }
    return lengths;
  }

  /** The number of plans, and what they have in each column on average. */
  averages(): { plans: number; lengths: number[] } {
    const statistics = this.sql.value<Uint8Array>('SELECT value FROM search_stat WHERE id = 0');
    const [plans = 0, ...totals] = varints(statistics ?? new Uint8Array());
    const lengths = Array.from({ length: this.columns }, (_, column) => (totals[column] ?? 0) / Math.max(1, plans));
    return { plans, lengths };
  }
}

/** SQLite's full-text tables write numbers in groups of seven bits, the low ones first. */
function varints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  let factor = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    value += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
    factor = 1;
  }
  return numbers;
}
