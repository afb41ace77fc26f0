import type { HistoryMatch } from '../planner/model';
import { SearchBacklog } from './searchBacklog';
import { SearchLengths } from './searchLengths';
import { parseQuery, type Wanted, withPrefix } from './searchQuery';
import { type Matches, rankMatches } from './searchRanking';
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
const TERMS_SEARCHED = 24;
/** In a long history, terms in more than this share of the plans say nothing, unless the query has no others. */
const COMMON_SHARE = 0.7;
const LONG_HISTORY = 100;

/** Plans; each time up to 8 blocks of the index are rewritten, where at least 8 segments of a level are. */
const MERGE_EVERY = 8;
/** As many matches are looked up one by one; of more it is faster to read all plans of the session. */
const FEW = 500;

export class Search {
  readonly backlog = new SearchBacklog();
  private readonly lengths: SearchLengths;

  /** The function lives in the connection, so it is registered before the schema is made or used. */
  constructor(private readonly sql: Sql) {
    sql.database.create_function('index_text', indexText);
    this.lengths = new SearchLengths(sql, COLUMN_WEIGHTS.length);
  }

  /** Whether there are plans to index. */
  get isBehind(): boolean {
    return this.backlog.size > 0;
  }

  /** To be called when the plan has become a completed one. */
  add(rowid: number): void {
    this.backlog.add(rowid);
  }

  /** To be called while the plan is still the completed one that was added. */
  remove(rowid: number): void {
    if (this.backlog.remove(rowid)) return;
    this.sql.run('DELETE FROM search WHERE docid = ?', rowid);
    this.lengths.forget(rowid);
  }

  /** Indexes plans that were added, at least one, until it is enough. In a transaction: each makes a segment of the index. */
  index(isEnough: () => boolean): void {
    let isMergeDue = false;
    for (let rowid = this.backlog.take(); rowid !== undefined; rowid = isEnough() ? undefined : this.backlog.take()) {
      // A row given as values: from an INSERT … SELECT each row would become a segment by itself.
      this.sql.run(
        `INSERT INTO search (docid, goal, result, rest) VALUES (?1, (SELECT goal FROM search_text WHERE rowid = ?1),
           (SELECT result FROM search_text WHERE rowid = ?1), (SELECT rest FROM search_text WHERE rowid = ?1))`,
        rowid,
      );
      this.lengths.forget(rowid);
      isMergeDue ||= rowid % MERGE_EVERY === 0;
    }
    // Left alone, segments are merged by sixteens: one completion among 4,096 would take 200 ms.
    if (isMergeDue) this.sql.run(`INSERT INTO search (search) VALUES ('merge=8,8')`);
  }

  /** Best first: plans with all that is wanted, then, if these are too few, plans with some of it. */
  find(query: string, { session, limit }: { session?: string; limit: number }): HistoryMatch[] {
    const all = this.lengths.averages();
    const wanted = this.tellingOf(parseQuery(query), all.plans);
    if (wanted.length === 0 || limit < 1) return [];
    const { rowids, hits } = this.match(wanted);
    const lengths = this.lengths.of(rowids);
    const allowed = session === undefined ? undefined : this.inSession(session, rowids, all.plans);
    return rankMatches({ rowids, hits, lengths, all, allowed }, wanted, COLUMN_WEIGHTS, limit).map((rowid, i) => ({
      ...this.headline(rowid),
      relevanceRank: i + 1,
    }));
  }

  /** Plans with any of it. They come in one row: fetching thousands of rows costs more than finding them. */
  private match(wanted: Wanted[]): Pick<Matches, 'rowids' | 'hits'> {
    const phrases = wanted.flatMap(({ spellings }) => spellings.map(({ phrase }) => `"${phrase}"`));
    const found = this.sql.get<{ rowids: string | null; hits: Uint8Array | null }>(
      `SELECT group_concat(docid, ' ') AS rowids, CAST(group_concat(hits, '') AS BLOB) AS hits FROM
         (SELECT docid, matchinfo(search, 'y') AS hits FROM search WHERE search MATCH ? ORDER BY docid LIMIT -1)`,
      phrases.join(' OR '),
    );
    if (!found?.rowids || !found.hits) return { rowids: [], hits: new Uint32Array() };
    return { rowids: found.rowids.split(' ').map(Number), hits: new Uint32Array(found.hits.buffer) };
  }

  /** Those of `rowids` that are in the session, and perhaps more; undefined if all plans are. */
  private inSession(session: string, rowids: number[], plans: number): Set<number> | undefined {
    const own = this.sql.value<number>('SELECT completed_count FROM sessions WHERE name = ?', session);
    if (own === plans) return undefined;
    const found =
      rowids.length <= FEW
        ? this.sql.value<string | null>(
            `SELECT group_concat(plans.rowid, ' ') FROM json_each(?) CROSS JOIN plans ON plans.rowid = value
             WHERE session_name = ?`,
            JSON.stringify(rowids),
            session,
          )
        : this.sql.value<string | null>(
            `SELECT group_concat(rowid, ' ') FROM plans
             WHERE finish_order IS NOT NULL AND session_name = ? AND status = 'completed'`,
            session,
          );
    return new Set(found?.split(' ').map(Number));
  }

  /** What is worth searching for: not what nearly every plan has, and not too much. */
  private tellingOf(wanted: Wanted[], plans: number): Wanted[] {
    const most = plans < LONG_HISTORY ? plans : plans * COMMON_SHARE;
    const last = wanted.findLast(({ required }) => required);
    const counted = wanted.map((one) => {
      const found = this.plansWith(one);
      return { one: found === 0 || (one === last && found <= most) ? withPrefix(one) : one, found };
    });
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
