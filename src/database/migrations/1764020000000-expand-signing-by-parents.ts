import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  TableColumn,
  type TableColumnOptions,
  TableIndex,
} from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** When the parents of signed zones are looked at, and what was seen there. */
export class ExpandSigningByParents1764020000000 implements MigrationInterface {
  readonly name = 'ExpandSigningByParents1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length, ...bytewise });
    const number = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const orNull = (column: TableColumnOptions): TableColumnOptions => ({ ...column, isNullable: true });
    await runner.addColumn('zone_signing', new TableColumn(orNull(number('parent_due_at'))));
    await runner.addColumn('zone_signing', new TableColumn({ ...number('former_until'), default: 0 }));
    await runner.query('UPDATE zone_signing SET parent_due_at = 0');
    await runner.createIndex(
      'zone_signing',
      new TableIndex({ name: 'zone_signing_parent_due', columnNames: ['parent_due_at', 'zone_id'] }),
    );
    await runner.createTable(
      new Table({
        name: 'zone_parents',
        columns: [
          { ...text('zone_id', '36'), isPrimary: true },
          text('name_key', '255'),
          { name: 'is_left', type: 'integer' },
          { name: 'sight', type: 'text' },
          number('seen_at'),
          orNull(number('agreed_since')),
          orNull(number('ds_ttl')),
          orNull(text('notified_for', '24')),
          orNull(number('mismatch_since')),
        ],
        indices: [
          { name: 'zone_parents_left', columnNames: ['is_left'] },
          { name: 'zone_parents_mismatch', columnNames: ['mismatch_since'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('zone_parents');
    await runner.dropIndex('zone_signing', 'zone_signing_parent_due');
    for (const column of ['former_until', 'parent_due_at']) await runner.dropColumn('zone_signing', column);
  }
}
