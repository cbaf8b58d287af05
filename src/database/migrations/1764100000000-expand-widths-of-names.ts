import type BetterSqlite3 from 'better-sqlite3';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../schema/index-beside-requests.js';

/** A name of 255 octets has 1,020 characters when each is written as `\DDD`, and 765 in a key. */
const WIDTHS = { name: 1020, owner_key: 765, chain_key: 765 } as const;
const COLUMNS = {
  records: ['name', 'owner_key'],
  record_sets: ['name', 'owner_key'],
  signed_sets: ['owner_key', 'chain_key'],
} as const;
const FORMER_WIDTH = 255;

/** Owner names of any octets fit (RFC 2181 §11). The former release writes shorter ones into the same columns. */
export class ExpandWidthsOfNames1764100000000 implements MigrationInterface {
  readonly name = 'ExpandWidthsOfNames1764100000000';

  up(runner: QueryRunner): Promise<void> {
    return resize(runner, (column) => WIDTHS[column]);
  }

  down(runner: QueryRunner): Promise<void> {
    return resize(runner, () => FORMER_WIDTH);
  }
}

async function resize(runner: QueryRunner, widthOf: (column: keyof typeof WIDTHS) => number): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS))
    if (isPostgres(runner)) {
      // A wider text column is a matter of the catalog: neither rows nor indexes are written anew.
      const types = columns.map((column) => {
        const bytewise = column === 'name' ? '' : ' COLLATE "C"';
        return `ALTER COLUMN ${column} TYPE character varying(${widthOf(column)})${bytewise}`;
      });
      await runner.query(`ALTER TABLE ${table} ${types.join(', ')}`);
    } else await redeclare(runner, table, columns, widthOf);
}

/** SQLite bounds no text: what it was told is changed, and the rows stay as they are (SQLite, PRAGMA writable_schema). */
async function redeclare(
  runner: QueryRunner,
  table: string,
  columns: readonly (keyof typeof WIDTHS)[],
  widthOf: (column: keyof typeof WIDTHS) => number,
): Promise<void> {
  // TypeORM gives the driver's own connection, whose type it does not know.
  const database = (await runner.connect()) as BetterSqlite3.Database;
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  try {
    const find = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck();
    let sql = String(find.get(table));
    for (const column of columns)
      sql = sql.replace(new RegExp(`("${column}" varchar)\\s*\\(\\d+\\)`), `$1(${widthOf(column)})`);
    database.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(sql, table);
  } finally {
    database.pragma('writable_schema = RESET');
    database.unsafeMode(false);
  }
}
