import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tenant's zones are listed by their names, as they are written and in canonical order, each by an index of its own. */
export class ExpandZonesByNames1764020000000 implements MigrationInterface {
  readonly name = 'ExpandZonesByNames1764020000000';

  /** Zones are made while it runs, also where there are a million. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL would order names as the language of the database does.
    const bytewise = isPostgres(runner) ? ' COLLATE "C"' : '';
    await makeIndex(runner, 'zones_of_tenant_by_name', `zones (tenant_id, name${bytewise}, id)`);
    await makeIndex(runner, 'zones_of_tenant_by_key', 'zones (tenant_id, name_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX zones_of_tenant_by_key');
    await runner.query('DROP INDEX zones_of_tenant_by_name');
  }
}

/** A new schema is made in one transaction, in which PostgreSQL makes no index concurrently; nobody waits for it either. */
async function makeIndex(runner: QueryRunner, name: string, columns: string): Promise<void> {
  const isBesideRequests = isPostgres(runner) && !runner.isTransactionActive;
  const how = isBesideRequests ? ' CONCURRENTLY' : '';
  // One that was interrupted has left an index behind that is not used.
  if (isBesideRequests) await runner.query(`DROP INDEX${how} IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX${how} ${name} ON ${columns}`);
}

function isPostgres(runner: QueryRunner): boolean {
  return runner.dataSource.options.type === 'postgres';
}
