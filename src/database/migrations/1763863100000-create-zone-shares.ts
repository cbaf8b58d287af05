import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Zones that others may put record sets into, and whose those are. */
export class CreateZoneShares1763863100000 implements MigrationInterface {
  readonly name = 'CreateZoneShares1763863100000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const key = (name: string, length = '36'): TableColumnOptions => ({ name, type: 'varchar', length, ...bytewise });
    await runner.createTable(
      new Table({
        name: 'zone_shares',
        columns: [
          { ...key('id'), isPrimary: true },
          key('zone_id'),
          key('target_tenant_id', '255'),
          { name: 'created_at', type: 'bigint' },
        ],
        indices: [
          { name: 'zone_shares_key', columnNames: ['zone_id', 'target_tenant_id'], isUnique: true },
          { name: 'zone_shares_for_tenant', columnNames: ['target_tenant_id', 'zone_id'] },
        ],
      }),
    );
    const primary = { isPrimary: true, primaryKeyConstraintName: 'record_set_creators_key' };
    await runner.createTable(
      new Table({
        name: 'record_set_creators',
        withoutRowid: true,
        columns: [{ ...key('zone_id'), ...primary }, { ...key('record_set_id'), ...primary }, key('tenant_id', '255')],
        indices: [
          { name: 'record_set_creators_of_tenant', columnNames: ['tenant_id', 'zone_id'] },
          { name: 'record_set_creators_by_set', columnNames: ['record_set_id'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('record_set_creators');
    await runner.dropTable('zone_shares');
  }
}
