import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { until } from '../support/until.js';
import { wideZoneRow } from '../support/wide-zones.js';

const COUNT = 10_000;
const TENANT = 'wide';
const QUESTIONS = 10;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const rows = Array.from({ length: COUNT }, (_, at) => wideZoneRow(at, `d${at}`, TENANT));
  storeRows(service.databaseFile, { zones: rows }, 'UPDATE tenants SET zone_count = zone_count');
  queryPostgres(service.databaseFile, 'ANALYZE zones');
});
afterAll(() => service.stop());

/** Zone rows that PostgreSQL has scanned, and its number of lookups by name. The text index reads by primary key meanwhile. */
function readSoFar(): { readonly rows: number; readonly looks: number } {
  const sql =
    "SELECT SUM(idx_tup_read) AS rows, SUM(idx_scan) FILTER (WHERE indexrelname = 'zones_name_key') AS looks" +
    " FROM pg_stat_user_indexes JOIN pg_index USING (indexrelid) WHERE relname = 'zones' AND NOT indisprimary";
  const [read] = queryPostgres(service.databaseFile, sql) as [{ rows: unknown; looks: unknown }];
  return { rows: Number(read.rows), looks: Number(read.looks) };
}

it('1.12 a zone is found by its name without a scan', async () => {
  const { rows, looks } = readSoFar();
  for (let at = 0; at < QUESTIONS; at += 1) {
    const name = `d${(at * 997) % COUNT}.wide.example.`;
    const { zones } = await bodyOf<{ zones: { name: string }[] }>(
      service.as(TENANT).call('get', `/v2/zones?name=${name}`),
    );
    expect(zones.map((zone) => zone.name)).toEqual([name]);
  }
  // Figures of PostgreSQL come a second late.
  await until(async () => readSoFar().looks >= looks + QUESTIONS);
  expect(readSoFar().rows - rows).toBeLessThan(COUNT);
});
