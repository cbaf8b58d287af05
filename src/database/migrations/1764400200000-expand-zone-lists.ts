import type { MigrationInterface, QueryRunner } from 'typeorm';

const BY_UPDATE = 'COALESCE(updated_at, -1), id';
const INDEXES = {
  zones_of_tenant_by_update: `zones (tenant_id, ${BY_UPDATE})`,
  zones_by_update: `zones (${BY_UPDATE})`,
  publications_failed: 'publications (zone_id, server) WHERE refusing_since IS NOT NULL OR inconsistency IS NOT NULL',
  transfers_in_refused: 'transfers_in (zone_id) WHERE refused_since IS NOT NULL',
};

/** Indexes for lists of zones by update, and of zones that name servers or primaries refuse. */
export class ExpandZoneLists1764400200000 implements MigrationInterface {
  readonly name = 'ExpandZoneLists1764400200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A new schema is created in one transaction.
    const how = runner.dataSource.options.type === 'postgres' && !runner.isTransactionActive ? 'CONCURRENTLY' : '';
    for (const [index, columns] of Object.entries(INDEXES)) {
      // An interrupted run leaves an invalid one.
      await runner.query(`DROP INDEX ${how} IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX ${how} ${index} ON ${columns}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${index}`);
  }
}
