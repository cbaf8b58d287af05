import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** What a token is limited to, which token has made it, and when it was used last. */
export class NarrowTokens1763870000000 implements MigrationInterface {
  readonly name = 'NarrowTokens1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    const { collation } = bytewiseOn(runner);
    const bytewise = collation === undefined ? '' : ` COLLATE "${collation}"`;
    await runner.query(`ALTER TABLE tokens ADD COLUMN parent_id varchar(36)${bytewise}`);
    await runner.query('ALTER TABLE tokens ADD COLUMN restrictions text');
    await runner.query('ALTER TABLE tokens ADD COLUMN last_used_at bigint');
    await runner.query('ALTER TABLE tokens ADD COLUMN last_used_from varchar(64)');
    await runner.query('CREATE INDEX tokens_parent ON tokens (parent_id)');
    await runner.query('CREATE INDEX tokens_tenant ON tokens (tenant_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tokens_tenant');
    await runner.query('DROP INDEX tokens_parent');
    for (const column of ['last_used_from', 'last_used_at', 'restrictions', 'parent_id'])
      await runner.query(`ALTER TABLE tokens DROP COLUMN ${column}`);
  }
}
