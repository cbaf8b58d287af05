import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a name server refuses a zone, for the statuses of version 2. */
export class NoteRefusals1763860100000 implements MigrationInterface {
  readonly name = 'NoteRefusals1763860100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publications ADD COLUMN refusing_since bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publications DROP COLUMN refusing_since');
  }
}
