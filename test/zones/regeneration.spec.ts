import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { databaseFileIn, removeTestData, type Settings, startTestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
});
afterEach(() => removeTestData(directory));

const withMinimum = (seconds: number): Settings => ({ SERVICE_CENTRAL__SOA_MINIMUM: String(seconds) });

async function makeThree(settings: Settings): Promise<TestDomain[]> {
  const service = await startTestService(settings, directory);
  const domains = [await newDomain(service), await newDomain(service), await newDomain(service)];
  await service.stop();
  return domains;
}

/** How often a start has changed the generated records of each domain. */
async function regeneratedAt(settings: Settings, domains: readonly TestDomain[]): Promise<number[]> {
  const before = domains.map(({ id }) => countOf(id));
  await (await startTestService(settings, directory)).stop();
  return domains.map(({ id }, at) => countOf(id) - before[at]!);
}

function countOf(id: string): number {
  return journalOf(databaseFileIn(directory), id).filter(({ action }) => action === 'zone.regenerate').length;
}

/** The state left by another process with a different configuration. */
function store(id: string, generation: string): void {
  storeRows(databaseFileIn(directory), {}, `UPDATE zones SET generation = ${generation} WHERE id = '${id}'`);
}

it('12.2 every domain follows a changed configuration once', async () => {
  const domains = await makeThree(withMinimum(300));
  expect(await regeneratedAt(withMinimum(300), domains)).toEqual([0, 0, 0]);
  expect(await regeneratedAt(withMinimum(301), domains)).toEqual([1, 1, 1]);
  expect(await regeneratedAt(withMinimum(301), domains)).toEqual([0, 0, 0]);
});

it.each([
  ['without a generation', 'NULL'],
  ['with one that sorts before the others', "'{}'"],
  ['with one that sorts behind them', `replace(generation, '{"nameServers"', '{"z":0,"nameServers"')`],
])('12.2 one domain of several is found by the next start, %s', async (_, generation) => {
  const domains = await makeThree({});
  store(domains[1]!.id, generation);
  expect(await regeneratedAt({}, domains)).toEqual([0, 1, 0]);
});
