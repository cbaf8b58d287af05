import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ZonePublication } from '../../src/zones/zone-publication.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const SERVERS = [1, 2, 3, 4].map((at) => `192.0.2.${at}:53`);
const ZONES = 50_000;
/** As many as a portion of a list has. */
const LISTED = 500;

let service: TestService;
beforeAll(async () => {
  // Another process publishes, so that the rows of the test stay.
  service = await startTestService({ SERVICE_MDNS__SECONDARIES: SERVERS.join(',') });
});
afterAll(() => service.stop());

it('13.3 statuses of listed zones are worked out without a look at the publications of all zones', () => {
  const ask = (sql: string): unknown[] => queryPostgres(service.databaseFile, sql);
  for (const server of SERVERS)
    ask(
      'INSERT INTO publications (zone_id, server, serial)' +
        ` SELECT 'zone-' || i, '${server}', 1 FROM generate_series(1, ${ZONES}) i`,
    );
  ask('ANALYZE publications');
  const status = service.running.get(ZonePublication).statusSql('z.id', 'z.serial');
  const zones = `SELECT 'zone-' || i AS id, CAST(1 AS bigint) AS serial FROM generate_series(1, ${LISTED}) i`;
  const steps = ask(`EXPLAIN SELECT ${status} FROM (${zones}) z`) as { readonly 'QUERY PLAN': string }[];
  const plan = steps.map((step) => step['QUERY PLAN']).join('\n');
  expect(plan).toContain('publications_key');
  expect(plan).not.toContain('Seq Scan on publications');
});
