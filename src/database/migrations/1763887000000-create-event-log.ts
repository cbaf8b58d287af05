import { type MigrationInterface, type QueryRunner, Table, TableIndex, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Which events each tenant has had, in the order in which it is told of them. */
export class CreateEventLog1763887000000 implements MigrationInterface {
  readonly name = 'CreateEventLog1763887000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const code = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length, ...bytewise });
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const key = (table: string) => ({ isPrimary: true, primaryKeyConstraintName: `${table}_key` });
    await runner.createTable(
      new Table({
        name: 'event_log',
        withoutRowid: true,
        columns: [
          { ...code('tenant_id', '255'), ...key('event_log') },
          { ...bigint('position'), ...key('event_log') },
          code('zone_id', '36'),
          bigint('first_number'),
          bigint('entries'),
          bigint('at'),
        ],
      }),
    );
    const zones = { name: 'event_log_zones', columnNames: ['tenant_id', 'zone_id', 'first_number'], isUnique: true };
    await runner.createIndex('event_log', new TableIndex(zones));
    await runner.createIndex('event_log', new TableIndex({ name: 'event_log_times', columnNames: ['at'] }));
    await runner.createTable(
      new Table({
        name: 'event_log_tenants',
        withoutRowid: true,
        columns: [{ ...code('tenant_id', '255'), ...key('event_log_tenants') }, bigint('last_position')],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('event_log_tenants');
    await runner.dropTable('event_log');
  }
}
