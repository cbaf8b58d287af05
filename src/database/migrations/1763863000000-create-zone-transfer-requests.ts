import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Offers of zones to other tenants, and what was taken. */
export class CreateZoneTransferRequests1763863000000 implements MigrationInterface {
  readonly name = 'CreateZoneTransferRequests1763863000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const key = (name: string, length = '36'): TableColumnOptions => ({ ...text(name, length), ...bytewise });
    const times: TableColumnOptions[] = [
      { name: 'created_at', type: 'bigint' },
      { name: 'updated_at', type: 'bigint', isNullable: true },
    ];
    await runner.createTable(
      new Table({
        name: 'zone_transfer_requests',
        columns: [
          { ...key('id'), isPrimary: true },
          key('zone_id'),
          key('tenant_id', '255'),
          { ...key('target_tenant_id', '255'), isNullable: true },
          text('transfer_key', '8'),
          { ...text('description', '160'), isNullable: true },
          text('status', '8'),
          ...times,
        ],
        indices: [
          { name: 'zone_transfer_requests_of_tenant', columnNames: ['tenant_id', 'created_at', 'id'] },
          { name: 'zone_transfer_requests_for_tenant', columnNames: ['target_tenant_id', 'created_at', 'id'] },
        ],
      }),
    );
    await runner.query(
      "CREATE UNIQUE INDEX zone_transfer_requests_active ON zone_transfer_requests (zone_id) WHERE status = 'ACTIVE'",
    );
    await runner.createTable(
      new Table({
        name: 'zone_transfer_accepts',
        columns: [
          { ...key('id'), isPrimary: true },
          key('request_id'),
          key('zone_id'),
          key('tenant_id', '255'),
          { name: 'created_at', type: 'bigint' },
        ],
        indices: [{ name: 'zone_transfer_accepts_of_request', columnNames: ['request_id'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('zone_transfer_accepts');
    await runner.dropTable('zone_transfer_requests');
  }
}
