import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Targets of ALIAS records, and what has been published of them. */
export class ExpandAliases1764490000000 implements MigrationInterface {
  readonly name = 'ExpandAliases1764490000000';

  async up(runner: QueryRunner): Promise<void> {
    const text = (name: string, length: string, isPrimary = false): TableColumnOptions => ({
      ...{ name, type: 'varchar', length, isPrimary },
      ...bytewiseOn(runner),
    });
    const inKey = (table: string, column: TableColumnOptions): TableColumnOptions => ({
      ...column,
      primaryKeyConstraintName: `${table}_key`,
    });
    await runner.createTable(
      new Table({
        name: 'alias_targets',
        withoutRowid: true,
        columns: [
          inKey('alias_targets', text('fingerprint', '32', true)),
          inKey('alias_targets', text('zone_id', '36', true)),
          { name: 'name', type: 'varchar', length: '1020' },
          { name: 'next_at', type: 'bigint' },
          text('state', '16'),
          { name: 'problem', type: 'varchar', length: '255', isNullable: true },
          { name: 'troubled_since', type: 'bigint', isNullable: true },
          { name: 'addresses', type: 'text' },
          { name: 'version', type: 'integer' },
          { name: 'is_stale', type: 'integer' },
          { name: 'resolved_at', type: 'bigint', isNullable: true },
        ],
        indices: [
          { name: 'alias_targets_due', columnNames: ['next_at', 'fingerprint', 'zone_id'] },
          { name: 'alias_targets_in_zone', columnNames: ['zone_id'], where: "zone_id <> ''" },
          { name: 'alias_targets_stale', columnNames: ['fingerprint', 'zone_id'], where: 'is_stale = 1' },
          { name: 'alias_targets_troubled', columnNames: ['state'], where: "state <> 'resolved'" },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'alias_owners',
        withoutRowid: true,
        columns: [
          inKey('alias_owners', text('zone_id', '36', true)),
          inKey('alias_owners', text('owner_key', '765', true)),
          text('record_id', '36'),
          { name: 'record_version', type: 'integer' },
          text('fingerprint', '32'),
          text('target_zone_id', '36'),
          { name: 'target_version', type: 'integer' },
        ],
        indices: [{ name: 'alias_owners_of_target', columnNames: ['fingerprint', 'target_zone_id', 'target_version'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('alias_owners');
    await runner.dropTable('alias_targets');
  }
}
