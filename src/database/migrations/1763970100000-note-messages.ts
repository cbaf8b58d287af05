import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is said of a change is kept in the journal (behaviour 9.3). */
export class NoteMessages1763970100000 implements MigrationInterface {
  readonly name = 'NoteMessages1763970100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE journal ADD COLUMN message varchar(500)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE journal DROP COLUMN message');
  }
}
