import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres, makeIndexBesideRequests } from '../schema/index-beside-requests.js';

/** A tenant's zones whose names begin with some text, in whichever case, stand together in an index. */
export class ExpandZonesByPrefix1764041000000 implements MigrationInterface {
  readonly name = 'ExpandZonesByPrefix1764041000000';

  /** Zones are made while it runs, also where there are a million. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL would order names as the language of the database does; names are ASCII.
    const name = isPostgres(runner) ? 'name COLLATE "C"' : 'name';
    await makeIndexBesideRequests(runner, 'zones_of_tenant_by_prefix', `zones (tenant_id, lower(${name}), id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX zones_of_tenant_by_prefix');
  }
}
