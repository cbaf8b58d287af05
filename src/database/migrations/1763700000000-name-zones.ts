import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  type TableColumnOptions,
  type TableIndexOptions,
} from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';
import { RANDOM_UUID } from '../statements/random-uuid.js';

/**
 * Domains become zones; record sets get an id, a name, a ttl and a version of their own; the journal says which change a
 * step belongs to, which record it touches and who asked. What is stored stays. Tables are altered in place where both
 * databases can, and copied where a column without a default comes in.
 */
export class NameZones1763700000000 implements MigrationInterface {
  readonly name = 'NameZones1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await inTurn(runner, ZONES_FROM_DOMAINS);
    await runner.query('ALTER TABLE journal RENAME TO former_journal');
    await runner.createTable(journal(runner, [...JOURNAL_KEY('zone_id'), ...JOURNAL_ADDED], JOURNAL_KEPT));
    await runner.query(journalFromFormer(runner));
    await runner.dropTable('former_journal');
    await runner.createTable(recordSets(runner));
    await runner.query(recordSetsFromRecords(runner));
    await runner.dropTable('recordsets');
  }

  async down(runner: QueryRunner): Promise<void> {
    await inTurn(runner, DOMAINS_FROM_ZONES);
    await runner.query('ALTER TABLE journal RENAME TO later_journal');
    await runner.createTable(journal(runner, JOURNAL_KEY('domain_id'), JOURNAL_KEPT));
    await runner.query(FORMER_FROM_JOURNAL);
    await runner.dropTable('later_journal');
    await runner.createTable(recordsets(runner));
    await runner.query(RECORDSETS_FROM_RECORD_SETS);
    await runner.dropTable('record_sets');
  }
}

async function inTurn(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}

const ZONES_FROM_DOMAINS = [
  'ALTER TABLE tenants RENAME COLUMN domain_count TO zone_count',
  'ALTER TABLE records RENAME COLUMN domain_id TO zone_id',
  'ALTER TABLE domains RENAME TO zones',
  'ALTER TABLE zones RENAME COLUMN recordset_count TO record_set_count',
  'ALTER TABLE zones ADD COLUMN generation text',
  'DROP INDEX domains_name_key',
  'DROP INDEX domains_of_tenant',
  'CREATE UNIQUE INDEX zones_name_key ON zones (name_key)',
  'CREATE INDEX zones_of_tenant ON zones (tenant_id, id)',
];

const DOMAINS_FROM_ZONES = [
  'ALTER TABLE tenants RENAME COLUMN zone_count TO domain_count',
  'ALTER TABLE records RENAME COLUMN zone_id TO domain_id',
  'ALTER TABLE zones DROP COLUMN generation',
  'ALTER TABLE zones RENAME COLUMN record_set_count TO recordset_count',
  'DROP INDEX zones_name_key',
  'DROP INDEX zones_of_tenant',
  'ALTER TABLE zones RENAME TO domains',
  'CREATE UNIQUE INDEX domains_name_key ON domains (name_key)',
  'CREATE INDEX domains_of_tenant ON domains (tenant_id, id)',
];

const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
const integer = (name: string): TableColumnOptions => ({ name, type: 'integer' });
const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
const nullable = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
const key = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isPrimary: true });

/** Columns that are compared by their octets. */
const BYTEWISE_COLUMNS = new Set(['zone_id', 'domain_id', 'owner_key', 'type', 'id', 'change_id', 'record_id']);

function tableOf(
  runner: QueryRunner,
  name: string,
  columns: readonly TableColumnOptions[],
  indices: TableIndexOptions[] = [],
): Table {
  const bytewise = columns.map((column) =>
    BYTEWISE_COLUMNS.has(column.name) ? { ...column, ...bytewiseOn(runner) } : column,
  );
  return new Table({ name, withoutRowid: true, columns: bytewise, indices });
}

