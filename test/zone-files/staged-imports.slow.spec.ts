import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import { AUDIT_ON, auditPages } from '../support/audit-entries.js';
import { audit, contentsOf } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { runCommand } from '../support/process.js';
import { seedRecords } from '../support/seed.js';
import {
  databaseFileIn,
  environmentOf,
  removeTestData,
  startTestService,
  type TestService,
} from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

const INCOMING = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';
/** More than a chunk of any kind. */
const COUNT = 2500;

let directory: string;
let database: string;
let service: TestService;
let domain: TestDomain;
let before: string;

/** A staged zone of another process: rows like those of an existing zone, except some sets. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  database = databaseFileIn(directory);
  service = await startTestService(AUDIT_ON, directory);
  domain = await newDomain(service.as('acme'));
  seedRecords(database, domain.id, COUNT);
  before = contentsOf(database);
  markIncoming(process.ppid);
  for (const table of ['records', 'record_sets', 'journal']) copyRows(table);
  executeIn(database, `DELETE FROM record_sets WHERE zone_id = '${INCOMING}' AND owner_key LIKE '%7'`);
  const afterAllElse = '(SELECT MAX(at) + 2 FROM journal)';
  executeIn(database, `UPDATE journal SET at = ${afterAllElse} WHERE zone_id = '${INCOMING}'`);
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

it('15.2 a staged zone is invisible before it exists', async () => {
  const member = service.as('acme');
  const { domains } = await bodyOf<{ domains: { id: string }[] }>(member.call('get', '/v1/domains'));
  expect(domains.map(({ id }) => id)).toEqual([domain.id]);
  await refusalOf(member.call('get', `/v1/domains/${INCOMING}/records`), 404, 'domain_not_found');
  const entries = (await auditPages(service, 'limit=1000')).flat();
  expect(new Set(entries.map(({ domain: of }) => of?.id))).toEqual(new Set([domain.id]));
  expect(entries).toHaveLength(COUNT + 1);
});

it('15.2 the check of counters leaves out a zone that is on its way', async () => {
  expect(await runCommand(directory, environmentOf(directory), ['check', '--fix'])).toMatchObject({ code: 0 });
  expect(rowsOfIncoming()).toBeGreaterThan(2 * COUNT);
});

it('15.2 removes only the staged rows of an exited process', async () => {
  await service.stop();
  markIncoming(NO_PROCESS);
  service = await startTestService(AUDIT_ON, directory);
  await until(() => rowsOfIncoming() === 0);
  expect(contentsOf(database)).toBe(before);
  audit(database);
});

/** Larger than any process id. */
const NO_PROCESS = 4_194_305;

function markIncoming(pid: number): void {
  executeIn(database, 'DELETE FROM incoming_zones');
  const holder = `${hostname().slice(0, 200)}/${pid}/${randomUUID()}`;
  executeIn(database, `INSERT INTO incoming_zones (zone_id, holder, renewals) VALUES ('${INCOMING}', '${holder}', 7)`);
}

function copyRows(table: string): void {
  const [row] = lookInto(database, ({ rows }) => rows<object>(`SELECT * FROM ${table} LIMIT 1`));
  const columns = Object.keys(row!).filter((column) => column !== 'zone_id');
  executeIn(
    database,
    `INSERT INTO ${table} (zone_id, ${columns.join(', ')}) SELECT '${INCOMING}', ${columns.join(', ')} FROM ${table}`,
  );
}

/** In all tables, the mark included. */
function rowsOfIncoming(): number {
  const counts = ['records', 'record_sets', 'journal', 'incoming_zones'].map(
    (table) => `(SELECT COUNT(*) FROM ${table} WHERE zone_id = '${INCOMING}')`,
  );
  const [row] = lookInto(database, ({ rows }) => rows<{ count: number }>(`SELECT ${counts.join(' + ')} AS count`));
  return row!.count;
}
