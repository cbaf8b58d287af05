import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Which name server serves which zone under which serial, and which process sees to it. */
export class CreatePublications1763840000000 implements MigrationInterface {
  readonly name = 'CreatePublications1763840000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = bytewiseOn(runner);
    const key = (name: string, length: string): TableColumnOptions => ({
      name,
      type: 'varchar',
      length,
      isPrimary: true,
      ...bytewise,
    });
    const instant = (name: string): TableColumnOptions => ({ name, type: 'bigint', isNullable: true });
    await runner.createTable(
      new Table({
        name: 'publications',
        withoutRowid: true,
        columns: [
          { ...key('zone_id', '36'), primaryKeyConstraintName: 'publications_key' },
          { ...key('server', '64'), primaryKeyConstraintName: 'publications_key' },
          instant('serial'),
          instant('changed_at'),
          instant('checked_at'),
          { name: 'error', type: 'varchar', length: '255', isNullable: true },
          instant('failing_since'),
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'leases',
        columns: [
          key('name', '32'),
          { name: 'holder', type: 'varchar', length: '255', ...bytewise },
          { name: 'renewals', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('leases');
    await runner.dropTable('publications');
  }
}
