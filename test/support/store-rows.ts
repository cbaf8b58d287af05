import { Database } from './sqlite.js';
import { queryPostgres } from './postgres/databases.js';
import { isPostgresUrl } from './stored.js';

/** Columns and their values; all rows of a table name the same columns. */
export type Row = Readonly<Record<string, unknown>>;

/** Writes rows behind the service's back, table by table, and then runs one statement more, all in one transaction. */
export function storeRows(database: string, tables: Readonly<Record<string, readonly Row[]>>, close: string): void {
  if (isPostgresUrl(database)) storeInPostgres(database, tables, close);
  else storeInSqlite(database, tables, close);
}

function storeInSqlite(file: string, tables: Readonly<Record<string, readonly Row[]>>, close: string): void {
  const database = new Database(file, { fileMustExist: true });
  const store = database.transaction(() => {
    for (const [table, rows] of Object.entries(tables)) {
      const columns = Object.keys(rows[0] ?? {});
      const marks = columns.map((column) => `@${column}`).join(', ');
      const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
      for (const row of rows) insert.run(row);
    }
    database.exec(close);
  });
  try {
    store.immediate();
  } finally {
    database.close();
  }
}

function storeInPostgres(url: string, tables: Readonly<Record<string, readonly Row[]>>, close: string): void {
  const insertions = Object.keys(tables).map(
    (table, at) =>
      `new_${table} AS (INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $${at + 1}::json))`,
  );
  const rows = Object.values(tables).map((table) => JSON.stringify(table));
  queryPostgres(url, insertions.length === 0 ? close : `WITH ${insertions.join(', ')} ${close}`, rows);
}
