import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Zones may have NS of their own at the apex, and keep what an interface has to give back to its clients. */
export class KeepApexNs1763970000000 implements MigrationInterface {
  readonly name = 'KeepApexNs1763970000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zones ADD COLUMN apex_ns text');
    await runner.query('ALTER TABLE zones ADD COLUMN kept_fields text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE zones DROP COLUMN kept_fields');
    await runner.query('ALTER TABLE zones DROP COLUMN apex_ns');
  }
}
