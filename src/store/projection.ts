import type { Database, SqlJsStatic } from 'sql.js';
import type { DomainEvent } from '../planner/events';
import { eventApplier } from './applyEvents';
import type { JournalPosition, Projection, StateRow } from './projectionPort';
import { integrityQueries } from './queriesIntegrity';
import { planModeQueries } from './queriesPlanMode';
import { planQueries } from './queriesPlans';
import { sessionQueries } from './queriesSessions';
import { SCHEMA, SCHEMA_VERSION, STATE_COLUMNS, type StateTable } from './schema';
import { SEARCH_SCHEMA, Search } from './search';
import { Sql, type SqlValue } from './sqlJs';

const REMEMBERED_COMMANDS = 1000;

/**
 * The database lives in memory and the journal is the truth: nothing is synced, nobody else has it open, and a rollback
 * keeps its pages in memory. 16 kB pages hold several plans each and keep the search index's blobs in few pages.
 */
const PRAGMAS = `
PRAGMA page_size = 16384;
PRAGMA journal_mode = MEMORY;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA temp_store = MEMORY;
PRAGMA foreign_keys = ON;
`;

/**
 * An empty projection, or the one that `image` (from `export`) holds. The image's bytes are taken over, not copied: don't use
 * them afterwards. Throws if it is no image of this version; it is then to be built anew from the journal.
 */
export function openProjection(sqlJs: SqlJsStatic, image?: Uint8Array): SqlProjection {
  if (image === undefined) return new SqlProjection(new sqlJs.Database(), true);
  // A Buffer's `slice` shares memory where a Uint8Array's copies: sql.js takes its "copy" of the image that way.
  const shared = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const database = new sqlJs.Database(shared);
  try {
    const version = database.exec('PRAGMA user_version')[0]?.values[0]?.[0];
    if (version !== SCHEMA_VERSION) throw new Error(`The image has version ${version}, not ${SCHEMA_VERSION}.`);
    return new SqlProjection(database, false);
  } catch (error) {
    database.close();
    throw error;
  }
}

export class SqlProjection implements Projection {
  readonly view: Projection['view'];
  private readonly sql: Sql;
  private readonly search: Search;
  private readonly applyEvent: ReturnType<typeof eventApplier>;
  private inTransaction = false;

  constructor(database: Database, isNew: boolean) {
    this.sql = new Sql(database);
    database.run(PRAGMAS);
    this.search = new Search(this.sql);
    if (isNew) database.run(SCHEMA + SEARCH_SCHEMA);
    this.applyEvent = eventApplier(this.sql, this.search);
    this.view = {
      ...sessionQueries(this.sql),
      ...planQueries(this.sql),
      ...planModeQueries(this.sql),
      ...integrityQueries(this.sql),
      searchHistory: (query, options) => this.search.find(query, options),
    };
  }

  begin(): void {
    this.sql.run('BEGIN');
    this.inTransaction = true;
  }

  commit(): void {
    this.sql.run('COMMIT');
    this.inTransaction = false;
  }

  rollback(): void {
    this.sql.run('ROLLBACK');
    this.inTransaction = false;
  }

  apply(event: DomainEvent, record: { at: string; by: string; seq: number }): void {
    this.applyEvent(event, record);
  }

  rememberCommand(id: string): void {
    this.sql.run('INSERT OR IGNORE INTO commands (id) VALUES (?)', id);
    this.sql.run('DELETE FROM commands WHERE number <= (SELECT max(number) FROM commands) - ?', REMEMBERED_COMMANDS);
  }

  hasCommand(id: string): boolean {
    return this.sql.value('SELECT 1 FROM commands WHERE id = ?', id) !== undefined;
  }

  position(): JournalPosition | undefined {
    return this.sql.get<JournalPosition>('SELECT journal, seq, sum, end_offset AS offset FROM meta');
  }

  setPosition({ journal, seq, sum, offset }: JournalPosition): void {
    this.sql.run(
      'INSERT OR REPLACE INTO meta (one, journal, seq, sum, end_offset) VALUES (1, ?, ?, ?, ?)',
      journal,
      seq,
      sum,
      offset,
    );
  }

  *rows(): Generator<StateRow> {
    for (const [table, columns] of Object.entries(STATE_COLUMNS)) {
      const order = table === 'dependencies' ? 'plan_id, waits_for' : 'rowid';
      for (const row of this.sql.each<StateRow['row']>(
        `SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${order}`,
      )) {
        yield { table, row };
      }
    }
  }

  load(rows: Iterable<StateRow>): void {
    if (!this.inTransaction) {
      this.begin();
      try {
        this.load(rows);
        this.commit();
      } catch (error) {
        this.rollback();
        throw error;
      }
      return;
    }
    for (const row of rows) this.insert(row);
  }

  export(): Uint8Array {
    return this.sql.database.export();
  }

  close(): void {
    this.sql.close();
  }

  private insert({ table, row }: StateRow): void {
    const known: readonly string[] | undefined = STATE_COLUMNS[table as StateTable];
    const columns = Object.keys(row);
    const strange = known === undefined ? table : columns.find((column) => !known.includes(column));
    if (strange !== undefined) throw new Error(`Unknown part of the state: ${strange}. It is of a newer version.`);
    this.sql.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...columns.map((column) => row[column] as SqlValue),
    );
    if (table === 'plans') this.derive(row);
  }

  /** What isn't state but follows from a plan's row. Sessions come before their plans. */
  private derive({ status, session_name }: StateRow['row']): void {
    if (status === 'completed')
      this.search.add(this.sql.value<number>('SELECT last_insert_rowid()') as number, { isBulk: true });
    const count = status === 'completed' ? 'completed_count' : status === 'queued' ? 'queue_length' : undefined;
    if (count) this.sql.run(`UPDATE sessions SET ${count} = ${count} + 1 WHERE name = ?`, session_name as string);
  }
}
