import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Deleted zones whose records are removed afterwards. */
export class ExpandZonesByLeftContents1764400000000 implements MigrationInterface {
  readonly name = 'ExpandZonesByLeftContents1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    const zoneId = { name: 'zone_id', type: 'varchar', length: '36', isPrimary: true, ...bytewiseOn(runner) };
    await runner.createTable(new Table({ name: 'left_contents', columns: [zoneId], withoutRowid: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('left_contents');
  }
}
