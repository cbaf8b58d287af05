import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { contentsOf, PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { RecordSets } from '../support/record-sets.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
let powerdns: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService({
    ...WITH_POWERDNS,
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.,ns2.provider.example.',
  });
  powerdns = new PowerDnsClient(service);
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

interface Task {
  readonly id: string;
  readonly status: string;
  readonly zone_id: string;
  readonly message: string | null;
}

async function exported({ id: zoneId }: TestDomain): Promise<string> {
  const { id } = await bodyOf<Task>(service.call('post', `/v2/zones/${zoneId}/tasks/export`), 202);
  return (await answerOf(service.call('get', `/v2/zones/tasks/exports/${id}/export`))).text;
}

async function imported(text: string): Promise<TestDomain> {
  const path = '/v2/zones/tasks/imports';
  const { id } = await bodyOf<Task>(service.call('post', path).set('Content-Type', 'text/dns').send(text), 202);
  let task = await bodyOf<Task>(service.call('get', `${path}/${id}`));
  await until(async () => (task = await bodyOf<Task>(service.call('get', `${path}/${id}`))).status !== 'PENDING');
  expect([task.status, task.message]).toEqual(['COMPLETE', expect.stringMatching(/ imported$/)]);
  return domainOf(service, await bodyOf<DomainBody>(service.call('get', `/v1/domains/${task.zone_id}`)));
}

/** The exported zone as each interface shows it. */
async function contents(zone: TestDomain): Promise<unknown> {
  const { name, email, ttl } = await zone.now();
  // A file does not tell a TTL that is the zone's from none (rule 15.4).
  const own = (value: number | null): number | null => (value === ttl ? null : value);
  const records = (await zone.records()).map((record) => [
    record.name,
    record.type,
    record.priority,
    record.data,
    own(record.ttl),
  ]);
  const { recordsets } = await new RecordSets(service, zone).list('?limit=1000');
  const sets = recordsets
    .filter(({ type }) => type !== 'SOA')
    .map((set) => [set.name, set.type, [...set.records].sort(), own(set.ttl)]);
  const { rrsets } = await powerdns.zone(name);
  const shown = rrsets.map((set) => [
    set.name,
    set.type,
    set.ttl,
    set.type === 'SOA' ? [] : [...contentsOf(set)].sort(),
  ]);
  return { name, email, ttl, records: sorted(records), sets: sorted(sets), shown };
}

const sorted = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value)).sort();
const withoutSerial = (text: string): string => text.replace(/( IN SOA \S+ \S+) \d+ /, '$1 0 ');

async function expectNeutral(zone: TestDomain): Promise<void> {
  const before = await contents(zone);
  const text = await exported(zone);
  await answerOf(service.call('delete', `/v1/domains/${zone.id}`));
  const again = await imported(text);
  expect(await contents(again)).toEqual(before);
  expect(withoutSerial(await exported(again))).toBe(withoutSerial(text));
}

it('1.15, 13.5 an export of version 2 recreates its zone', async () => {
  const zone = await newDomain(service);
  await answerOf(service.call('put', `/v1/domains/${zone.id}`, { ttl: 1800, email: 'john.q+dns@example.org' }));
  const soa = contentsOf(await powerdns.rrset(zone.name, zone.name, 'SOA'));
  await powerdns.patch(zone.name, replaced(zone.name, 'SOA', soa, { ttl: 900 }));
  await zone.newRecord({ name: zone.at('WwW'), data: '192.0.2.1', ttl: 60 });
  await zone.newRecord({ name: zone.at('mx'), type: 'MX', data: 'Mail.example.net.', priority: 10 });
  await zone.newRecord({ name: zone.at('_sip._tcp'), type: 'SRV', data: '5 5060 Sip.example.net.', priority: 1 });
  await zone.newRecord({ name: zone.at('long'), type: 'TXT', data: `"${'x'.repeat(255)}" "y \\"q\\" ; \\\\"` });
  await zone.import(
    [
      String.raw`Main\032Printer._ipp._tcp 0 SRV 0 0 631 printer`,
      String.raw`\$odd 120 TXT "caf\195\169" ""`,
      '@ TXT "v=spf1 -all"',
      '*.wild 900 TYPE65280 \\# 4 01020304',
      'sub 1800 NS ns.sub',
      'ns.sub 900 A 192.0.2.7',
      'sub DS 1 13 2 00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff',
      'svc 60 HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.1',
      'loc 60 LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m',
      'caa 60 CAA 0 issue "ca.example.net"',
      'ptr 0 PTR WWW.example.net.',
      'n 60 NAPTR 1 2 "u" "E2U+sip" "!^.*$!sip:a@example.org!" .',
    ].join('\n') + '\n',
  );
  await expectNeutral(zone);
});

it('1.15, 13.5 an export of version 2 keeps every TTL of the zone, its SOA and its records', async () => {
  const ttl = fc.constantFrom(60, 300, 900, 3600);
  const one = fc.record({ zone: ttl, soa: ttl, records: fc.array(fc.option(ttl), { maxLength: 5 }) });
  await holdsFor(
    one,
    async ({ zone: zoneTtl, soa: soaTtl, records }) => {
      const zone = await newDomain(service, freshName(), { ttl: zoneTtl });
      const soa = contentsOf(await powerdns.rrset(zone.name, zone.name, 'SOA'));
      await powerdns.patch(zone.name, replaced(zone.name, 'SOA', soa, { ttl: soaTtl }));
      for (const [at, own] of records.entries()) await zone.newRecord({ name: zone.at(`h${at}`), ttl: own });
      await expectNeutral(zone);
    },
    { numRuns: times(8, 200) },
  );
});
