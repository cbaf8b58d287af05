import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The id of a deleted record goes on being a marker of lists; it is looked for in the journal. */
export class IndexDeletedRecords1763810000000 implements MigrationInterface {
  readonly name = 'IndexDeletedRecords1763810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX journal_deleted_records ON journal (zone_id, record_id) WHERE action = 'record.delete'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX journal_deleted_records');
  }
}
