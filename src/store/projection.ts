import { createHash } from 'node:crypto';
import type { Database, SqlJsStatic } from 'sql.js';
import type { DomainEvent } from '../planner/events';
import { eventApplier } from './applyEvents';
import type { JournalPosition, Projection, StateRow } from './projectionPort';
import { integrityQueries } from './queriesIntegrity';
import { planModeQueries } from './queriesPlanMode';
import { planQueries } from './queriesPlans';
import { sessionQueries } from './queriesSessions';
import { RecentCommands } from './recentCommands';
import { SCHEMA, SCHEMA_DIGEST, SCHEMA_VERSION, STATE_COLUMNS, type StateTable } from './schema';
import { SEARCH_SCHEMA, Search } from './search';
import { longText, Sql, type SqlParameter, type SqlValue } from './sqlJs';

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
 * An empty projection, or the one that `image` (from `export`) holds. The image's bytes, and what its buffer has behind them,
 * are taken over, not copied: don't use them afterwards. Throws if it is no image of this version; it is then to be built anew
 * from the journal.
 */
export function openProjection(sqlJs: SqlJsStatic, image?: Uint8Array): SqlProjection {
  if (image === undefined) return new SqlProjection(new sqlJs.Database(), true);
  const database = new sqlJs.Database(takenOver(image));
  try {
    const version = database.exec('PRAGMA user_version')[0]?.values[0]?.[0];
    if (version !== SCHEMA_VERSION) throw new Error(`The image has version ${version}, not ${SCHEMA_VERSION}.`);
    if (schemaDigest(database) !== SCHEMA_DIGEST)
      throw new Error('The image has other tables than those of its version.');
    return new SqlProjection(database, false);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * sql.js takes its copy of an image by `slice`. It gets the memory itself, and with it the room to grow in: where there is
 * none, tens of megabytes are copied by the first change.
 */
function takenOver({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  const withRoom = Buffer.from(buffer, byteOffset);
  return Object.assign(withRoom.subarray(0, byteLength), { slice: () => withRoom });
}

/**
 * SHA-256, in hexadecimal, over what SQLite tells of a database's tables, indexes, views and triggers. Nothing of them is
 * run by reading it: a view or a trigger that somebody put into an image could run without an end.
 */
export function schemaDigest(database: Database): string {
  const schema = database.exec('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name');
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex');
}

export class SqlProjection implements Projection {
  readonly view: Projection['view'];
  private readonly sql: Sql;
  private readonly search: Search;
  private readonly applyEvent: ReturnType<typeof eventApplier>;
  private readonly commands = new RecentCommands();
  private at: JournalPosition | undefined;
  /** What the open transaction leaves when it is committed, beside the database. */
  private open: { commands: string[]; at: JournalPosition | undefined } | undefined;

  constructor(database: Database, isNew: boolean) {
    this.sql = new Sql(database);
    database.run(PRAGMAS);
    this.search = new Search(this.sql);
    if (isNew) database.run(SCHEMA + SEARCH_SCHEMA);
    else this.recall();
    this.applyEvent = eventApplier(this.sql, this.search);
    const integrity = integrityQueries(this.sql);
    this.view = {
      ...sessionQueries(this.sql),
      ...planQueries(this.sql),
      ...planModeQueries(this.sql),
      inconsistencies: (session) => {
        this.index();
        return integrity.inconsistencies(session);
      },
      searchHistory: (query, options) => {
        this.index();
        return this.search.find(query, options);
      },
    };
  }

  begin(): void {
    this.sql.run('BEGIN');
    this.open = { commands: [], at: undefined };
  }

  commit(): void {
    this.sql.run('COMMIT');
    this.search.backlog.commit();
    const { commands, at } = this.open ?? { commands: [], at: undefined };
    this.open = undefined;
    for (const id of commands) this.commands.add(id);
    this.at = at ?? this.at;
  }

  rollback(): void {
    this.open = undefined;
    this.sql.run('ROLLBACK');
    this.search.backlog.rollback();
  }

  apply(event: DomainEvent, record: { at: string; by: string; seq: number }): void {
    this.applyEvent(event, record);
  }

  rememberCommand(id: string): void {
    if (this.open) this.open.commands.push(id);
    else this.commands.add(id);
  }

  hasCommand(id: string): boolean {
    return this.commands.has(id) || (this.open?.commands.includes(id) ?? false);
  }

  position(): JournalPosition | undefined {
    return this.open?.at ?? this.at;
  }

  setPosition(position: JournalPosition): void {
    if (this.open) this.open.at = position;
    else this.at = position;
  }

  index(isEnough: () => boolean = () => false): boolean {
    if (!this.search.isBehind) return true;
    if (this.open) this.search.index(isEnough);
    else this.inTransaction(() => this.search.index(isEnough));
    return !this.search.isBehind;
  }

  *rows(): Generator<StateRow> {
    for (const [table, columns] of Object.entries(STATE_COLUMNS)) {
      if (table === 'commands') continue;
      const order = table === 'dependencies' ? 'plan_id, waits_for' : 'rowid';
      for (const row of this.sql.each<StateRow['row']>(
        `SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${order}`,
      )) {
        yield { table, row };
      }
    }
    for (const id of this.commands) yield { table: 'commands', row: { id } };
  }

  load(rows: Iterable<StateRow>): void {
    const insertAll = () => {
      for (const row of rows) this.insert(row);
    };
    if (this.open) insertAll();
    else this.inTransaction(insertAll);
  }

  export(): Uint8Array {
    this.index();
    this.inTransaction(() => this.record());
    return this.sql.database.export();
  }

  close(): void {
    this.sql.close();
  }

  private inTransaction(work: () => void): void {
    this.begin();
    try {
      work();
      this.commit();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Puts into the database what an image must hold beyond it. */
  private record(): void {
    this.sql.run('DELETE FROM commands');
    for (const id of this.commands) this.sql.run('INSERT INTO commands (id) VALUES (?)', id);
    this.sql.run('DELETE FROM meta');
    if (this.at) {
      const { journal, seq, sum, offset } = this.at;
      this.sql.run(
        'INSERT INTO meta (one, journal, seq, sum, end_offset) VALUES (1, ?, ?, ?, ?)',
        journal,
        seq,
        sum,
        offset,
      );
    }
  }

  private recall(): void {
    for (const { id } of this.sql.all<{ id: string }>('SELECT id FROM commands ORDER BY number')) this.commands.add(id);
    this.at = this.sql.get<JournalPosition>('SELECT journal, seq, sum, end_offset AS offset FROM meta');
  }

  private insert({ table, row }: StateRow): void {
    const known: readonly string[] | undefined = STATE_COLUMNS[table as StateTable];
    const columns = Object.keys(row);
    const strange = known === undefined ? table : columns.find((column) => !known.includes(column));
    if (strange !== undefined) throw new Error(`Unknown part of the state: ${strange}. It is of a newer version.`);
    if (table === 'commands') {
      this.rememberCommand(String(row.id));
      return;
    }
    this.sql.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => (TEXTS.has(column) ? 'CAST(? AS TEXT)' : '?')).join(', ')})`,
      ...columns.map((column) => parameterOf(column, row[column] as SqlValue)),
    );
    if (table === 'plans') this.derive(row);
  }

  /** What isn't state but follows from a plan's row. Sessions come before their plans. */
  private derive({ status, session_name }: StateRow['row']): void {
    if (status === 'completed') this.search.add(this.sql.value<number>('SELECT last_insert_rowid()') as number);
    const count = status === 'completed' ? 'completed_count' : status === 'queued' ? 'queue_length' : undefined;
    if (count) this.sql.run(`UPDATE sessions SET ${count} = ${count} + 1 WHERE name = ?`, session_name as string);
  }
}

/** The columns of long texts. */
const TEXTS = new Set(['context', 'inputs', 'outputs', 'outcome', 'approach', 'notes', 'plan', 'approved_plan']);

function parameterOf(column: string, value: SqlValue): SqlParameter {
  return typeof value === 'string' && TEXTS.has(column) ? longText(value) : value;
}
