import type { MigrationInterface, QueryRunner } from 'typeorm';
import { NAME_SERVER_TABLES } from './baseline/name-server-tables.js';
import { SERVICE_TABLES } from './baseline/service-tables.js';
import { ZONE_TABLES } from './baseline/zone-tables.js';

const CREATE_TABLE = /^CREATE TABLE (\w+)/;
const TABLES_AND_INDEXES = [ZONE_TABLES, NAME_SERVER_TABLES, SERVICE_TABLES].flatMap((sql) => sql.trim().split(/;\s*/));

/** Designate's default pool: clients know its ID. */
const DEFAULT_POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

/** Creates the tables of version 1.0.0 and the default pool. */
export class Baseline1764200000000 implements MigrationInterface {
  readonly name = 'Baseline1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES_AND_INDEXES)
      if (statement !== '') await runner.query(statementFor(runner, statement));
    await runner.query(
      `INSERT INTO pools (id, name, ns_records, created_at) VALUES ('${DEFAULT_POOL}', 'default', '[]', ${Date.now() * 1000})`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = TABLES_AND_INDEXES.flatMap((statement) => CREATE_TABLE.exec(statement)?.[1] ?? []);
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
  }
}

function statementFor(runner: QueryRunner, statement: string): string {
  return isPostgres(runner) ? withKeyName(runner, statement.replace(' WITHOUT ROWID', '')) : forSqlite(statement);
}

/** SQLite compares text by octets, and needs no hash of long index entries. */
function forSqlite(statement: string): string {
  return statement
    .replaceAll(' COLLATE "C"', '')
    .replace(/CONSTRAINT \S+ PRIMARY KEY/, 'PRIMARY KEY')
    .replace('hashtextextended(generation, 0)', 'generation');
}

/** TypeORM compares the names of primary keys with those of the entities. */
function withKeyName(runner: QueryRunner, statement: string): string {
  const table = CREATE_TABLE.exec(statement)?.[1];
  if (table === undefined || statement.includes('CONSTRAINT')) return statement;
  return statement.replace(/PRIMARY KEY \((.*?)\)/, (key, columns: string) => {
    const name = runner.dataSource.namingStrategy.primaryKeyName(table, columns.split(', '));
    return `CONSTRAINT "${name}" ${key}`;
  });
}

function isPostgres(runner: QueryRunner): boolean {
  return runner.dataSource.options.type === 'postgres';
}
