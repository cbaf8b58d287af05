import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, runCommand, runCommandWithin, startServiceProcess } from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

const COUNT = ON_POSTGRES ? 2000 : 20_000;
const NEW_ZONE = ['--domain', 'new.example.org.', '--create', '--email', 'hostmaster@example.org'];
/** From the start of the program to the end of its import, in milliseconds. */
const MOMENTS = [700, 1000, 1300, 1600];

let directory: string;
let env: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  env = environmentOf(directory, {});
  const lines = Array.from({ length: COUNT }, (_, at) => `host-${String(at)} A 192.0.2.1\n`);
  await writeFile(join(directory, 'large.zone'), lines.join(''));
  expect(await runCommand(directory, env, ['migrate'])).toMatchObject({ code: 0 });
});
afterAll(() => removeTestData(directory));

it('15.2 an import that is killed leaves all of it or nothing, no file, and can be repeated', async () => {
  const args = ['zone', 'import', 'large.zone', ...NEW_ZONE];
  for (const milliseconds of MOMENTS) {
    await runCommandWithin(milliseconds, directory, env, args);
    expect([0, COUNT]).toContain(storedRecords());
  }
  expect(await runCommand(directory, env, args)).toMatchObject({ code: 0 });
  expect(storedRecords()).toBe(COUNT);
  expect((await readdir(directory)).filter((name) => name.includes('spool') || name.includes('stag'))).toEqual([]);

  const service = await startServiceProcess(directory, env);
  await until(() => rowsWithoutZone() === 0);
  killAll(service);
  await service.ended;
  audit(databaseFileIn(directory));
});

/** Rows of zones that were never created. */
function rowsWithoutZone(): number {
  const tables = ['records', 'record_sets', 'journal', 'incoming_zones'];
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table} WHERE zone_id NOT IN (SELECT id FROM zones))`);
  const [row] = lookInto(databaseFileIn(directory), ({ rows }) =>
    rows<{ count: number }>(`SELECT ${counts.join(' + ')} AS count`),
  );
  return row!.count;
}

function storedRecords(): number {
  const seen = 'SELECT COUNT(*) FROM records WHERE zone_id IN (SELECT id FROM zones)';
  const count = `SELECT (${seen}) AS records, (SELECT COUNT(*) FROM zones) AS zones`;
  const [row] = lookInto(databaseFileIn(directory), ({ rows }) => rows(count));
  const { records, zones } = row as { readonly records: number; readonly zones: number };
  expect(zones).toBe(records === 0 ? 0 : 1);
  return records;
}
