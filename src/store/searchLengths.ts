import type { Sql } from './sqlJs';

/** Beyond as many it is faster to read the lengths of all plans than to look each one up. */
const LOOKED_UP = 500;

/** How many terms each indexed plan has in each column, as the index keeps it for ranking. */
export class SearchLengths {
  /** By rowid and column, one more than the number; 0 where it isn't known. They are small and read for each search. */
  private known = new Uint32Array();

  constructor(
    private readonly sql: Sql,
    private readonly columns: number,
  ) {}

  /** To be called when the plan's place in the index changes. */
  forget(rowid: number): void {
    this.known.fill(0, rowid * this.columns, (rowid + 1) * this.columns);
  }

  /** Of each of `rowids`, which ascend, a number for each column. */
  of(rowids: number[]): Uint32Array {
    const { columns } = this;
    const unknown = rowids.filter((rowid) => !this.known[rowid * columns]);
    if (unknown.length > 0) this.learn(unknown);
    const lengths = new Uint32Array(rowids.length * columns);
    for (let at = 0; at < lengths.length; at++) {
      const column = at % columns;
      const rowid = rowids[(at - column) / columns] as number;
      lengths[at] = Math.max(1, this.known[rowid * columns + column] ?? 0) - 1;
    }
    return lengths;
  }

  private learn(rowids: number[]): void {
    const { columns } = this;
    const isLookup = rowids.length <= LOOKED_UP;
    const found = this.sql.get<{ rowids: string | null; sizes: Uint8Array | null }>(
      `SELECT group_concat(docid, ' ') AS rowids, CAST(group_concat(size, '') AS BLOB) AS sizes FROM
         (SELECT docid, size FROM search_docsize
          ${isLookup ? 'WHERE docid IN (SELECT value FROM json_each(?))' : ''} ORDER BY docid LIMIT -1)`,
      ...(isLookup ? [JSON.stringify(rowids)] : []),
    );
    const all = found?.rowids?.split(' ').map(Number) ?? [];
    const numbers = varints(found?.sizes ?? new Uint8Array());
    const needed = ((all.at(-1) ?? 0) + 1) * columns;
    if (needed > this.known.length) {
      const larger = new Uint32Array(needed * 1.5);
      larger.set(this.known);
      this.known = larger;
    }
    for (const [row, rowid] of all.entries()) {
      for (let column = 0; column < columns; column++) {
        this.known[rowid * columns + column] = (numbers[row * columns + column] ?? 0) + 1;
      }
    }
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
