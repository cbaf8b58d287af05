import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Written against TypeORM's tables rather than in SQL, so that one migration serves every database. */
export class CreateTables1763600000000 implements MigrationInterface {
  readonly name = 'CreateTables1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tablesOn(runner)) await runner.createTable(table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tablesOn(runner).toReversed()) await runner.dropTable(table);
  }
}

const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
const long = (name: string): TableColumnOptions => ({ name, type: 'text' });
const integer = (name: string): TableColumnOptions => ({ name, type: 'integer' });
const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
const nullable = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });

function tablesOn(runner: QueryRunner): Table[] {
  const bytewise = (column: TableColumnOptions): TableColumnOptions => ({ ...column, ...bytewiseOn(runner) });
  const key = (name: string, length: string): TableColumnOptions =>
    bytewise({ ...text(name, length), isPrimary: true });
  return [
    new Table({
      name: 'domains',
      columns: [
        key('id', '36'),
        bytewise(text('tenant_id', '255')),
        text('name', '255'),
        bytewise(text('name_key', '255')),
        text('email', '255'),
        integer('ttl'),
        nullable(text('description', '160')),
        bigint('serial'),
        bigint('version'),
        integer('record_count'),
        integer('recordset_count'),
        bigint('changed_at'),
        bigint('created_at'),
        nullable(bigint('updated_at')),
      ],
      indices: [
        { name: 'domains_name_key', columnNames: ['name_key'], isUnique: true },
        { name: 'domains_of_tenant', columnNames: ['tenant_id', 'id'] },
      ],
    }),
    new Table({ name: 'tenants', columns: [key('id', '255'), integer('domain_count')] }),
    new Table({
      name: 'journal',
      withoutRowid: true,
      columns: [
        key('domain_id', '36'),
        { name: 'number', type: 'bigint', isPrimary: true },
        bigint('serial'),
        text('action', '32'),
        nullable(long('before')),
        nullable(long('after')),
        text('tenant_id', '255'),
        text('request_id', '64'),
        bigint('at'),
      ],
    }),
    new Table({
      name: 'records',
      withoutRowid: true,
      columns: [
        key('domain_id', '36'),
        key('id', '36'),
        text('name', '255'),
        bytewise(text('owner_key', '255')),
        bytewise(text('type', '16')),
        long('data'),
        nullable(integer('priority')),
        nullable(integer('ttl')),
        nullable(text('description', '160')),
        long('rdata'),
        bytewise(text('fingerprint', '32')),
        integer('version'),
        bigint('created_at'),
        nullable(bigint('updated_at')),
      ],
      indices: [
        { name: 'records_fingerprint', columnNames: ['domain_id', 'owner_key', 'type', 'fingerprint'], isUnique: true },
      ],
    }),
    new Table({
      name: 'recordsets',
      withoutRowid: true,
      columns: [
        key('domain_id', '36'),
        key('owner_key', '255'),
        key('type', '16'),
        integer('record_count'),
        integer('octets'),
      ],
    }),
    new Table({
      name: 'tokens',
      columns: [
        key('id', '36'),
        bytewise(text('hash', '64')),
        bytewise(text('tenant_id', '255')),
        text('roles', '255'),
        nullable(text('description', '160')),
        bigint('created_at'),
        nullable(bigint('expires_at')),
        nullable(bigint('revoked_at')),
      ],
      indices: [{ name: 'tokens_hash', columnNames: ['hash'], isUnique: true }],
    }),
  ];
}
