import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['notified_serial bigint', 'inconsistency varchar(255)', 'inconsistent_since bigint'];

/** What servers were told, apart from what they have answered; and answers that are not those of the zone. */
export class ExpandPublications1764110000000 implements MigrationInterface {
  readonly name = 'ExpandPublications1764110000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE publications ADD COLUMN ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(`ALTER TABLE publications DROP COLUMN ${column.split(' ')[0] ?? ''}`);
  }
}
