import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much the kept answers of a tenant weigh. */
export class WeighKeptAnswers1763891100000 implements MigrationInterface {
  readonly name = 'WeighKeptAnswers1763891100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE kept_answers ADD COLUMN octets integer NOT NULL DEFAULT 0');
    await runner.query('UPDATE kept_answers SET octets = 1024 + octet_length(body)');
    await runner.query('CREATE INDEX kept_answers_of_tenant ON kept_answers (tenant_id, kept_at, octets)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX kept_answers_of_tenant');
    await runner.query('ALTER TABLE kept_answers DROP COLUMN octets');
  }
}