const JOURNAL_KEY = (zoneId: string): TableColumnOptions[] => [key(text(zoneId, '36')), key(bigint('number'))];
const JOURNAL_ADDED = [
  text('change_id', '36'),
  nullable(text('record_id', '36')),
  nullable(text('token_id', '36')),
  nullable(text('user_name', '255')),
];
const JOURNAL_KEPT = [
  bigint('serial'),
  text('action', '32'),
  nullable({ name: 'before', type: 'text' }),
  nullable({ name: 'after', type: 'text' }),
  text('tenant_id', '255'),
  text('request_id', '64'),
  bigint('at'),
];
const JOURNAL_KEPT_NAMES = 'number, serial, before, after, tenant_id, request_id, at';

function journal(runner: QueryRunner, first: TableColumnOptions[], kept: TableColumnOptions[]): Table {
  return tableOf(runner, 'journal', [...first, ...kept]);
}

/** Steps of one change share its serial; which record a step touches stands in its snapshots. */
function journalFromFormer(runner: QueryRunner): string {
  const idIn = (snapshot: string): string =>
    runner.dataSource.options.type === 'postgres' ? `${snapshot}::json->>'id'` : `json_extract(${snapshot}, '$.id')`;
  return (
    `INSERT INTO journal (zone_id, ${JOURNAL_KEPT_NAMES}, action, change_id, record_id)` +
    ` SELECT domain_id, ${JOURNAL_KEPT_NAMES}, replace(action, 'domain.', 'zone.'), 'serial-' || serial,` +
    ` CASE WHEN action LIKE 'record.%' THEN COALESCE(${idIn('before')}, ${idIn('after')}) END FROM former_journal`
  );
}

const FORMER_FROM_JOURNAL =
  `INSERT INTO journal (domain_id, ${JOURNAL_KEPT_NAMES}, action)` +
  ` SELECT zone_id, ${JOURNAL_KEPT_NAMES}, replace(action, 'zone.', 'domain.') FROM later_journal`;

const RECORD_SET_KEY = (zoneId: string): TableColumnOptions[] => [
  key(text(zoneId, '36')),
  key(text('owner_key', '255')),
  key(text('type', '16')),
];

function recordsets(runner: QueryRunner): Table {
  return tableOf(runner, 'recordsets', [...RECORD_SET_KEY('domain_id'), integer('record_count'), integer('octets')]);
}

const RECORDSETS_FROM_RECORD_SETS =
  'INSERT INTO recordsets (domain_id, owner_key, type, record_count, octets)' +
  ' SELECT zone_id, owner_key, type, record_count, octets FROM record_sets';

function recordSets(runner: QueryRunner): Table {
  const columns = [
    ...RECORD_SET_KEY('zone_id'),
    text('id', '36'),
    text('name', '255'),
    nullable(integer('ttl')),
    nullable(text('description', '160')),
    bigint('version'),
    bigint('created_at'),
    nullable(bigint('updated_at')),
    integer('record_count'),
    integer('octets'),
  ];
  return tableOf(runner, 'record_sets', columns, [
    { name: 'record_sets_id', columnNames: ['zone_id', 'id'], isUnique: true },
  ]);
}

/** A set is as old as its first record and has that one's name. */
function recordSetsFromRecords(runner: QueryRunner): string {
  const uuid = runner.dataSource.options.type === 'postgres' ? RANDOM_UUID.postgres : RANDOM_UUID.sqlite;
  return (
    'INSERT INTO record_sets (zone_id, owner_key, type, id, name, ttl, version, created_at, record_count, octets)' +
    ` SELECT s.zone_id, s.owner_key, s.type, ${uuid}, r.name, s.ttl, 1, r.created_at, s.record_count, s.octets FROM` +
    ' (SELECT zone_id, owner_key, type, MIN(id) AS first_id, MIN(ttl) AS ttl, COUNT(*) AS record_count,' +
    ' SUM(LENGTH(rdata)) / 2 AS octets FROM records GROUP BY zone_id, owner_key, type) s' +
    ' JOIN records r ON r.zone_id = s.zone_id AND r.id = s.first_id'
  );
}
