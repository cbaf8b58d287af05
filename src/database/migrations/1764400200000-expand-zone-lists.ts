import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = { zones_of_tenant_by_update: 'tenant_id, ', zones_by_update: '' };

/** Indexes for lists in the order of `updated_at`. On PostgreSQL, writers do not wait for them. */
export class ExpandZoneLists1764400200000 implements MigrationInterface {
  readonly name = 'ExpandZoneLists1764400200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A new schema is created in one transaction.
    const how = runner.dataSource.options.type === 'postgres' && !runner.isTransactionActive ? 'CONCURRENTLY' : '';
    for (const [index, tenant] of Object.entries(INDEXES)) {
      // An interrupted run leaves an invalid one.
      await runner.query(`DROP INDEX ${how} IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX ${how} ${index} ON zones (${tenant}COALESCE(updated_at, -1), id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${index}`);
  }
}
