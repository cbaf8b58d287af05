import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { answerOf, bodyOf, expectStatus } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { ask, transfer } from '../support/dns-client.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { contentsOf, PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { RecordSets } from '../support/record-sets.js';
import { until } from '../support/until.js';
import { startUpdateService, type UpdateService } from '../support/updates.js';

const OWN_TTL = 900;
const NS_CODE = 2;

let service: UpdateService;
let powerdns: PowerDnsClient;
let domain: TestDomain;

beforeAll(async () => {
  service = await startUpdateService({
    ...WITH_POWERDNS,
    ...DNSSEC_ON,
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.,ns2.provider.example.',
    SERVICE_CENTRAL__MIN_TTL: '60',
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_MDNS__ALLOW_QUERY: '127.0.0.1',
  });
  powerdns = new PowerDnsClient(service);
});
afterAll(() => service.stop());

beforeEach(async () => {
  domain = await newDomain(service);
  await domain.newRecord();
});
afterEach(() => audit(service.databaseFile));

/** Sends the SOA as it is shown, with another TTL. */
async function setSoaTtl(ttl: number, { name }: Pick<DomainBody, 'name'> = domain): Promise<void> {
  const shown = contentsOf(await powerdns.rrset(name, name, 'SOA'));
  await powerdns.patch(name, replaced(name, 'SOA', shown, { ttl }));
}

/** The TTLs in an export by the types of the records. */
async function exportedTtls({ id }: Pick<DomainBody, 'id'> = domain, query = ''): Promise<Record<string, number>> {
  const { text } = await answerOf(service.call('get', `/v1/domains/${id}/export${query}`));
  return Object.fromEntries(
    linesOfExport(text).map((line) => {
      const [, ttl, type = ''] = line.split(' ');
      return [type, Number(ttl)];
    }),
  );
}

const ttlsOf = (records: readonly ResourceRecord[], code: number): number[] => [
  ...new Set(records.filter(({ type }) => type === code).map(({ ttl }) => ttl)),
];

/** The answer of the name server once it has the present serial. */
async function askNow(name: string, type: number): Promise<Message> {
  return ask(service.dns, { name, type });
}

