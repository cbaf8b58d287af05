import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  zones_of_tenant_by_ttl: 'zones (tenant_id, ttl, id)',
  zones_of_tenant_by_email: 'zones (tenant_id, lower(email COLLATE "C"), id)',
  zones_secondary: "zones (tenant_id, id) WHERE type = 'SECONDARY'",
};

/** Indexes for lists of a tenant's zones with a TTL, an email or a type, and by TTL. */
export class ExpandZoneFilters1764510000000 implements MigrationInterface {
  readonly name = 'ExpandZoneFilters1764510000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    // A new schema is created in one transaction.
    const how = isPostgres && !runner.isTransactionActive ? 'CONCURRENTLY' : '';
    for (const [index, columns] of Object.entries(INDEXES)) {
      // An interrupted run leaves an invalid one.
      await runner.query(`DROP INDEX ${how} IF EXISTS ${index}`);
      await runner.query(
        `CREATE INDEX ${how} ${index} ON ${isPostgres ? columns : columns.replace(' COLLATE "C"', '')}`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${index}`);
  }
}
