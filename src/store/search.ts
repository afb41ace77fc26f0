import type { HistoryMatch } from '../planner/model';
import { parseQuery, type Wanted, withPrefix } from './searchQuery';
import { rankMatches } from './searchRanking';
import { indexText } from './searchText';
import type { Sql } from './sqlJs';

/**
 * The index over completed plans (seed, section 6.4). The text stays in `plans` alone: the index reads it through a view,
 * which also gives a row's old terms when it is removed. So a plan is removed *before* it changes.
 */
export const SEARCH_SCHEMA = `
CREATE VIEW search_text AS SELECT
  rowid AS rowid,
  index_text(goal) AS goal,
  index_text(outcome || ' ' || outputs) AS result,
  index_text(id || ' ' || inputs || ' ' || context || ' ' || approach || ' ' || success_criteria || ' ' || notes) AS rest
FROM plans WHERE status = 'completed';
CREATE VIRTUAL TABLE search USING fts4(goal, result, rest, content=search_text, tokenize=simple);
CREATE VIRTUAL TABLE search_terms USING fts4aux(search);
`;

/** In the order of the index's columns. */
const COLUMN_WEIGHTS = [4, 2, 1];
/** Of a long query the rarest terms are searched for. */
const TERMS_SEARCHED = 16;
/** In a long history, terms in more than this share of the plans say nothing, unless the query has no others. */
const COMMON_SHARE = 0.7;
const LONG_HISTORY = 100;

export class Search {
  /** The function lives in the connection, so it is registered before the schema is made or used. */
  constructor(private readonly sql: Sql) {
    sql.database.create_function('index_text', indexText);
  }

  /** To be called when the plan has become a completed one. */
  add(rowid: number): void {
    this.sql.run(
      'INSERT INTO search (docid, goal, result, rest) SELECT rowid, goal, result, rest FROM search_text WHERE rowid = ?',
      rowid,
    );
  }

  /** To be called while the plan is still the completed one that was added. */
  remove(rowid: number): void {
    this.sql.run('DELETE FROM search WHERE docid = ?', rowid);
  }

  /** Best first: plans with all that is wanted, then, if these are too few, plans with some of it. */
  find(query: string, { session, limit }: { session?: string; limit: number }): HistoryMatch[] {
    const wanted = this.tellingOf(parseQuery(query));
    if (wanted.length === 0 || limit < 1) return [];
    const phrases = wanted.flatMap(({ spellings }) => spellings.map(({ phrase }) => `"${phrase}"`));
    const inSession =
      session === undefined
        ? ''
        : `AND docid IN (SELECT rowid FROM plans
             WHERE finish_order IS NOT NULL AND session_name = ? AND status = 'completed')`;
    // One row for all matches: fetching thousands of rows one by one costs more than finding them.
    const matches = this.sql.get<{ rowids: string | null; facts: Uint8Array | null }>(
      `SELECT group_concat(docid, ' ') AS rowids, CAST(group_concat(facts, '') AS BLOB) AS facts FROM
         (SELECT docid, matchinfo(search, 'nayl') AS facts FROM search WHERE search MATCH ? ${inSession}
          ORDER BY docid DESC LIMIT -1)`,
      phrases.join(' OR '),
      ...(session === undefined ? [] : [session]),
    );
    if (!matches?.rowids || !matches.facts) return [];
    const rowids = matches.rowids.split(' ').map(Number);
    const facts = new Uint32Array(matches.facts.buffer);
    return rankMatches({ rowids, facts }, wanted, COLUMN_WEIGHTS, limit).map((rowid, i) => ({
      ...this.headline(rowid),
      relevanceRank: i + 1,
    }));
  }

  /** What is worth searching for: not what nearly every plan has, and not too much. */
  private tellingOf(wanted: Wanted[]): Wanted[] {
    const plans = this.sql.value<number>('SELECT count(*) FROM search_docsize') ?? 0;
    const last = wanted.findLast(({ required }) => required);
    const counted = wanted.map((one) => {
      const found = this.plansWith(one);
      return { one: found === 0 || one === last ? withPrefix(one) : one, found };
    });
    const most = plans < LONG_HISTORY ? plans : plans * COMMON_SHARE;
    const telling = counted.filter(({ found }) => found <= most);
    const used = telling.some(({ found }) => found > 0) ? telling : counted;
    if (used.length > TERMS_SEARCHED) used.sort((a, b) => (a.found || plans) - (b.found || plans));
    return used.slice(0, TERMS_SEARCHED).map(({ one }) => one);
  }

  /** In how many plans its rarest term is. */
  private plansWith({ terms }: Wanted): number {
    const counts = terms.map(
      (term) => this.sql.value<number>(`SELECT documents FROM search_terms WHERE term = ? AND col = '*'`, term) ?? 0,
    );
    return Math.min(...counts);
  }

  private headline(rowid: number): Omit<HistoryMatch, 'relevanceRank'> {
    return this.sql.get<Omit<HistoryMatch, 'relevanceRank'>>(
      'SELECT id, goal, outcome, session_name AS sessionName FROM plans WHERE rowid = ?',
      rowid,
    ) as Omit<HistoryMatch, 'relevanceRank'>;
  }
}
