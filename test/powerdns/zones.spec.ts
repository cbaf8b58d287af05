import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { linesOfExport, newDomain } from '../support/domain.js';
import {
  contentsOf,
  PowerDnsClient,
  type PowerDnsZone,
  records,
  replaced,
  WITH_POWERDNS,
} from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService({ ...WITH_POWERDNS, SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.' });
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const OWN = ['ns1.foo.com.', 'ns2.foo.com.'];
const nsOf = (zone: PowerDnsZone): readonly string[] =>
  contentsOf(zone.rrsets.find(({ name, type }) => name === zone.name && type === 'NS'));
const soaOf = (zone: PowerDnsZone) => zone.rrsets.find(({ type }) => type === 'SOA');

/** The served zone, as version 1 exports it. */
async function servedLines({ name }: Pick<PowerDnsZone, 'name'>): Promise<readonly string[]> {
  const { domains } = await bodyOf<{ domains: { id: string }[] }>(service.call('get', `/v1/domains?name=${name}`));
  const { text } = await answerOf(service.call('get', `/v1/domains/${domains[0]?.id ?? ''}/export`));
  return linesOfExport(text).map((line) => line.replaceAll(/\s+/g, ' '));
}

describe('zones', () => {
  it('21.4, 21.7 are created with name servers and record sets, and show exactly those', async () => {
    const zone = await client.newZone({
      nameservers: OWN,
      account: 'admin',
      soa_edit_api: 'default',
      masters: null,
      rrsets: [{ name: 'www.EXAMPLE.org.', type: 'A', ttl: 60, records: records(['192.0.2.1']) }],
      name: 'Example.org.',
      // Extra fields that clients send.
      ...{ id: '', url: '', type: 'Zone', serial: 0, dnsssec: false },
    });
    expect(zone).toMatchObject({ id: 'example.org.', name: 'example.org.', kind: 'Native', account: 'admin' });
    expect(zone).toMatchObject({
      soa_edit_api: 'DEFAULT',
      masters: [],
      url: '/api/v1/servers/localhost/zones/example.org.',
    });
    expect(nsOf(zone)).toEqual(OWN);
    expect(zone.rrsets.map(({ name, type }) => [name, type])).toEqual([
      ['example.org.', 'SOA'],
      ['example.org.', 'NS'],
      ['www.example.org.', 'A'],
    ]);
    expect(await client.zone('EXAMPLE.org')).toEqual(zone);
    expect(await servedLines(zone)).toContain('www.EXAMPLE.org. 60 A 192.0.2.1');
    expect(await client.refusal('post', '/zones', { name: 'EXAMPLE.ORG.', kind: 'Native' }, 409)).toBe('Conflict');
  });

  it('21.7 shows no name servers where it was given none, and serves the generated ones', async () => {
    const zone = await client.newZone();
    expect(nsOf(zone)).toEqual([]);
    expect(await servedLines(zone)).toContain(`${zone.name} 3600 NS ns1.provider.example.`);
    await client.patch(zone.id, replaced(zone.name, 'NS', OWN, { ttl: 77 }));
    expect(await client.rrset(zone.id, zone.name, 'NS')).toMatchObject({ ttl: 77 });
    expect(nsOf(await client.zone(zone.id))).toEqual(OWN);
    expect((await servedLines(zone)).filter((line) => line.includes(' NS '))).toHaveLength(2);
    await client.patch(zone.id, { name: zone.name, type: 'NS', ...extended('ns3.foo.com.', 77) });
    await client.patch(zone.id, {
      name: zone.name,
      type: 'NS',
      changetype: 'PRUNE',
      records: records(['NS1.foo.com.']),
    });
    expect(nsOf(await client.zone(zone.id))).toEqual(['ns2.foo.com.', 'ns3.foo.com.']);
    await client.patch(zone.id, { name: zone.name, type: 'NS', changetype: 'DELETE' });
    expect(nsOf(await client.zone(zone.id))).toEqual([]);
  });

  it('21.7 shows generated NS of zones from other interfaces, together with user NS', async () => {
    const domain = await newDomain(service);
    await domain.newRecord({ name: domain.name, type: 'NS', data: 'ns2.example.net.' });
    expect(nsOf(await client.zone(domain.name))).toEqual(['ns1.provider.example.', 'ns2.example.net.']);
    await client.patch(domain.name, replaced(domain.name, 'NS', OWN));
    expect(nsOf(await client.zone(domain.name))).toEqual(OWN);
    expect(await domain.records()).toEqual([]);
    expect(await domain.now()).toMatchObject({ name_servers: OWN });
  });

  it('21.8 shows the SOA, accepts it back, and adopts another mailbox and TTL', async () => {
    const zone = await client.newZone();
    const soa = soaOf(zone);
    const content = contentsOf(soa)[0] ?? '';
    expect(content).toMatch(/^ns1\.provider\.example\. hostmaster\.\S+ \d+ 3600 600 1209600 3600$/);
    const before = await client.patch(zone.id, replaced(zone.name, 'SOA', [content], { ttl: 3600 }));
    expect(before.headers['x-pdns-new-serial']).toBe(String(zone.serial));
    const other = content.replace(/ hostmaster\.\S+ \d+/, ` the\\.boss.${zone.name} 1`);
    await client.patch(zone.id, replaced(zone.name, 'SOA', [other], { ttl: 1800 }));
    const changed = soaOf(await client.zone(zone.id));
    expect(changed).toMatchObject({ ttl: 1800 });
    expect(contentsOf(changed)[0]).toContain(` the\\.boss.${zone.name} `);
    await client.refusal('patch', `/zones/${zone.id}`, { rrsets: [replaced(zone.name, 'SOA', ['nonsense'])] });
    await client.refusal('patch', `/zones/${zone.id}`, {
      rrsets: [{ name: zone.name, type: 'SOA', changetype: 'DELETE' }],
    });
  });

  it.each(['patch', 'put'] as const)(
    '21.8 accepts the records next to an SOA with other timers and another primary by %s, as octoDNS sends it',
    async (method) => {
      const zone = await client.newZone({ nameservers: OWN });
      const content = contentsOf(soaOf(zone))[0] ?? '';
      const sent = content.replace('ns1.provider.example.', 'ns9.foo.com.').replace('3600 600', '7200 601');
      const www = replaced(`www.${zone.name}`, 'A', ['192.0.2.7']);
      const rrsets = [replaced(zone.name, 'SOA', [sent], { ttl: 3600 }), replaced(zone.name, 'NS', OWN), www];
      await client.answer(method, `/zones/${zone.id}`, { rrsets }, 204);
      const shown = await client.zone(zone.id);
      expect(contentsOf(soaOf(shown))[0]?.replace(/ \d{9,10} /, ' ')).toBe(content.replace(/ \d{9,10} /, ' '));
      expect(await client.rrset(zone.id, `www.${zone.name}`, 'A')).toMatchObject({
        records: [{ content: '192.0.2.7' }],
      });
      const again = { rrsets: shown.rrsets.map((set) => ({ ...set, changetype: 'REPLACE' })) };
      await client.answer(method, `/zones/${zone.id}`, again, 204);
      expect(await client.zone(zone.id)).toMatchObject({ serial: shown.serial });
    },
  );

  it('21.4 are created from a master file', async () => {
    const name = 'text.example.net.';
    const zone = await client.newZone({
      name,
      kind: 'primary',
      zone: `$TTL 90\n@ IN SOA ns.x. boss.${name} 5 1 2 3 4\n@ 60 NS ns.x.\nwww A 192.0.2.4\nwww A 192.0.2.5\n`,
    });
    expect(zone.kind).toBe('Master');
    expect(nsOf(zone)).toEqual(['ns.x.']);
    expect(contentsOf(soaOf(zone))[0]).toContain(` boss.${name} `);
    expect(await client.rrset(name, `www.${name}`, 'A')).toMatchObject({ ttl: 90, records: [{}, {}] });
    const broken = { name: 'broken.example.net.', kind: 'Native', zone: 'www A nonsense\n' };
    expect(await client.refusal('post', '/zones', broken)).toContain('Unable to parse');
    await client.refusal('get', '/zones/broken.example.net.', undefined, 404);
  });

  it('21.4 keep the values of a PUT through a later PUT', async () => {
    const { id, serial } = await client.newZone();
    await client.answer('put', `/zones/${id}`, { kind: 'Master', masters: ['192.0.2.7'] }, 204);
    await client.answer('put', `/zones/${id}`, { account: 'team', soa_edit_api: 'epoch' }, 204);
    const zone = await client.zone(id);
    expect(zone).toMatchObject({
      kind: 'Master',
      masters: ['192.0.2.7'],
      account: 'team',
      soa_edit_api: 'EPOCH',
      serial,
    });
    const set = { name: `a.${id}`, type: 'A', ttl: 5, records: records(['192.0.2.8']) };
    const partly = await client.refusal('put', `/zones/${id}`, { rrsets: [set] });
    expect(partly).toBe('Must give SOA record for zone when replacing all RR sets');
    const soa = soaOf(await client.zone(id));
    await client.answer('put', `/zones/${id}`, { rrsets: [soa, set] }, 204);
    expect((await client.zone(id)).rrsets.map(({ type }) => type)).toEqual(['SOA', 'A']);
    expect(await client.zone(id)).toMatchObject({ account: 'team' });
  });

  it('21.4, 21.3 are listed, filtered, and deleted', async () => {
    const zone = await client.newZone({ name: '0/25.2.0.192.in-addr.arpa.' });
    expect(zone.id).toBe('0=2F25.2.0.192.in-addr.arpa.');
    for (const id of [zone.id, '0%2F25.2.0.192.in-addr.arpa', '0=2f25.2.0.192.IN-ADDR.arpa.'])
      expect((await client.zone(id)).name).toBe(zone.name);
    const all = await client.json<PowerDnsZone[]>('get', '/zones');
    expect(all.filter(({ name }) => name === zone.name)).toHaveLength(1);
    for (const field of ['masters', 'kind', 'serial', 'notified_serial', 'last_check', 'dnssec'])
      expect(all[0]).toHaveProperty(field);
    const [alone] = await client.json<PowerDnsZone[]>('get', `/zones?zone=${zone.name}&dnssec=false`);
    expect(alone).toMatchObject({ name: zone.name });
    expect(alone).not.toHaveProperty('dnssec');
    expect(await client.json('get', '/zones?zone=nowhere.example.')).toEqual([]);
    await client.answer('delete', `/zones/${zone.id}`, undefined, 204);
    await client.refusal('get', `/zones/${zone.id}`, undefined, 404);
  });

  it('21.4 are not there for another tenant', async () => {
    const { id } = await client.newZone();
    const other = new PowerDnsClient(service, 'tenant-b');
    for (const method of ['get', 'put', 'patch', 'delete'] as const)
      expect(await other.refusal(method, `/zones/${id}`, { rrsets: [] }, 404)).toBe('Not Found');
    expect(await other.json('get', `/zones?zone=${id}`)).toEqual([]);
    expect(await other.json('get', '/zones')).toEqual([]);
  });

  it.each([
    ['a name without its dot', { name: 'nodot.example.org' }, 'is not canonical'],
    ['a name with an empty label', { name: 'two..dots.example.org.' }, 'Unable to parse Zone Name'],
    ['a name server without its dot', { nameservers: ['ns1.foo.com'] }, 'Nameserver is not canonical'],
    ['no kind', { kind: undefined }, "Key 'kind'"],
    ['signing', { dnssec: true }, 'DNSSEC'],
    ['a catalog', { catalog: 'catalog.example.' }, 'Catalogs'],
    ['an unknown soa_edit_api', { soa_edit_api: 'whenever' }, 'soa_edit_api'],
    [
      'name servers with apex NS',
      { name: 'x1.example.org.', nameservers: OWN, rrsets: [replaced('x1.example.org.', 'NS', OWN)] },
      'MUST NOT be mixed',
    ],
    ['no list', { rrsets: {} }, 'not an array'],
    ['a record set outside', { rrsets: [replaced('a.example.net.', 'A', ['192.0.2.1'])] }, 'out of zone'],
    ['other characters', { name: 'a:b.example.org.' }, 'unsupported characters'],
    ['a kind with masters that are none', { kind: 'Slave', masters: [] }, ''],
  ])('21.2, 21.4 refuses a zone with %s, and makes none', async (_, fields, words) => {
    const name = 'refused.example.org.';
    const body = { name, kind: 'Native', ...fields };
    expect(await client.refusal('post', '/zones', body)).toContain(words);
    expect(await client.json('get', `/zones?zone=${name}`)).toEqual([]);
  });

  it('21.10 answer client requests besides record sets', async () => {
    const zone = await client.newZone({ nameservers: OWN });
    expect(await client.json('put', `/zones/${zone.id}/notify`)).toEqual({ result: 'Notification queued' });
    expect(await client.json('put', `/zones/${zone.id}/rectify`, {})).toEqual({ result: 'Rectified' });
    expect(await client.json('get', `/zones/${zone.id}/cryptokeys`)).toEqual([]);
    expect(await client.json('get', `/zones/${zone.id}/metadata`)).toEqual([]);
    await client.refusal('put', `/zones/${zone.id}/axfr-retrieve`, undefined);
    const text = await client.answer('get', `/zones/${zone.id}/export`);
    expect(text.headers['content-type']).toBe('text/plain');
    const json = await client.call('get', `/zones/${zone.id}/export`).set('Accept', 'application/json');
    expect(json.body).toEqual({ zone: text.text });
    for (const path of ['export', 'cryptokeys', 'metadata', 'metadata/ALLOW-AXFR-FROM', 'nothing'])
      await client.refusal('get', `/zones/none./${path}`, undefined, 404);
  });
});

describe('metadata', () => {
  it('21.10 that is not set is an empty list, can be deleted, and cannot be set', async () => {
    const { id } = await client.newZone();
    const path = `/zones/${id}/metadata`;
    const empty = { kind: 'ALLOW-AXFR-FROM', metadata: [], type: 'Metadata' };
    expect(await client.json('get', `${path}/${empty.kind}`)).toEqual(empty);
    expect(await client.json('get', `${path}/X-OWNER`)).toEqual({ ...empty, kind: 'X-OWNER' });
    expect(await client.json('put', `${path}/${empty.kind}`, { metadata: [] })).toEqual(empty);
    await client.answer('delete', `${path}/${empty.kind}`, undefined, 204);
    const words = "Metadata 'ALLOW-AXFR-FROM' cannot be set here; leave it out";
    const set = { ...empty, metadata: ['192.0.2.0/24'] };
    expect(await client.refusal('put', `${path}/${empty.kind}`, set)).toBe(words);
    expect(await client.refusal('post', path, set)).toBe(words);
    expect(await client.refusal('get', `${path}/what%20else`, undefined)).toContain('Unsupported metadata kind');
    expect(await client.json('get', path)).toEqual([]);
  });
});

describe('lists', () => {
  it('21.4 have a zone by its name with and without the final dot, in any case', async () => {
    const { name } = await client.newZone();
    for (const asked of [name, name.slice(0, -1), name.toUpperCase(), name.slice(0, -1).toUpperCase()])
      expect(await client.json('get', `/zones?zone=${asked}`)).toMatchObject([{ name }]);
    for (const none of ['none.example.', 'none', `www.${name}`, 'a..b', '%20'])
      expect(await client.json('get', `/zones?zone=${none}`)).toEqual([]);
  });

  it.each(['patch', 'put', 'post'] as const)(
    '21.2 as the body of %s are 422 with the expected content',
    async (method) => {
      const { id } = await client.newZone();
      const path = method === 'post' ? '/zones' : `/zones/${id}`;
      expect(await client.refusal(method, path, [replaced(`www.${id}`, 'A', ['192.0.2.1'])])).toMatch(/object/);
    },
  );
});

function extended(content: string, ttl: number): object {
  return { changetype: 'EXTEND', ttl, records: records([content]) };
}
