import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres, makeIndexBesideRequests } from '../schema/index-beside-requests.js';

/** A tenant's zones are listed by their names, as they are written and in canonical order, each by an index of its own. */
export class ExpandZonesByNames1764020000000 implements MigrationInterface {
  readonly name = 'ExpandZonesByNames1764020000000';

  /** Zones are made while it runs, also where there are a million. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL would order names as the language of the database does.
    const bytewise = isPostgres(runner) ? ' COLLATE "C"' : '';
    await makeIndexBesideRequests(runner, 'zones_of_tenant_by_name', `zones (tenant_id, name${bytewise}, id)`);
    await makeIndexBesideRequests(runner, 'zones_of_tenant_by_key', 'zones (tenant_id, name_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX zones_of_tenant_by_key');
    await runner.query('DROP INDEX zones_of_tenant_by_name');
  }
}
