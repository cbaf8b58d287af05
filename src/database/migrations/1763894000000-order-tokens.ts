import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens are listed page after page, and those that others have made are counted, each by an index of its own. */
export class OrderTokens1763894000000 implements MigrationInterface {
  readonly name = 'OrderTokens1763894000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tokens_tenant');
    await runner.query('CREATE INDEX tokens_tenant ON tokens (tenant_id, created_at, id)');
    await runner.query('CREATE INDEX tokens_in_order ON tokens (created_at, id)');
    await runner.query('CREATE INDEX tokens_made ON tokens (tenant_id, parent_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tokens_made');
    await runner.query('DROP INDEX tokens_in_order');
    await runner.query('DROP INDEX tokens_tenant');
    await runner.query('CREATE INDEX tokens_tenant ON tokens (tenant_id)');
  }
}
