import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres, makeIndexBesideRequests } from '../schema/index-beside-requests.js';

/** Whether zones are generated from something else than the configuration says is seen at the two ends of an index. */
export class ExpandZonesByGeneration1764040000000 implements MigrationInterface {
  readonly name = 'ExpandZonesByGeneration1764040000000';

  /** Zones are made while it runs, also where there are a million. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL has no entries of more than 2,704 octets, and keeps equal ones in little space.
    const key = isPostgres(runner) ? 'hashtextextended(generation, 0)' : 'generation';
    await makeIndexBesideRequests(runner, 'zones_by_generation', `zones (${key}) WHERE type = 'PRIMARY'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX zones_by_generation');
  }
}
