import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import {
  contentsOf,
  PowerDnsClient,
  type PowerDnsZone,
  records,
  replaced,
  SERVER,
  WITH_POWERDNS,
} from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService(WITH_POWERDNS);
  client = new PowerDnsClient(service);
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

/** The record sets that a client plans with, without those it ignores. */
function planOf({ rrsets }: PowerDnsZone, ...leftOut: readonly string[]): readonly unknown[] {
  return rrsets
    .filter(({ type }) => !leftOut.includes(type))
    .map(({ name, type, ttl, records: all }) => [name, type, ttl, all.map(({ content }) => content).sort()]);
}

describe('the requests of clients', () => {
  it('21.4, 21.6, 21.7 octoDNS creates a missing zone with thousands of record sets, and then plans no changes', async () => {
    const name = 'octo.example.org.';
    await client.refusal('get', `/zones/${name}`, undefined, 404);
    const hosts = Array.from({ length: 3000 }, (_, at) => replaced(`h${at}.${name}`, 'A', [`192.0.2.${at % 250}`]));
    const rrsets = [
      replaced(name, 'NS', ['ns1.octo.example.org.', 'ns2.octo.example.org.'], { ttl: 86_400 }),
      replaced(`t.${name}`, 'TXT', ['"v=DKIM1\\; p=abc"']),
      ...hosts,
    ];
    const body = { name, kind: 'Master', masters: [], rrsets, soa_edit_api: 'default' };
    await client.answer('post', '/zones', body, 201);
    expect(await client.json('put', `/zones/${name}/notify`)).toBeDefined();
    const zone = await client.zone(name);
    const wanted = rrsets.map((set) => {
      const {
        type,
        ttl,
        records: all,
        name: owner,
      } = set as { name: string; type: string; ttl: number; records: { content: string }[] };
      return [owner, type, ttl, all.map(({ content }) => content).sort()];
    });
    const key = (entry: unknown): string => JSON.stringify(entry);
    expect(planOf(zone, 'SOA').map(key).sort()).toEqual(wanted.map(key).sort());
    // An equal update changes nothing.
    const again = await client.answer('patch', `/zones/${name}`, { rrsets }, 204);
    expect(again.headers['x-pdns-new-serial']).toBe(String(zone.serial));
  });

  it('21.4, 21.7 Terraform reads back the values that it sent', async () => {
    const { body: server } = await client.answer('get', '');
    expect(server).toMatchObject({ id: 'localhost' });
    const sent = {
      account: 'admin',
      kind: 'Native',
      nameservers: ['ns1.tf.example.org.', 'ns2.tf.example.org.'],
      soa_edit_api: 'DEFAULT',
    };
    const zone = await client.newZone({ ...sent, name: 'tf.example.org.', id: '', dnsssec: false, url: '' });
    expect(zone).toMatchObject({ account: 'admin', kind: 'Native', soa_edit_api: 'DEFAULT', masters: [] });
    expect(contentsOf(zone.rrsets.find(({ type }) => type === 'NS'))).toEqual(sent.nameservers);
    const record = {
      name: 'www.tf.example.org.',
      type: 'A',
      content: '192.0.2.1',
      ttl: 60,
      disabled: false,
      'set-ptr': false,
    };
    await client.patch(zone.id, { ...replaced(record.name, 'A', [], { ttl: 60 }), records: [record] });
    expect(await client.rrset(zone.id, record.name, 'A')).toMatchObject({ ttl: 60 });
    await client.answer('put', `/zones/${zone.id}`, { ...sent, name: zone.name, account: 'other' }, 204);
    expect(await client.zone(zone.id)).toMatchObject({ account: 'other' });
    await client.patch(zone.id, { name: record.name, type: 'A', changetype: 'DELETE' });
    await client.answer('delete', `/zones/${zone.id}`, undefined, 204);
    await client.refusal('get', `/zones/${zone.id}`, undefined, 404);
  });

  it('21.4, 21.10 DNSControl makes a zone, asks for keys, and sends deletions and changes apart', async () => {
    const name = 'dnscontrol.example.org.';
    await client.refusal('get', `/zones/${name}`, undefined, 404);
    // mittwald's client sends all of its fields.
    const body = {
      name,
      type: 'Zone',
      kind: 'Native',
      nameservers: [],
      dnssec: false,
      rrsets: [],
      serial: 0,
      api_rectify: false,
    };
    const zone = await client.json<PowerDnsZone>('post', '/zones', { ...body, soa_edit: '', soa_edit_api: '' }, 201);
    expect(zone).toMatchObject({ kind: 'Native', soa_edit_api: '' });
    expect(await client.json('get', `/zones/${name}/cryptokeys`)).toEqual([]);
    const changes = [replaced(`www.${name}`, 'HTTPS', ['1 . alpn=h2,h3']), replaced(name, 'NS', ['ns.example.net.'])];
    await client.answer('patch', `/zones/${name}`, { name: '', type: 'Zone', nameservers: [], rrsets: changes }, 204);
    await client.patch(name, { ...replaced(`www.${name}`, 'HTTPS', []), changetype: 'DELETE' });
    expect(planOf(await client.zone(name), 'SOA')).toEqual([[name, 'NS', 300, ['ns.example.net.']]]);
  });

  it('21.5, 21.6 external-dns creates with its TXT registry, and deletes the records with their registry', async () => {
    const { id, name } = await client.newZone();
    const [listed] = await client.json<PowerDnsZone[]>('get', `/zones?zone=${name}`);
    expect(listed?.id).toBe(id);
    const owner = '"heritage=external-dns,external-dns/owner=default"';
    const sets = [replaced(`app.${name}`, 'A', ['192.0.2.1']), replaced(`a-app.${name}`, 'TXT', [owner])];
    await client.patch(id, ...sets);
    expect(planOf(await client.zone(id), 'SOA')).toEqual([
      [`a-app.${name}`, 'TXT', 300, [owner]],
      [`app.${name}`, 'A', 300, ['192.0.2.1']],
    ]);
    await client.patch(id, ...sets.map((set) => ({ ...set, changetype: 'DELETE' })));
    expect(planOf(await client.zone(id), 'SOA')).toEqual([]);
  });

  it('21.4, 21.5, 21.6 external-dns sends a PATCH to each zone, the whole zone around its sets, and reads them back', async () => {
    const [inner, outer] = [await client.newZone(), await client.newZone()];
    const long = await client.newZone({ name: `long.domainname.${outer.name}` });
    const owner = '"heritage=external-dns,external-dns/owner=tower"';
    const around = ({ id, name, url }: PowerDnsZone, ...rrsets: readonly object[]) => ({
      id,
      name,
      url,
      type: 'Zone',
      kind: 'Native',
      rrsets,
    });
    const change = (set: { readonly name: string; readonly type: string }, contents: readonly string[]) => ({
      ...set,
      ttl: 300,
      changetype: 'REPLACE',
      records: records(contents),
    });
    for (const zone of [inner, outer, long]) {
      const sets = [
        change({ name: zone.name, type: 'A' }, ['192.0.2.1', '192.0.2.2', '192.0.2.3']),
        change({ name: zone.name, type: 'TXT' }, [owner]),
        change({ name: `very.${zone.name}`, type: 'CNAME' }, ['example.net.']),
        change({ name: `cname-very.${zone.name}`, type: 'TXT' }, [owner]),
        change({ name: zone.name, type: 'MX' }, ['10 mailhost1.example.net.', '10 mailhost2.example.net.']),
        change({ name: `_service._tls.${zone.name}`, type: 'SRV' }, ['100 1 443 service.example.net.']),
        change({ name: `sub.${zone.name}`, type: 'NS' }, ['ns1.example.net.', 'ns2.example.net.']),
      ];
      await client.answer('patch', `/zones/${zone.id}`, around(zone, ...sets), 204);
      const key = (entry: unknown): string => JSON.stringify(entry);
      const wanted = sets.map(({ name, type, ttl, records: all }) =>
        key([name, type, ttl, all.map((one) => (one as { content: string }).content)]),
      );
      expect(
        planOf(await client.zone(zone.id), 'SOA')
          .map(key)
          .sort(),
      ).toEqual(wanted.sort());
      // A deletion has records, but no TTL.
      const gone = sets.map(({ ttl: _, ...set }) => ({ ...set, changetype: 'DELETE' }));
      await client.answer('patch', `/zones/${zone.id}`, around(zone, ...gone), 204);
      await client.answer('patch', `/zones/${zone.id}`, around(zone, ...gone), 204);
      expect(planOf(await client.zone(zone.id), 'SOA')).toEqual([]);
    }
    // For a CNAME at the apex external-dns sends an ALIAS, which has no standard.
    const alias = change({ name: outer.name, type: 'ALIAS' }, ['example.net.']);
    expect(await client.refusal('patch', `/zones/${outer.id}`, around(outer, alias))).toContain('ALIAS');
  });

  it("21.5, 21.6 acme.sh finds zones in the text, and cert-manager's webhook its own set alone", async () => {
    const { id, name } = await client.newZone();
    const list = await client.answer('get', '/zones');
    expect(list.text).toContain(`"name":"${name}"`);
    const challenge = `_acme-challenge.${name}`;
    await client.patch(id, replaced(challenge, 'TXT', ['"one"', '"two"']));
    const path = `/zones/${id}?rrset_name=${challenge}&rrset_type=TXT`;
    const { rrsets } = await client.json<PowerDnsZone>('get', path);
    expect(rrsets.map(contentsOf)).toEqual([['"one"', '"two"']]);
    await client.patch(id, replaced(challenge, 'TXT', []));
    expect((await client.json<PowerDnsZone>('get', path)).rrsets).toEqual([]);
  });

  it('21.2, 21.3 Proxmox leaves the dot out, and Caddy asks for one zone by its name', async () => {
    const { name } = await client.newZone({ name: '168.192.in-addr.arpa.' });
    const undotted = name.slice(0, -1);
    const path = `${SERVER}/zones/${undotted}`;
    const read = await service
      .plain('get', `${path}?rrsets=false`)
      .set('X-API-Key', 'any')
      .set('X-Auth-Project-ID', 'tenant-a');
    expect(read.body).not.toHaveProperty('rrsets');
    const rrset = { ...replaced(`1.2.${name}`, 'PTR', ['vm.example.org.']), kind: 'Master' };
    const sent = [{ content: 'vm.example.org.', disabled: false, name: `1.2.${name}`, type: 'PTR', priority: 0 }];
    const patched = await service
      .plain('patch', path)
      .set({ 'X-API-Key': 'any', 'X-Auth-Project-ID': 'tenant-a', 'Content-Type': 'application/json; charset=UTF-8' })
      .send(JSON.stringify({ rrsets: [{ ...rrset, records: sent }] }));
    expect(patched.status).toBe(204);
    expect(await client.json<PowerDnsZone[]>('get', `/zones?zone=${name}`)).toHaveLength(1);
  });

  it("21.9, 21.10 PowerDNS-Admin and Netbox's plugin keep comments, and find them", async () => {
    const { id, name } = await client.newZone({ nameservers: ['ns1.example.net.'] });
    const comment = { content: 'netbox', account: 'plugin', modified_at: 1_700_000_000 };
    await client.patch(
      id,
      { name: `www.${name}`, type: 'A', ttl: 300, changetype: 'DELETE', records: [], comments: [] },
      replaced(`www.${name}`, 'A', ['192.0.2.1'], { comments: [comment] }),
    );
    expect(await client.rrset(id, `www.${name}`, 'A')).toMatchObject({ comments: [comment] });
    const found = await client.json<{ object_type: string }[]>(
      'get',
      `/search-data?q=*${name.slice(0, 9)}*&object_type=record`,
    );
    expect(found.length).toBeGreaterThan(0);
    const off = [...records(['192.0.2.1']), { content: '192.0.2.2', disabled: true }];
    await client.patch(id, { ...replaced(`www.${name}`, 'A', []), records: off });
    expect((await client.rrset(id, `www.${name}`, 'A'))?.records).toEqual(off);
  });
});
