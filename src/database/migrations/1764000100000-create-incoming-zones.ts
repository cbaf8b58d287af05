import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Zones whose records come before them, so that what is left of a process that has ended is found. */
export class CreateIncomingZones1764000100000 implements MigrationInterface {
  readonly name = 'CreateIncomingZones1764000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'incoming_zones',
        withoutRowid: true,
        columns: [
          { name: 'zone_id', type: 'varchar', length: '36', isPrimary: true, ...bytewiseOn(runner) },
          { name: 'holder', type: 'varchar', length: '255' },
          { name: 'renewals', type: 'integer' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('incoming_zones');
  }
}
