import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The SOA of a zone may have a TTL of its own. */
export class ExpandSoaTtl1764120000000 implements MigrationInterface {
  readonly name = 'ExpandSoaTtl1764120000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zones ADD COLUMN soa_ttl integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zones DROP COLUMN soa_ttl');
  }
}
