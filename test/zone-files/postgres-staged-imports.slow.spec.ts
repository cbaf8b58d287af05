import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { seedRecords } from '../support/seed.js';
import { databaseFileIn, environmentOf, removeTestData, startTestService } from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

const INCOMING = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';
/** Some dozens of portions. */
const COUNT = 30_000;

let directory: string;
let database: string;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  database = databaseFileIn(directory);
  const first = await startTestService({}, directory);
  const { id } = await newDomain(first.as('acme'));
  seedRecords(database, id, COUNT);
  await first.stop();
  for (const table of ['records', 'record_sets'])
    executeIn(database, `UPDATE ${table} SET zone_id = '${INCOMING}' WHERE zone_id = '${id}'`);
  executeIn(database, `INSERT INTO incoming_zones (zone_id, holder, renewals) VALUES ('${INCOMING}', '', 7)`);
});
afterAll(async () => {
  if (service !== undefined) killAll(service);
  await service?.ended;
  await removeTestData(directory);
});

const count = (table: string): number => {
  const sql = `SELECT COUNT(*) AS count FROM ${table} WHERE zone_id = '${INCOMING}'`;
  return lookInto(database, ({ rows }) => rows<{ count: number }>(sql))[0]!.count;
};

it('15.2 several processes together remove all rows of an interrupted import', async () => {
  service = await startServiceProcess(directory, environmentOf(directory, { SERVICE_API__WORKERS: '3' }));
  await until(() => count('incoming_zones') === 0);
  expect({ records: count('records'), sets: count('record_sets') }).toEqual({ records: 0, sets: 0 });
});
