import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a record is to be removed. The index has those records alone that are. */
export class ExpireRecords1763881000000 implements MigrationInterface {
  readonly name = 'ExpireRecords1763881000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE records ADD COLUMN expires_at bigint');
    await runner.query('CREATE INDEX records_expiry ON records (expires_at, zone_id, id) WHERE expires_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX records_expiry');
    await runner.query('ALTER TABLE records DROP COLUMN expires_at');
  }
}
