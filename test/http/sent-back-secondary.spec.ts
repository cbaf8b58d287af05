import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectStatus } from '../support/answers.js';
import { AUDIT_ON, auditPages } from '../support/audit-entries.js';
import type { DomainBody } from '../support/bodies.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { RecordSets } from '../support/record-sets.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const PUBLISHING = { SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: '127.0.0.1:0' };

let directory: string;
let primary: TestService;
let service: TestService;
let powerdns: PowerDnsClient;
let zone: TestDomain;

const start = (allowedMasters: string) =>
  startTestService(
    { ...WITH_POWERDNS, ...AUDIT_ON, ...PUBLISHING, SERVICE_MDNS__ALLOW_MASTERS: allowedMasters },
    directory,
  );

/** A zone that has come from the service that is its primary, once that network is not allowed any more. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  primary = await startTestService({ ...PUBLISHING, ...DNSSEC_ON, SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1' });
  const source = await newDomain(primary);
  await source.import(
    [
      'www 60 A 192.0.2.1',
      'www 60 A 192.0.2.2',
      '* 3600 TXT "a b" "c;d"',
      'MiXed 0 AAAA 2001:db8::1',
      'sub 900 NS ns.sub',
      'ns.sub 900 A 192.0.2.9',
      String.raw`a\032b 60 TYPE65280 \# 3 010203`,
    ].join('\n') + '\n',
  );
  await bodyOf(primary.call('put', `/v1/domains/${source.id}/dnssec`, { enabled: true }));
  await until(async () => (await primary.call('get', `/v1/domains/${source.id}/export?signed=true`)).status === 200);
  service = await start('127.0.0.0/8');
  const port = new URL(primary.running.dnsUrl ?? '').port;
  const first = new PowerDnsClient(service);
  const fields = { masters: [`127.0.0.1:${port}`], account: 'team', nameservers: undefined };
  const { id } = await first.newZone({ name: source.name, kind: 'Slave', ...fields });
  await until(async () => (await first.zone(id)).serial !== 0);
  await service.stop();
  service = await start('203.0.113.0/24');
  powerdns = new PowerDnsClient(service);
  const { domains } = await bodyOf<{ domains: DomainBody[] }>(service.call('get', `/v1/domains?name=${source.name}`));
  zone = domainOf(service, domains[0]!);
});
afterAll(async () => {
  await service.stop();
  await primary.stop();
  await removeTestData(directory);
});

type Body = Readonly<Record<string, unknown>>;

async function state(): Promise<Body> {
  return {
    ...{ domain: await zone.now(), records: await zone.records(), file: await zone.export() },
    zone: await bodyOf(service.call('get', `/v2/zones/${zone.id}`)),
    sets: await new RecordSets(service, zone).list('?limit=1000'),
    powerdns: await powerdns.zone(zone.name),
    history: await bodyOf(service.call('get', `/v1/domains/${zone.id}/history`)),
    audit: (await auditPages(service, 'limit=1000')).flat(),
  };
}

async function expectNeutral(send: () => Promise<unknown>): Promise<void> {
  const before = await state();
  await send();
  expect(await state()).toEqual(before);
}

describe('a secondary zone sent back unchanged', () => {
  it('1.15, 21.4 changes nothing as a zone of the PowerDNS API, with and without its rrsets', () =>
    expectNeutral(async () => {
      const { rrsets, ...read } = await powerdns.zone(zone.name);
      expect(rrsets.length).toBeGreaterThan(7);
      await powerdns.answer('put', `/zones/${zone.name}`, read, 204);
      await powerdns.answer('put', `/zones/${zone.name}`, { ...read, rrsets }, 204);
    }));

  it('1.15, 21.6 changes nothing as rrsets of the PowerDNS API', () =>
    expectNeutral(async () => {
      const { rrsets } = await powerdns.zone(zone.name);
      await powerdns.patch(zone.name, ...rrsets.map((set) => ({ ...set, changetype: 'REPLACE' })));
      for (const set of rrsets) await powerdns.patch(zone.name, { ...set, changetype: 'REPLACE' });
    }));

  it('21.4, 21.6 is refused once a record set differs', () =>
    expectNeutral(async () => {
      const { rrsets, ...read } = await powerdns.zone(zone.name);
      const other = replaced(zone.at('www'), 'A', ['192.0.2.1']);
      const beside = replaced(zone.at('beside'), 'A', ['192.0.2.1']);
      const soa = rrsets.find(({ type }) => type === 'SOA');
      const withoutNs = rrsets.filter(({ type, name }) => type !== 'NS' || name !== zone.name);
      for (const sets of [[...rrsets, beside], withoutNs, rrsets.slice(0, -1), [soa, other]]) {
        const refusal = await powerdns.refusal('put', `/zones/${zone.name}`, { ...read, rrsets: sets });
        expect(refusal).toContain('secondary zone');
      }
      expect(await powerdns.refusal('patch', `/zones/${zone.name}`, { rrsets: [other] })).toContain('secondary zone');
    }));

  it('1.15 changes nothing as a domain of version 1 and a zone of version 2', () =>
    expectNeutral(async () => {
      await bodyOf(service.call('put', `/v1/domains/${zone.id}`, await zone.now()));
      const { email, ttl, description, masters, attributes } = await bodyOf<Body>(
        service.call('get', `/v2/zones/${zone.id}`),
      );
      const sent = { email, ttl, description, masters, attributes };
      await answerOf(service.call('patch', `/v2/zones/${zone.id}`, sent), 202);
    }));

  it('1.15, 13.11 changes nothing as record sets of version 2; a different set is refused', () =>
    expectNeutral(async () => {
      const sets = new RecordSets(service, zone);
      for (const { id, records, ttl, description } of await sets.all()) {
        expect((await sets.update(id, { records, ttl, description })).status).toBeLessThan(203);
        expectStatus(await sets.update(id, { ttl: 77 }), 403);
      }
    }));

  it('1.15, 13.11 still refuses other primaries', async () => {
    const read = await powerdns.zone(zone.name);
    await powerdns.refusal('put', `/zones/${zone.name}`, { kind: 'Slave', masters: ['127.0.0.9'] }, 422);
    expectStatus(await service.call('patch', `/v2/zones/${zone.id}`, { masters: ['127.0.0.9'] }), 400);
    expect(await powerdns.zone(zone.name)).toEqual(read);
  });
});
