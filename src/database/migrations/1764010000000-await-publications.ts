import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Which changes name servers have yet to have, and what tenants are told of that (behaviour 19.15). */
export class AwaitPublications1764010000000 implements MigrationInterface {
  readonly name = 'AwaitPublications1764010000000';

  async up(runner: QueryRunner): Promise<void> {
    const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });
    const zone = { name: 'zone_id', type: 'varchar', length: '36', ...bytewiseOn(runner) };
    await runner.createTable(
      new Table({
        name: 'awaited_publications',
        withoutRowid: true,
        columns: [
          { ...zone, isPrimary: true, primaryKeyConstraintName: 'awaited_publications_key' },
          ...['number', 'serial', 'changed_at', 'first_number', 'first_serial', 'first_changed_at'].map(bigint),
          { name: 'is_lagging', type: 'integer' },
          bigint('due_at'),
        ],
        indices: [{ name: 'awaited_publications_due', columnNames: ['due_at', 'zone_id'] }],
      }),
    );
    await runner.query('ALTER TABLE event_log ADD COLUMN publication text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE event_log DROP COLUMN publication');
    await runner.dropTable('awaited_publications');
  }
}
