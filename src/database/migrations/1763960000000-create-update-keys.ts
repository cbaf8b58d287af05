import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Keys by which tenants' zones are updated over DNS. */
export class CreateUpdateKeys1763960000000 implements MigrationInterface {
  readonly name = 'CreateUpdateKeys1763960000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
    const code = (name: string, length: string): TableColumnOptions => ({ ...text(name, length), ...bytewise });
    const optional = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
    await runner.createTable(
      new Table({
        name: 'update_keys',
        columns: [
          { ...code('id', '36'), isPrimary: true },
          code('name', '255'),
          code('algorithm', '16'),
          text('secret', '255'),
          code('tenant_id', '255'),
          optional(text('description', '160')),
          optional({ name: 'restrictions', type: 'text' }),
          bigint('created_at'),
          optional(bigint('expires_at')),
          optional(bigint('revoked_at')),
          bigint('changed_at'),
        ],
      }),
    );
    await runner.query('CREATE UNIQUE INDEX update_keys_name ON update_keys (name) WHERE revoked_at IS NULL');
    await runner.query('CREATE INDEX update_keys_of_tenant ON update_keys (tenant_id, created_at, id)');
    await runner.query('CREATE INDEX update_keys_changed ON update_keys (changed_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('update_keys');
  }
}
