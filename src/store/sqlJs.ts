import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Database, SqlJsStatic, Statement } from 'sql.js';
import { lazily } from '../planner/lazily';

export type SqlValue = string | number | null;
export type SqlParameter = SqlValue | Uint8Array;

const SHORT = 100;

/**
 * A text as a parameter where the SQL says `CAST(? AS TEXT)`: a long one goes as its bytes, since sql.js encodes strings
 * character by character.
 */
export function longText(text: string): SqlParameter {
  return text.length <= SHORT ? text : Buffer.from(text);
}

/** SQLite as WebAssembly; loaded on the first call, because it takes some 15 ms. */
export const loadSqlJs = lazily<SqlJsStatic>(async () => {
  const { default: initSqlJs } = await import('sql.js');
  return initSqlJs({ wasmBinary: readWasm() });
});

/** Beside the bundle, where the build puts it; else, run from source, in the package. */
function readWasm(): ArrayBuffer {
  const bundled = join(__dirname, 'sql-wasm.wasm');
  const path = existsSync(bundled) ? bundled : createRequire(__filename).resolve('sql.js/dist/sql-wasm.wasm');
  return new Uint8Array(readFileSync(path)).buffer;
}

/** One database with its prepared statements: each SQL text is compiled once. */
export class Sql {
  private readonly statements = new Map<string, { statement: Statement; columns: string[] }>();

  constructor(readonly database: Database) {}

  run(sql: string, ...params: SqlParameter[]): void {
    const { statement } = this.prepared(sql);
    try {
      statement.bind(params);
      statement.step();
    } finally {
      statement.reset();
    }
  }

  all<Row>(sql: string, ...params: SqlParameter[]): Row[] {
    const { statement, columns } = this.prepared(sql);
    const rows: Row[] = [];
    try {
      statement.bind(params);
      while (statement.step()) rows.push(rowOf<Row>(columns, statement));
    } finally {
      statement.reset();
    }
    return rows;
  }

  get<Row>(sql: string, ...params: SqlParameter[]): Row | undefined {
    const { statement, columns } = this.prepared(sql);
    try {
      statement.bind(params);
      return statement.step() ? rowOf<Row>(columns, statement) : undefined;
    } finally {
      statement.reset();
    }
  }

  /** The first column of the first row; undefined if there is no row. */
  value<T extends SqlValue | Uint8Array>(sql: string, ...params: SqlParameter[]): T | undefined {
    const { statement } = this.prepared(sql);
    try {
      statement.bind(params);
      return statement.step() ? (statement.get()[0] as T) : undefined;
    } finally {
      statement.reset();
    }
  }

  /** The rows one by one, for results too large to hold. The database must not change meanwhile. */
  *each<Row>(sql: string, ...params: SqlParameter[]): Generator<Row> {
    const statement = this.database.prepare(sql);
    try {
      const columns = statement.getColumnNames();
      statement.bind(params);
      while (statement.step()) yield rowOf<Row>(columns, statement);
    } finally {
      statement.free();
    }
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  private prepared(sql: string): { statement: Statement; columns: string[] } {
    let found = this.statements.get(sql);
    if (found === undefined) {
      const statement = this.database.prepare(sql);
      found = { statement, columns: statement.getColumnNames() };
      this.statements.set(sql, found);
    }
    return found;
  }
}

function rowOf<Row>(columns: string[], statement: Statement): Row {
  const values = statement.get();
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
  return row as Row;
}