describe('the TTL of the SOA', () => {
  it('6.9, 21.8 is set by a PowerDNS client without the TTL of another set', async () => {
    await setSoaTtl(OWN_TTL);
    const { rrsets, serial } = await powerdns.zone(domain.name);
    const ttls = rrsets.map(({ type, ttl }) => [type, ttl]);
    expect(ttls).toEqual([
      ['SOA', OWN_TTL],
      ['NS', 3600],
      ['A', 3600],
    ]);
    expect(await domain.now()).toMatchObject({ ttl: 3600, serial });
    expect(serial).toBeGreaterThan(domain.serial);
    await powerdns.patch(domain.name, ...rrsets.map((set) => ({ ...set, changetype: 'REPLACE' })));
    await powerdns.answer('put', `/zones/${domain.name}`, { rrsets }, 204);
    expect((await powerdns.zone(domain.name)).serial).toBe(serial);
  });

  it('6.9, 21.8 is taken from the SOA of a zone that a PowerDNS client makes', async () => {
    const name = `made.${domain.name}`;
    const soa = { ...replaced(name, 'SOA', [`ns1.example.net. a.${name} 1 2 3 4 5`]), ttl: OWN_TTL };
    const text = `@ ${OWN_TTL} IN SOA ns1.example.net. a.${name} 1 2 3 4 5\n`;
    for (const contents of [{ rrsets: [soa], nameservers: ['ns1.example.net.'] }, { zone: text }]) {
      const made = await powerdns.newZone({ name, ...contents });
      const ttls = made.rrsets.map(({ type, ttl }) => [type, ttl]);
      expect(ttls).toEqual([['SOA', OWN_TTL], ...('rrsets' in contents ? [['NS', 3600]] : [])]);
      await powerdns.answer('delete', `/zones/${name}`, undefined, 204);
    }
  });

  it('6.9 stays when the ttl of the domain changes, and follows it again once it was sent as that', async () => {
    await setSoaTtl(OWN_TTL);
    await bodyOf(service.call('put', `/v1/domains/${domain.id}`, { ttl: 1800 }));
    expect(await exportedTtls()).toEqual({ SOA: OWN_TTL, NS: 1800, A: 1800 });
    await answerOf(service.call('patch', `/v2/zones/${domain.id}`, { ttl: 7200 }), 202);
    expect(await exportedTtls()).toEqual({ SOA: OWN_TTL, NS: 7200, A: 7200 });
    await setSoaTtl(7200);
    await bodyOf(service.call('put', `/v1/domains/${domain.id}`, { ttl: 600 }));
    expect(await exportedTtls()).toEqual({ SOA: 600, NS: 600, A: 600 });
  });

  it('6.9, 4.4 is refused below min_ttl', async () => {
    const name = `low.${domain.name}`;
    const rrsets = (owner: string, ttl: number) => [replaced(owner, 'SOA', [SOA_TEXT], { ttl })];
    for (const [method, path, body] of [
      ['patch', `/zones/${domain.name}`, { rrsets: rrsets(domain.name, 59) }],
      ['post', '/zones', { name, kind: 'Native', nameservers: [], rrsets: rrsets(name, 59) }],
    ] as const)
      expectStatus(await powerdns.call(method, path, body).set('X-Roles', 'member'), 422);
    const allowed = { rrsets: rrsets(domain.name, 60) };
    expectStatus(await powerdns.call('patch', `/zones/${domain.name}`, allowed).set('X-Roles', 'member'), 204);
    expect(await exportedTtls()).toMatchObject({ SOA: 60, NS: 3600 });
  });

  it('6.9, 13.4 is shown, filtered and sorted as the ttl of the managed SOA by version 2', async () => {
    const soaOf = async (query = '') => (await new RecordSets(service, domain).list(`?type=SOA${query}`)).recordsets;
    expect(await soaOf()).toMatchObject([{ ttl: null }]);
    await setSoaTtl(OWN_TTL);
    const [soa] = await soaOf();
    expect(soa).toMatchObject({ ttl: OWN_TTL });
    expect(await soaOf(`&ttl=${OWN_TTL}`)).toEqual([soa]);
    expect(await soaOf('&ttl=3600')).toEqual([]);
    const { recordsets } = await bodyOf<{ recordsets: unknown[] }>(
      service.call('get', `/v2/recordsets?name=${domain.name}&ttl=${OWN_TTL}`),
    );
    expect(recordsets).toHaveLength(1);
  });

  it('6.8, 13.4 of custom NS is filtered by version 2 as shown', async () => {
    await powerdns.patch(domain.name, replaced(domain.name, 'NS', ['ns1.example.net.'], { ttl: 77 }));
    const { recordsets } = await new RecordSets(service, domain).list('?type=NS&ttl=77');
    expect(recordsets).toMatchObject([{ ttl: 77, records: ['ns1.example.net.'] }]);
  });

  it('6.9, 12.1, 19.1 is served, and transferred whole and as a difference', async () => {
    const { serial: before } = await domain.now();
    await setSoaTtl(OWN_TTL);
    const soa = await askNow(domain.name, SOA.code);
    expect(ttlsOf(soa.answers, SOA.code)).toEqual([OWN_TTL]);
    const missing = await askNow(domain.at('missing'), 1);
    expect(ttlsOf(missing.authorities, SOA.code)).toEqual([OWN_TTL]);
    const { records: whole } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR });
    expect([ttlsOf(whole, SOA.code), ttlsOf(whole, NS_CODE), ttlsOf(whole, 1)]).toEqual([[OWN_TTL], [3600], [3600]]);
    const ixfr = { name: domain.name, type: MetaType.IXFR, serial: before };
    const { records: difference } = await transfer(service.dns, ixfr);
    expect(difference.map(({ type, ttl }) => [type, ttl])).toEqual([
      [SOA.code, OWN_TTL],
      [SOA.code, 3600],
      [SOA.code, OWN_TTL],
      [SOA.code, OWN_TTL],
    ]);
  });

  it('6.9, 23.4 decides about SOA and NSEC of a signed domain', async () => {
    await bodyOf(service.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, denial: 'nsec' }));
    const signedTtls = async (): Promise<Record<string, number>> => {
      const answer = await service.call('get', `/v1/domains/${domain.id}/export?signed=true`);
      if (answer.status !== 200) return {};
      const lines = linesOfExport(answer.text).map((line) => line.split(' '));
      return Object.fromEntries(
        lines.map(([, ttl, type, covered]) => [type === 'RRSIG' ? `RRSIG ${covered}` : type, Number(ttl)]),
      );
    };
    await until(async () => (await signedTtls()).SOA === 3600);
    await setSoaTtl(OWN_TTL);
    await until(async () => (await signedTtls()).SOA === OWN_TTL);
    expect(await signedTtls()).toMatchObject({
      ...{ SOA: OWN_TTL, 'RRSIG SOA': OWN_TTL, NSEC: OWN_TTL, 'RRSIG NSEC': OWN_TTL },
      ...{ NS: 3600, 'RRSIG NS': 3600, A: 3600, 'RRSIG A': 3600, DNSKEY: 3600 },
    });
    await setSoaTtl(3600);
    await until(async () => (await signedTtls()).NSEC === 3600);
  });

  it('6.9, 11.2 is that of the moment in exports of earlier states, and stays in a revert', async () => {
    await setSoaTtl(OWN_TTL);
    const { serial: own } = await domain.now();
    await setSoaTtl(120);
    const { serial: later } = await domain.now();
    expect(await exportedTtls(domain, `?serial=${own}`)).toMatchObject({ SOA: OWN_TTL, NS: 3600 });
    await bodyOf(service.call('post', `/v1/domains/${domain.id}/revert`, { serial: own }));
    expect(await exportedTtls()).toMatchObject({ SOA: 120, NS: 3600 });
    await setSoaTtl(3600);
    expect(await exportedTtls(domain, `?serial=${later}`)).toMatchObject({ SOA: 120, NS: 3600 });
    expect(await exportedTtls()).toMatchObject({ SOA: 3600, NS: 3600 });
  });

  it('6.9, 11.7 comes back with a deleted domain', async () => {
    await setSoaTtl(OWN_TTL);
    await answerOf(service.call('delete', `/v1/domains/${domain.id}`));
    const restored = await bodyOf<DomainBody>(service.call('post', `/v1/deleted-domains/${domain.id}/restore`, {}));
    expect(await exportedTtls(restored)).toEqual({ SOA: OWN_TTL, NS: 3600, A: 3600 });
  });

  it('6.9, 15.6 stays when the export of the domain is imported', async () => {
    await setSoaTtl(OWN_TTL);
    const before = await domain.now();
    for (const mode of ['merge', 'replace'])
      expect(await domain.import(await domain.export(), `?mode=${mode}`)).toMatchObject({ created: 0, removed: 0 });
    expect(await domain.now()).toEqual(before);
    expect(await exportedTtls()).toMatchObject({ SOA: OWN_TTL, NS: 3600 });
  });

  it('6.9, 13.5 is that of the zone which the export of version 2 makes again', async () => {
    await setSoaTtl(OWN_TTL);
    await domain.newRecord({ name: domain.at('own'), ttl: OWN_TTL });
    const first = await v2Export();
    const lines = first.split('\n');
    expect(lines.slice(0, 2)).toEqual([`$ORIGIN ${domain.name}`, '$TTL 3600']);
    // Edits the earlier text from one apex line to the other.
    await domain.newRecord({ data: '192.0.2.9' });
    const text = await v2Export();
    expect(text.split('\n').slice(3, 4)).toEqual(['$TTL 3600']);
    await answerOf(service.call('delete', `/v1/domains/${domain.id}`));
    const again = await v2Import(text);
    expect(again).toMatchObject({ name: domain.name, ttl: 3600 });
    domain = again;
    expect(await exportedTtls()).toMatchObject({ SOA: OWN_TTL, NS: 3600 });
    expect((await v2Export()).replace(/\d{10}/, '')).toBe(text.replace(/\d{10}/, ''));
    expect((await again.records()).map(({ ttl }) => ttl).sort()).toEqual([OWN_TTL, null, null]);
  });

  it('13.5 of a file is that of the zone, unless $TTL stands behind the SOA', async () => {
    const soa = `@ ${OWN_TTL} IN SOA ns1 a 1 2 3 4 5\n`;
    const cases = [
      [`$TTL 300\n${soa}www A 192.0.2.1\n$TTL 400\nw3 A 192.0.2.1\n`, OWN_TTL, { SOA: OWN_TTL, NS: OWN_TTL }],
      [`$TTL 300\n${soa}$TTL 300\nwww A 192.0.2.1\n`, 300, { SOA: OWN_TTL, NS: 300, A: 300 }],
      [`${soa}$TTL 400\n$TTL 300\n`, 300, { SOA: OWN_TTL, NS: 300 }],
      [`${soa}$TTL ${OWN_TTL}\n`, OWN_TTL, { SOA: OWN_TTL, NS: OWN_TTL }],
      [soa, OWN_TTL, { SOA: OWN_TTL, NS: OWN_TTL }],
    ] as const;
    for (const [at, [lines, ttl, exported]] of cases.entries()) {
      const made = await v2Import(`$ORIGIN z${at}.${domain.name}\n${lines}`);
      expect(made).toMatchObject({ ttl });
      expect(await exportedTtls(made)).toMatchObject(exported);
    }
  });
});

const SOA_TEXT = 'ns1.provider.example. hostmaster.example.org. 1 3600 600 1209600 3600';

interface Task {
  readonly id: string;
  readonly status: string;
  readonly zone_id: string;
  readonly message: string | null;
}

async function v2Export(): Promise<string> {
  const { id } = await bodyOf<Task>(service.call('post', `/v2/zones/${domain.id}/tasks/export`), 202);
  return (await answerOf(service.call('get', `/v2/zones/tasks/exports/${id}/export`))).text;
}

async function v2Import(text: string): Promise<TestDomain> {
  const path = '/v2/zones/tasks/imports';
  const { id } = await bodyOf<Task>(service.call('post', path).set('Content-Type', 'text/dns').send(text), 202);
  let task = await bodyOf<Task>(service.call('get', `${path}/${id}`));
  await until(async () => (task = await bodyOf<Task>(service.call('get', `${path}/${id}`))).status !== 'PENDING');
  if (task.status !== 'COMPLETE') throw new Error(String(task.message));
  return domainOf(service, await bodyOf<DomainBody>(service.call('get', `/v1/domains/${task.zone_id}`)));
}
