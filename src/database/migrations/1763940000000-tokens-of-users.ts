import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

/** Who comes with a credential of an issuer or of Keystone makes tokens too, which are found by the user that made them. */
export class TokensOfUsers1763940000000 implements MigrationInterface {
  readonly name = 'TokensOfUsers1763940000000';

  async up(runner: QueryRunner): Promise<void> {
    const { collation } = bytewiseOn(runner);
    const bytewise = collation === undefined ? '' : ` COLLATE "${collation}"`;
    await runner.query(`ALTER TABLE tokens ADD COLUMN made_by_user varchar(255)${bytewise}`);
    await runner.query(
      'CREATE INDEX tokens_of_users ON tokens (tenant_id, made_by_user, created_at, id) WHERE made_by_user IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tokens_of_users');
    await runner.query('ALTER TABLE tokens DROP COLUMN made_by_user');
  }
}
