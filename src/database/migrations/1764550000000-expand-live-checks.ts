import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** The last live check of each zone, and when the next one is due. */
export class ExpandLiveChecks1764550000000 implements MigrationInterface {
  readonly name = 'ExpandLiveChecks1764550000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'live_checks',
        columns: [
          {
            ...{ name: 'zone_id', type: 'varchar', length: '36', isPrimary: true },
            ...{ primaryKeyConstraintName: 'live_checks_key', ...bytewiseOn(runner) },
          },
          { name: 'next_at', type: 'bigint', isNullable: true },
          { name: 'checked_at', type: 'bigint', isNullable: true },
          { name: 'is_complete', type: 'integer' },
          { name: 'queries', type: 'integer' },
          { name: 'errors', type: 'integer' },
          { name: 'warnings', type: 'integer' },
          { name: 'notices', type: 'integer' },
          { name: 'event_at', type: 'bigint', isNullable: true },
          { name: 'failing', type: 'text', isNullable: true },
          { name: 'findings', type: 'text' },
        ],
        indices: [
          { name: 'live_checks_due', columnNames: ['next_at', 'zone_id'] },
          { name: 'live_checks_untold', columnNames: ['event_at', 'zone_id'], where: 'event_at IS NOT NULL' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('live_checks');
  }
}
