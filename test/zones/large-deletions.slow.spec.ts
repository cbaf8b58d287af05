import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { PowerDnsClient, WITH_POWERDNS } from '../support/powerdns.js';
import { killAll, runCommand, startServiceProcess } from '../support/process.js';
import { seedRecords } from '../support/seed.js';
import { type Client, databaseFileIn, environmentOf, removeTestData, startTestService } from '../support/service.js';
import type { TestService } from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { v2RefusalOf } from '../support/v2.js';

/** Their removal takes several transactions. */
const COUNT = 10_000;
const SETTINGS = {
  ...WITH_POWERDNS,
  DEFAULT__QUOTA_ZONES: '1',
  DEFAULT__QUOTA_ZONE_RECORDS: '30000',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '30000',
  DEFAULT__QUOTA_API_EXPORT_SIZE: '30000',
};

let directory: string;
let database: string;
let service: TestService;
let owner: Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  database = databaseFileIn(directory);
  service = await startTestService(SETTINGS, directory);
  owner = service.as('acme');
});
afterEach(() => audit(database));
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

/** Makes the removal fail near its end, in the order of names and in that of creation. Returns the function that lets it go on. */
function holdRemoval(): () => void {
  const when = "BEFORE DELETE ON records FOR EACH ROW WHEN (OLD.name LIKE 'h9_99.%')";
  if (!ON_POSTGRES) {
    executeIn(database, `CREATE TRIGGER held ${when} BEGIN SELECT RAISE(ABORT, 'held'); END`);
    return () => executeIn(database, 'DROP TRIGGER held');
  }
  const raise = "CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'held'; END $$";
  executeIn(database, raise);
  executeIn(database, `CREATE TRIGGER held ${when} EXECUTE FUNCTION held()`);
  return () => executeIn(database, 'DROP FUNCTION held() CASCADE');
}

/** In all tables. */
function rowsOf(zoneId: string, tables = ['records', 'record_sets', 'record_set_creators', 'left_contents']): number {
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table} WHERE zone_id = '${zoneId}')`);
  const [row] = lookInto(database, ({ rows }) => rows<{ count: number }>(`SELECT ${counts.join(' + ')} AS count`));
  return row!.count;
}

async function largeDomain(name?: string): Promise<{ domain: TestDomain; ids: readonly string[] }> {
  const domain = await newDomain(owner, name);
  return { domain, ids: seedRecords(database, domain.id, COUNT) };
}

async function partlyRemoved(zoneId: string): Promise<void> {
  await until(() => rowsOf(zoneId, ['records']) < COUNT);
  expect(rowsOf(zoneId, ['records'])).toBeGreaterThan(0);
}

it('18.11 a large domain is gone at its deletion, while its records are being removed', async () => {
  const goOn = holdRemoval();
  const { domain, ids } = await largeDomain();
  await answerOf(owner.call('post', `/v2/zones/${domain.id}/shares`, { target_project_id: 'guest' }), 201);
  const guest = service.as('guest');
  const ofGrantee = { name: domain.at('h9-of-guest'), type: 'A', records: ['192.0.2.9'] };
  const set = await bodyOf<{ id: string }>(guest.call('post', `/v2/zones/${domain.id}/recordsets`, ofGrantee), 202);
  const deletion = owner.call('delete', `/v2/zones/${domain.id}`).set('X-Designate-Delete-Shares', 'true');
  await answerOf(deletion, 202);
  await partlyRemoved(domain.id);

  for (const client of [owner, service, guest]) {
    await refusalOf(client.call('get', `/v1/domains/${domain.id}/records`), 404, 'domain_not_found');
    for (const id of [ids[0]!, ids[9]!])
      await refusalOf(client.call('get', `/v1/domains/${domain.id}/records/${id}`), 404, 'domain_not_found');
    await v2RefusalOf(client.call('get', `/v2/recordsets/${set.id}`), 404, 'recordset_not_found');
    await v2RefusalOf(client.call('get', `/v2/zones/${domain.id}/recordsets/${set.id}`), 404, 'zone_not_found');
    expect(await bodyOf(client.call('get', '/v2/recordsets?name=h9*'))).toMatchObject({ recordsets: [] });
    expect(await bodyOf(client.call('get', '/v1/search?q=h9'))).toMatchObject({ records: [] });
  }
  const powerDns = new PowerDnsClient(service, 'acme');
  await powerDns.answer('get', `/zones/${domain.name}`, undefined, 404);
  expect((await powerDns.answer('get', '/search-data?q=h9*')).body).toEqual([]);
  const check = await runCommand(directory, environmentOf(directory, SETTINGS), ['check', '--fix']);
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('all counters agree') });

  // The quota has room for one domain.
  const again = await newDomain(owner, domain.name);
  await again.newRecord();
  expect((await again.records()).map(({ name }) => name)).toEqual([again.at('www')]);
  await answerOf(owner.call('delete', `/v1/domains/${again.id}`));
  const restored = domainOf(
    owner,
    await bodyOf<DomainBody>(owner.call('post', `/v1/deleted-domains/${domain.id}/restore`)),
  );
  expect(rowsOf(restored.id, ['records'])).toBe(COUNT + 1);

  expect(rowsOf(domain.id)).toBeGreaterThan(0);
  goOn();
  await until(() => rowsOf(domain.id) === 0);
  expect(rowsOf(restored.id, ['records'])).toBe(COUNT + 1);
  await answerOf(owner.call('delete', `/v1/domains/${restored.id}`));
  await until(() => rowsOf(restored.id) === 0);
});

it('18.12 the next start goes on with a removal that was killed', async () => {
  const { domain } = await largeDomain(freshName());
  await service.stop();
  const goOn = holdRemoval();
  const killed = await startServiceProcess(directory, environmentOf(directory, SETTINGS));
  const headers = { 'X-Auth-Project-ID': 'acme' };
  const { status } = await fetch(`${killed.url}/v1/domains/${domain.id}`, { method: 'DELETE', headers });
  expect(status).toBe(200);
  await partlyRemoved(domain.id);
  killAll(killed);
  await killed.ended;
  audit(database);
  goOn();
  service = await startTestService(SETTINGS, directory);
  owner = service.as('acme');
  await until(() => rowsOf(domain.id) === 0);
});
