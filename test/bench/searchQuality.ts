import { createRequire } from 'node:module';
import type { DomainEvent } from '../../src/planner/events';
import { openProjection } from '../../src/store/projection';
import { loadSqlJs } from '../../src/store/sqlJs';
import type { Row } from './figures';
import { functions, type KnownItem, parts, readmes, rules } from './knownItems';

const MOST = 10;
/** One README more or less among so many says nothing. */
const NO_WORSE = 0.99;
const BETTER = 1;

/** What is used of `node:sqlite`, which the Node that the types are of doesn't have. */
interface Sqlite {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: unknown[]): void; all(...values: unknown[]): { rowid: number }[] };
  };
}

/** Finds the numbers of the texts that match, best first. */
type Finder = (query: string) => number[];

/** Known items: how often, and how high, each is found among all of its kind, beside FTS5 with bm25 on the same text. */
export async function searchQuality(): Promise<Row[]> {
  const kinds: [name: string, items: KnownItem[], bound: number][] = [
    ['READMEs by description', readmes(), NO_WORSE],
    ['functions by the words of their names', functions(), BETTER],
    ['Chinese by help', rules('zh_CN'), BETTER],
    ['Japanese by help', rules('ja'), BETTER],
    ['Korean by help', rules('ko'), BETTER],
    ['Chinese by a part of the text', parts(rules('zh_CN')), BETTER],
    ['Japanese by a part of the text', parts(rules('ja')), BETTER],
    ['Korean by a part of the text', parts(rules('ko')), BETTER],
  ];
  const rows: Row[] = [];
  for (const [name, items, bound] of kinds) {
    const [own, other] = [quality(await ours(items), items), quality(fts5(items), items)];
    for (const measure of ['MRR', 'recall@1', 'recall@10'] as const) {
      rows.push({
        figure: `${items.length} ${name}, ${measure}`,
        value: own[measure],
        unit: '',
        reference: other[measure],
        referenceName: 'FTS5',
        bound,
        isFloor: true,
      });
    }
  }
  return rows;
}

function quality(find: Finder, items: readonly KnownItem[]): Record<'MRR' | 'recall@1' | 'recall@10', number> {
  const ranks = items.map(({ query }, i) => find(query).indexOf(i) + 1);
  const mean = (score: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : score(rank)), 0) / items.length;
  return {
    MRR: mean((rank) => 1 / rank),
    'recall@1': mean((rank) => (rank === 1 ? 1 : 0)),
    'recall@10': mean(() => 1),
  };
}

const FIRST_ID = 1000;

/** Each text is the outcome of a completed plan. */
async function ours(items: readonly KnownItem[]): Promise<Finder> {
  const projection = openProjection(await loadSqlJs());
  const record = { seq: 1, at: '2026-01-01T00:00:00.000Z', by: 'bench' };
  const session = 'one-two-three';
  const sections = { context: '', inputs: '', outputs: '', approach: '', successCriteria: '', notes: '' };
  projection.begin();
  const apply = (event: DomainEvent) => projection.apply(event, record);
  apply({ type: 'session_created', session, taskDescription: null });
  for (const [i, { text }] of items.entries()) {
    const plan = `p${FIRST_ID + i}`;
    apply({
      type: 'plan_added',
      plan,
      session,
      position: 1,
      sections: { ...sections, goal: 'Document it' },
      parent: null,
    });
    apply({ type: 'plan_completed', plan, outcome: text });
  }
  projection.commit();
  return (query) =>
    projection.view.searchHistory(query, { limit: MOST }).map(({ id }) => Number(id.slice(1)) - FIRST_ID);
}

/** The same texts, and any word of the query, as its terms may all be too many. */
function fts5(items: readonly KnownItem[]): Finder {
  const { DatabaseSync } = createRequire(__filename)('node:sqlite') as Sqlite;
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE VIRTUAL TABLE search USING fts5(goal, outcome)');
  const insert = db.prepare('INSERT INTO search (rowid, goal, outcome) VALUES (?, ?, ?)');
  for (const [i, { text }] of items.entries()) insert.run(i + 1, 'Document it', text);
  const select = db.prepare(`SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search) LIMIT ${MOST}`);
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    return select.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ rowid }) => rowid - 1);
  };
}
