import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Imports and exports that a client asks for and looks at later. */
export class CreateZoneTasks1763862000000 implements MigrationInterface {
  readonly name = 'CreateZoneTasks1763862000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const id = (name: string): TableColumnOptions => ({ name, type: 'varchar', length: '36', ...bytewise });
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    await runner.createTable(
      new Table({
        name: 'zone_tasks',
        columns: [
          { ...id('id'), isPrimary: true },
          text('kind', '8'),
          { ...text('tenant_id', '255'), ...bytewise },
          { ...id('zone_id'), isNullable: true },
          { ...bigint('zone_version'), isNullable: true },
          { ...bigint('serial'), isNullable: true },
          text('status', '8'),
          { ...text('message', '1024'), isNullable: true },
          bigint('renewals'),
          { name: 'version', type: 'integer' },
          bigint('created_at'),
          { ...bigint('updated_at'), isNullable: true },
        ],
        indices: [
          { name: 'zone_tasks_of_tenant', columnNames: ['tenant_id', 'kind', 'created_at', 'id'] },
          { name: 'zone_tasks_by_time', columnNames: ['created_at'] },
        ],
      }),
    );
    await runner.query("CREATE INDEX zone_tasks_pending ON zone_tasks (id) WHERE status = 'PENDING'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('zone_tasks');
  }
}
