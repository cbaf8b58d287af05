import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tenant is shown the zones that it has deleted (behaviour 11.6). */
export class FindDeletedZones1763970200000 implements MigrationInterface {
  readonly name = 'FindDeletedZones1763970200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX journal_former_of_owner ON journal (former_owner, zone_id) WHERE action = 'zone.delete'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX journal_former_of_owner');
  }
}
