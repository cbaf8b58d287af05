import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectStatus } from '../support/answers.js';
import { AUDIT_ON, auditPages } from '../support/audit-entries.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, WITH_POWERDNS } from '../support/powerdns.js';
import { RecordSets } from '../support/record-sets.js';
import { type Client, removeTestData, startTestService, type TestService } from '../support/service.js';
import { newZone, type ZoneBody } from '../support/v2.js';
import { WEBHOOKS_ON } from '../support/webhook-receiver.js';

const PUBLISHING = { SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: '127.0.0.1:0' };
/** Where webhooks may lead; a later rule of each kind forbids the URL of the webhook that is there. */
const HOOKS = { ...WEBHOOKS_ON, WEBHOOKS__ALLOWED_PORTS: '9' };
const OTHER_HOOKS = {
  ...{ ...HOOKS, WEBHOOKS__ALLOWED_TARGETS: '203.0.113.0/24', WEBHOOKS__ALLOWED_PORTS: '443' },
  WEBHOOKS__ALLOW_HTTP: 'False',
};
const HOOK = { url: 'http://127.0.0.1:9/a?b=c', description: 'd', actions: ['record.create'], enabled: true };
const MASTERS = ['192.0.2.53:53', '[2001:db8::53]:5353'];

let directory: string;
let service: TestService;
let member: Client;
let zone: TestDomain;
let secondary: ZoneBody;
let hook: string;

/** Rules that are stricter than they were when the zones were made. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  service = await startTestService(
    {
      ...WITH_POWERDNS,
      ...PUBLISHING,
      ...AUDIT_ON,
      ...HOOKS,
      SERVICE_MDNS__ALLOW_MASTERS: '192.0.2.0/24,2001:db8::/32',
    },
    directory,
  );
  const made = await newDomain(service, undefined, { ttl: 30 });
  await made.newRecord({ ttl: 20 });
  await made.newRecord({ data: '192.0.2.4', ttl: 20 });
  secondary = await newZone(service, `s.${made.name}`, { type: 'SECONDARY', masters: MASTERS, email: undefined });
  const { id } = await bodyOf<{ id: string }>(service.call('post', '/v1/webhooks', HOOK));
  hook = `/v1/webhooks/${id}`;
  await service.stop();
  service = await startTestService(
    {
      ...{ ...WITH_POWERDNS, ...PUBLISHING, ...AUDIT_ON, ...OTHER_HOOKS },
      ...{ SERVICE_CENTRAL__MIN_TTL: '300', SERVICE_MDNS__ALLOW_MASTERS: '203.0.113.0/24' },
    },
    directory,
  );
  member = service.as('tenant-a');
  zone = domainOf(member, await bodyOf<DomainBody>(member.call('get', `/v1/domains/${made.id}`)));
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

it('1.15, 4.4 a TTL below min_ttl is accepted back by every interface, and a new one is not', async () => {
  await answerOf(member.call('put', `/v1/domains/${zone.id}`, await zone.now()));
  for (const record of await zone.records()) await answerOf(zone.update(record.id, record));
  const before = [await zone.now(), await zone.records()];
  await answerOf(member.call('put', `/v1/domains/${zone.id}`, await zone.now()));
  for (const record of await zone.records()) await answerOf(zone.update(record.id, record));
  await answerOf(member.call('patch', `/v2/zones/${zone.id}`, { ttl: 30 }), 202);
  const sets = new RecordSets(member, zone);
  for (const { id, records, ttl } of await sets.all()) await answerOf(sets.update(id, { records, ttl }), 202);
  const powerdns = new PowerDnsClient(service);
  const { rrsets } = await powerdns.zone(zone.name);
  await powerdns.patch(zone.name, ...rrsets.map((set) => ({ ...set, changetype: 'REPLACE' })));
  await zone.import(await zone.export(), '?mode=replace');
  expect([await zone.now(), await zone.records()]).toEqual(before);
  const [record] = await zone.records();
  expectStatus(await zone.update(record?.id ?? '', { ttl: 21 }), 400);
  expectStatus(await member.call('put', `/v1/domains/${zone.id}`, { ttl: 31 }), 400);
});

it('1.15, 13.11 masters that are no longer allowed are accepted back, but no others', async () => {
  const path = `/v2/zones/${secondary.id}`;
  const read = await bodyOf<ZoneBody>(service.call('get', path));
  const { version } = await bodyOf<ZoneBody>(service.call('patch', path, { masters: read.masters }), 202);
  expect(version).toBe(read.version);
  expectStatus(await service.call('patch', path, { masters: ['192.0.2.54:53'] }), 400);
  expectStatus(await service.call('patch', path, { masters: [] }), 400);
});

it('1.15, 19.8 accepts back the URL of a webhook that is forbidden now, and rejects a different one', async () => {
  const state = async () => [await bodyOf(service.call('get', hook)), (await auditPages(service, 'limit=1000')).flat()];
  const before = await state();
  await answerOf(service.call('patch', hook, { ...HOOK, domains: null }));
  await answerOf(service.call('patch', hook, {}));
  expect(await state()).toEqual(before);
  for (const url of ['http://127.0.0.1:9/a?b=d', 'https://127.0.0.1:443/', 'https://203.0.113.1:9/'])
    expectStatus(await service.call('patch', hook, { url }), 400);
  expect(await state()).toEqual(before);
  const { url } = HOOK;
  const changed = await bodyOf(service.call('patch', hook, { url, description: 'other', enabled: false }));
  expect(changed).toMatchObject({ ...HOOK, description: 'other', enabled: false });
  expect(await bodyOf(service.call('patch', hook, { enabled: true }))).toMatchObject({ url, enabled: true });
});
