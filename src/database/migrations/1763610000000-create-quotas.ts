import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

const LIMITS = ['zones', 'zone_recordsets', 'zone_records', 'recordset_records', 'api_export_size'];

export class CreateQuotas1763610000000 implements MigrationInterface {
  readonly name = 'CreateQuotas1763610000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'quotas',
        columns: [
          { name: 'tenant_id', type: 'varchar', length: '255', isPrimary: true, ...bytewiseOn(runner) },
          ...LIMITS.map((name) => ({ name, type: 'integer', isNullable: true })),
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('quotas');
  }
}
