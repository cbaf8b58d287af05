import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { AUDIT_ON, auditPages } from '../support/audit-entries.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { type RecordSetBody, RecordSets } from '../support/record-sets.js';
import { add, startUpdateService, type UpdateService, type Updater } from '../support/updates.js';

let service: UpdateService;
let powerdns: PowerDnsClient;
let updater: Updater;
let zone: TestDomain;
let sets: RecordSets;

beforeAll(async () => {
  service = await startUpdateService({
    ...WITH_POWERDNS,
    ...AUDIT_ON,
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.,ns2.provider.example.',
    SERVICE_API__EXPIRING_RECORDS: 'True',
  });
  powerdns = new PowerDnsClient(service);
  updater = await service.newUpdater();
});
afterAll(() => service.stop());

type Body = Readonly<Record<string, unknown>>;

const EXPIRY = '2090-01-01T00:00:00.000000';
const comments = [{ content: 'a comment', account: 'somebody', modified_at: 1_700_000_000 }];

/** Fills a zone with features of every interface that other interfaces hide or write differently. */
async function fill(): Promise<void> {
  const { name } = zone;
  await answerOf(service.call('put', `/v1/domains/${zone.id}`, { description: 'of version 1', ttl: 1800 }));
  await answerOf(service.call('patch', `/v2/zones/${zone.id}`, { attributes: { tier: 'gold' } }), 202);
  await powerdns.answer('put', `/zones/${name}`, { account: 'team', kind: 'Master', masters: ['192.0.2.53'] }, 204);
  const mixed = [
    { content: '192.0.2.20', disabled: false },
    { content: '192.0.2.21', disabled: true },
  ];
  await powerdns.patch(
    name,
    { name, type: 'NS', ttl: 60, changetype: 'REPLACE', records: [{ content: 'Ns1.Example.net.', disabled: false }] },
    replaced(zone.at('mixed'), 'A', [], { records: mixed, comments, ttl: 90 }),
    replaced(zone.at('off'), 'AAAA', [], { records: [{ content: '2001:DB8::0', disabled: true }] }),
    replaced(zone.at('texts'), 'TXT', ['"a b" "c"', String.raw`"q\"uote\\"`, `"${'x'.repeat(255)}" "y"`]),
    replaced(name, 'SOA', [`ns1.provider.example. a\\.b.example.org. 1 10800 3600 604800 3600`], {
      ttl: 900,
      comments,
    }),
  );
  await zone.newRecord({ name, type: 'NS', data: 'Ns9.example.net.', ttl: 120 });
  await zone.newRecord({ name: zone.at('WwW'), data: '192.0.2.1', ttl: 60, description: 'one', expires_at: EXPIRY });
  await zone.newRecord({ name: zone.at('www'), data: '192.0.2.2', ttl: 600 });
  await zone.newRecord({ name: zone.at('www'), data: '192.0.2.3' });
  await zone.newRecord({ name: zone.at('mx'), type: 'MX', data: 'Mail.example.net.', priority: 10 });
  await zone.newRecord({ name: zone.at('_sip._tcp'), type: 'SRV', data: '5 5060 Sip.example.net.', priority: 1 });
  await zone.newRecord({ name: zone.at('free'), type: 'TXT', data: 'v=spf1 ; not quoted' });
  await sets.make({ records: ['192.0.2.4', '192.0.2.5'], ttl: 0, description: 'of version 2', name: zone.at('two') });
  await sets.make({ records: [], description: 'empty', name: zone.at('empty') });
  await zone.import(
    [
      String.raw`Main\032Printer._ipp._tcp 120 SRV 0 0 631 printer`,
      String.raw`a+b 120 TXT "caf\195\169" ""`,
      '*.wild 60 TYPE65280 \\# 4 01020304',
      'generic 60 A \\# 4 C0000207',
      'sub 3600 NS ns.sub',
      'ns.sub 3600 A 192.0.2.7',
      'sub 3600 DS 1 13 2 00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff',
      'svc 60 HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.1',
      'loc 60 LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m',
      'caa 60 CAA 0 issue "ca.example.net"',
      'ptr 0 PTR WWW.example.net.',
      'n 60 NAPTR 1 2 "u" "E2U+sip" "!^.*$!sip:a@example.org!" .',
    ].join('\n') + '\n',
  );
  expect(await updater.update(name, { updates: [add(zone.at('upd'), 0, 'TXT', '"by update"')] })).toBe('NOERROR');
}

