import { renameSync } from 'node:fs';
import { Database } from './sqlite.js';
import { queryPostgres } from './postgres/databases.js';

/** Reads a database from tests, outside the service. */
export interface Stored {
  readonly isPostgres: boolean;
  /** `sql` with `?` for its values. */
  rows<Row>(sql: string, ...values: readonly unknown[]): Row[];
}

/**
 * Looks into a database file, or a PostgreSQL database by its URL, while it stands still; the service may go on.
 * @param isAsSeen whether records have the ids of their zones
 */
export function lookInto<T>(database: string, look: (stored: Stored) => T, isAsSeen = false): T {
  return isPostgresUrl(database) ? lookIntoPostgres(database, look) : lookIntoSqlite(database, look, isAsSeen);
}

/** Tables as the service sees them: without rows that are written ahead or removed later, and with the ids of zones. */
const VIEWS = [
  ...['records', 'record_sets'].map(
    (table) =>
      `CREATE TEMP VIEW ${table} AS SELECT COALESCE(m.zone, s.zone_id) AS zone_id, s.* FROM main.${table} s` +
      ' LEFT JOIN moved_contents m ON m.contents = s.zone_id' +
      ' WHERE s.zone_id NOT IN (SELECT zone_id FROM incoming_zones UNION SELECT zone_id FROM main.left_contents)',
  ),
  'CREATE TEMP VIEW journal AS SELECT * FROM main.journal WHERE change_id NOT IN (SELECT change_id FROM staged_changes)',
  'CREATE TEMP VIEW left_contents AS SELECT * FROM main.left_contents WHERE zone_id NOT IN (SELECT zone FROM moved_contents)',
];

/** Changes a database behind the service's back. */
export function executeIn(database: string, sql: string): void {
  if (isPostgresUrl(database)) {
    queryPostgres(database, sql);
    return;
  }
  const file = new Database(database, { fileMustExist: true });
  file.exec(sql);
  file.close();
}

export function isPostgresUrl(database: string): boolean {
  return database.startsWith('postgresql:');
}

/** Makes reads fail. Returns the undo function. */
export function takeAway(database: string): () => void {
  if (isPostgresUrl(database)) {
    queryPostgres(database, 'ALTER TABLE records RENAME TO records_away');
    return () => void queryPostgres(database, 'ALTER TABLE records_away RENAME TO records');
  }
  renameSync(database, `${database}.away`);
  return () => renameSync(`${database}.away`, database);
}

function lookIntoSqlite<T>(file: string, look: (stored: Stored) => T, isAsSeen: boolean): T {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    if (isAsSeen) for (const view of VIEWS) database.exec(view);
    const rows = <Row>(sql: string, ...values: readonly unknown[]): Row[] =>
      database.prepare(sql).all(...values) as Row[];
    return database.transaction(() => look({ isPostgres: false, rows }))();
  } finally {
    database.close();
  }
}

function lookIntoPostgres<T>(url: string, look: (stored: Stored) => T): T {
  queryPostgres(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const rows = <Row>(sql: string, ...values: readonly unknown[]): Row[] => {
      let parameters = 0;
      return queryPostgres(
        url,
        sql.replaceAll('?', () => `$${(parameters += 1)}`),
        values,
      ) as Row[];
    };
    return look({ isPostgres: true, rows });
  } finally {
    queryPostgres(url, 'ROLLBACK');
  }
}
