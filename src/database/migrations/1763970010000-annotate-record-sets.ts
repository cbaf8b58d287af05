import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments of record sets, and records that are kept and not served. */
export class AnnotateRecordSets1763970010000 implements MigrationInterface {
  readonly name = 'AnnotateRecordSets1763970010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE record_sets ADD COLUMN annotations text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE record_sets DROP COLUMN annotations');
  }
}
