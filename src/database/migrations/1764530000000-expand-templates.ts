import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Zone templates of tenants, and of all tenants. */
export class ExpandTemplates1764530000000 implements MigrationInterface {
  readonly name = 'ExpandTemplates1764530000000';

  async up(runner: QueryRunner): Promise<void> {
    const text = (name: string, length: string): TableColumnOptions => ({
      ...{ name, type: 'varchar', length },
      ...bytewiseOn(runner),
    });
    await runner.createTable(
      new Table({
        name: 'zone_templates',
        columns: [
          { ...text('id', '36'), isPrimary: true, primaryKeyConstraintName: 'zone_templates_key' },
          { name: 'created_at', type: 'bigint' },
          { name: 'updated_at', type: 'bigint', isNullable: true },
          text('tenant_id', '255'),
          text('name', '63'),
          { name: 'description', type: 'varchar', length: '160', isNullable: true },
          { name: 'records', type: 'text' },
        ],
        indices: [{ name: 'zone_templates_by_name', columnNames: ['tenant_id', 'name'], isUnique: true }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('zone_templates');
  }
}