/** All of the zone that any interface shows. */
async function state(): Promise<Body> {
  return {
    domain: await zone.now(),
    records: await zone.records(),
    zone: await bodyOf(service.call('get', `/v2/zones/${zone.id}`)),
    sets: await sets.list('?limit=1000'),
    powerdns: await powerdns.zone(zone.name),
    file: await zone.export(),
    history: await bodyOf(service.call('get', `/v1/domains/${zone.id}/history`)),
    audit: (await auditPages(service, 'limit=1000')).flat(),
  };
}

async function expectNeutral(send: () => Promise<unknown>): Promise<void> {
  const before = await state();
  await send();
  expect(await state()).toEqual(before);
}

beforeEach(async () => {
  zone = await newDomain(service);
  sets = new RecordSets(service, zone);
  await fill();
});
afterEach(() => audit(service.databaseFile));

/** A zone with generated NS records and one NS record by a user. */
async function addToGenerated(ttl: number | null): Promise<TestDomain> {
  const domain = await newDomain(service);
  await domain.newRecord({ name: domain.name, type: 'NS', data: 'ns9.example.net.', ttl });
  return domain;
}

const keyOf = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  `${name.toLowerCase()} ${type}`;

const only = (body: object, ...fields: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));

describe('a zone with data of every interface sent back unchanged', () => {
  it('1.15 changes nothing as a domain of version 1', () =>
    expectNeutral(async () => {
      await bodyOf(service.call('put', `/v1/domains/${zone.id}`, await zone.now()));
      await bodyOf(service.call('put', `/v1/domains/${zone.id}`, {}));
    }));

  it('1.15 changes nothing as a zone of version 2', () =>
    expectNeutral(async () => {
      const path = `/v2/zones/${zone.id}`;
      const read = await bodyOf<Body>(service.call('get', path));
      const sent = only(read, 'email', 'ttl', 'description', 'masters', 'attributes', 'name_servers');
      for (const body of [sent, {}]) {
        const answer = await answerOf(service.call('patch', path, body), 202);
        expect(answer.body).toMatchObject({ version: read.version, updated_at: read.updated_at });
      }
    }));

  it('1.15 changes nothing as records of version 1, beyond the first updated_at', async () => {
    const touched = await zone.records();
    for (const record of touched) await answerOf(zone.update(record.id, record));
    await expectNeutral(async () => {
      for (const record of await zone.records()) {
        const answer = await answerOf(zone.update(record.id, record));
        expect(answer.body).toEqual(await bodyOf(zone.get(record.id)));
      }
    });
  });

  it('1.15 changes nothing as replacements and updates in a change set of version 1', async () => {
    const records = await zone.records();
    for (const record of records) await answerOf(zone.update(record.id, record));
    await expectNeutral(async () => {
      const keys = new Set(records.map((record) => keyOf(record)));
      const groups = [...keys].map((key) => records.filter((record) => keyOf(record) === key));
      const changes = groups.map((group) => ({
        ...{ action: 'replace', name: group[0]?.name, type: group[0]?.type },
        records: group.map((record) => only(record, 'data', 'priority', 'ttl', 'description', 'expires_at')),
      }));
      await answerOf(service.call('post', `/v1/domains/${zone.id}/changes`, { changes }));
      const updates = records.map(({ id, ...record }) => ({
        ...{ action: 'update', id },
        record: only(record, 'name', 'data', 'priority', 'ttl', 'description', 'expires_at'),
      }));
      await answerOf(service.call('post', `/v1/domains/${zone.id}/changes`, { changes: updates }));
    });
  });

  it('1.15 changes nothing as record sets of version 2', () =>
    expectNeutral(async () => {
      for (const set of await sets.all())
        for (const body of [only(set, 'name', 'type', 'records', 'ttl', 'description'), {}]) {
          const answer = await sets.update(set.id, body);
          expect(answer.status).toBeLessThan(203);
          expect(answer.body as RecordSetBody).toMatchObject(only(set, 'version', 'updated_at', 'records'));
        }
    }));

  it('1.15 changes nothing as rrsets of the PowerDNS API', () =>
    expectNeutral(async () => {
      const { rrsets } = await powerdns.zone(zone.name);
      await powerdns.patch(zone.name, ...rrsets.map((set) => ({ ...set, changetype: 'REPLACE' })));
      for (const set of rrsets) await powerdns.patch(zone.name, { ...set, changetype: 'REPLACE' });
      await powerdns.patch(zone.name, ...rrsets.map(({ comments: _, ...set }) => ({ ...set, changetype: 'REPLACE' })));
    }));

  it('1.15 changes nothing as a zone of the PowerDNS API, with and without its rrsets', () =>
    expectNeutral(async () => {
      const { rrsets, ...read } = await powerdns.zone(zone.name);
      await powerdns.answer('put', `/zones/${zone.name}`, read, 204);
      await powerdns.answer('put', `/zones/${zone.name}`, { ...read, rrsets }, 204);
    }));

  it('1.15, 21.6 keeps an NS record next to generated ones that a PowerDNS client sends back', async () => {
    for (const ttl of [null, 60]) {
      const domain = await addToGenerated(ttl);
      const read = await powerdns.zone(domain.name);
      const [record] = await domain.records();
      const ns = read.rrsets.find(({ type }) => type === 'NS');
      if (ns === undefined) throw new Error('the apex has no NS');
      expect(ns.records).toHaveLength(3);
      await powerdns.patch(domain.name, { ...ns, changetype: 'REPLACE' });
      for (const one of ns.records) await powerdns.patch(domain.name, { ...ns, changetype: 'EXTEND', records: [one] });
      await powerdns.answer('put', `/zones/${domain.name}`, read, 204);
      expect(await powerdns.zone(domain.name)).toEqual(read);
      expect(await domain.records()).toEqual([record]);
      await powerdns.patch(domain.name, {
        ...{ ...ns, changetype: 'PRUNE' },
        records: [{ content: 'ns9.example.net.', disabled: false }],
      });
      const { name_servers: names } = (await domain.now()) as { readonly name_servers?: unknown };
      expect({ records: await domain.records(), names }).toEqual({ records: [], names: undefined });
    }
  });

  it('1.15 changes nothing as metadata of the PowerDNS API', () =>
    expectNeutral(async () => {
      const path = `/zones/${zone.name}/metadata/ALLOW-AXFR-FROM`;
      await powerdns.answer('put', path, await powerdns.json('get', path));
    }));

  it('1.15, 15.6 changes nothing as an export that replaces it', () =>
    expectNeutral(async () => {
      const file = await zone.export();
      for (const mode of ['merge', 'replace'])
        expect(await zone.import(file, `?mode=${mode}`)).toMatchObject({ created: 0, updated: 0, removed: 0 });
    }));

  it('1.15, 20.4 changes nothing as an UPDATE that adds existing records', () =>
    expectNeutral(async () => {
      const { rrsets } = await powerdns.zone(zone.name);
      for (const { name, type, ttl, records } of rrsets.filter((set) => set.type !== 'SOA')) {
        const updates = records.filter(({ disabled }) => !disabled).map(({ content }) => add(name, ttl, type, content));
        if (updates.length > 0)
          expect([name, type, await updater.update(zone.name, { updates })]).toEqual([name, type, 'NOERROR']);
      }
    }));
});
