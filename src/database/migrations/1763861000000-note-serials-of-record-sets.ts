import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which change of its zone a record set came out of last: version 2 says of each whether that is published. */
export class NoteSerialsOfRecordSets1763861000000 implements MigrationInterface {
  readonly name = 'NoteSerialsOfRecordSets1763861000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE record_sets ADD COLUMN serial bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE record_sets DROP COLUMN serial');
  }
}
