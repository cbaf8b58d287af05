import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService } from '../support/service.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import {
  type EndpointBody,
  endpoint,
  ExternalDns,
  heritage,
  MEDIA_TYPE,
  WITH_EXTERNAL_DNS,
  withPassword,
} from './client.js';

let service: TokenService;
let owner: TokenClient;
let dns: ExternalDns;
let tenants = 0;

beforeAll(async () => {
  service = await startTokenService({
    ...WITH_EXTERNAL_DNS,
    SERVICE_CENTRAL__MIN_TTL: '60',
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
  });
});
afterAll(() => service.stop());

/** A new tenant with a zone. */
async function newZone(name?: string): Promise<TestDomain> {
  owner = await service.newToken({ tenantId: `tenant-${(tenants += 1)}` });
  dns = withPassword(service, owner.token);
  return newDomain(owner, name);
}

const messageOf = ({ text }: { text: string }): string => (JSON.parse(text) as { message: string }).message;

async function historyOf({ id }: TestDomain): Promise<{ message: string | null }[]> {
  const { body } = await owner.call('get', `/v1/domains/${id}/changes`);
  return (body as { changes: { message: string | null }[] }).changes;
}

describe('the webhook of external-dns', () => {
  it('25.1 is absent unless enabled', async () => {
    const other = await startTestService();
    try {
      expectStatus(await other.call('get', '/external-dns'), 404);
    } finally {
      await other.stop();
    }
  });

  it('25.1, 25.2 takes a token as the password or in a header, and refuses requests without one', async () => {
    await newZone();
    const header = new ExternalDns(service, { 'X-Auth-Token': owner.token });
    const bearer = new ExternalDns(service, { Authorization: `Bearer ${owner.token}` });
    for (const client of [dns, header, bearer]) expectStatus(await client.get(), 200);
    for (const refused of [withPassword(service, 'another'), withPassword(service, ''), new ExternalDns(service, {})]) {
      const answer = await refused.get();
      expectStatus(answer, 401);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 401, type: 'access_denied' });
    }
    const reader = await service.newToken({ tenantId: 'readers', roles: ['reader'] });
    const forbidden = await withPassword(service, reader.token).apply({});
    expectStatus(forbidden, 403);
  });

  it('25.2 negotiates one media type', async () => {
    await newZone();
    for (const path of ['', '/records']) {
      const answer = await dns.get(path);
      expect(answer.headers['content-type']).toBe(MEDIA_TYPE);
      expectStatus(await dns.call('get', path, { Accept: 'application/external.dns.webhook+json;version=2' }), 406);
      expectStatus(await dns.call('get', path, { Accept: '*/*' }), 200);
    }
    const json = service.plain('post', '/external-dns/records').set('X-Auth-Token', owner.token).send({});
    expectStatus(await json, 415);
  });

  it('25.2, 25.7 refuses bodies of another form, of too many endpoints and of too many octets', async () => {
    const { name } = await newZone();
    for (const body of [
      ...[null, [], 'text', { create: {} }, { create: [1] }, { create: [{ dnsName: '', recordType: 'A' }] }],
      { create: [{ dnsName: 'a', recordType: 'A', targets: [1] }] },
      { create: [{ ...endpoint(name, 'www A 192.0.2.1'), recordTTL: 1.5 }] },
    ])
      expectStatus(await dns.apply(body as object), 400);
    expectStatus(await dns.call('post', '/adjustendpoints', {}, {}), 400);
    const many = Array.from({ length: 5001 }, (_, at) => endpoint(name, `h${at} A 192.0.2.1`));
    expectStatus(await dns.apply({ create: many }), 413);
    expectStatus(await dns.apply({ create: [endpoint(name, `www TXT ${'x'.repeat(2 ** 22)}`)] }), 413);
    expect(await dns.records()).toEqual([]);
  });

  it('25.3 lists the primary zones of the token as domain filter', async () => {
    const { name } = await newZone();
    const other = await newDomain(owner);
    const secondary = { name: `secondary.${name}`, type: 'SECONDARY', masters: ['127.0.0.1:9'] };
    expectStatus(await owner.call('post', '/v2/zones', secondary), 202);
    const include = [name, other.name].map((one) => one.slice(0, -1));
    expect(JSON.parse((await dns.get()).text)).toEqual({ include });
    const narrow = await service.newToken({
      tenantId: `tenant-${tenants}`,
      restrictions: { domains: [other.name] },
    });
    const narrowDns = withPassword(service, narrow.token);
    expect(JSON.parse((await narrowDns.get()).text)).toEqual({ include: include.slice(1) });
    await dns.applied({ create: [endpoint(name, 'www A 192.0.2.1'), endpoint(other.name, 'www A 192.0.2.2')] });
    expect(await narrowDns.records()).toEqual([endpoint(other.name, 'www A 192.0.2.2', { recordTTL: other.ttl })]);
  });
});

describe('records for external-dns', () => {
  it('25.4 shows all managed types in normal form, and leaves out the apex NS, other types and disabled records', async () => {
    const zone = await newZone();
    await zone.import(
      [
        `ptr PTR host.example.net.`,
        `Mixed 300 A 192.0.2.1`,
        `Mixed 300 A 192.0.2.2`,
        `v6 AAAA 2001:DB8:0::1`,
        `alias CNAME Web.example.net.`,
        `@ MX 10 Mail.example.net.`,
        `nomail MX 0 .`,
        `_sip._tcp SRV 10 5 5060 Sip.example.net.`,
        `child NS ns.example.net.`,
        `@ NS ns.example.net.`,
        `naptr NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:Info@example.net!" .`,
        `text TXT "one" "two;three \\"four\\""`,
        `caa CAA 0 issue "ca.example.net"`,
        '',
      ].join('\n'),
    );
    const found = new Map((await dns.records()).map((one) => [`${one.dnsName} ${one.recordType}`, one]));
    const at = (label: string): string => (label === '@' ? zone.name : zone.at(label)).slice(0, -1).toLowerCase();
    const targets = Object.fromEntries([...found].map(([key, { targets: all }]) => [key, [...all].sort()]));
    expect(targets).toEqual({
      [`${at('mixed')} A`]: ['192.0.2.1', '192.0.2.2'],
      [`${at('v6')} AAAA`]: ['2001:db8::1'],
      [`${at('alias')} CNAME`]: ['web.example.net'],
      [`${at('@')} MX`]: ['10 mail.example.net'],
      [`${at('nomail')} MX`]: ['0 .'],
      [`${at('_sip._tcp')} SRV`]: ['10 5 5060 sip.example.net.'],
      [`${at('child')} NS`]: ['ns.example.net'],
      [`${at('ptr')} PTR`]: ['host.example.net'],
      [`${at('naptr')} NAPTR`]: ['100 10 "u" "E2U+sip" "!^.*$!sip:Info@example.net!" .'],
      [`${at('text')} TXT`]: ['"one" "two;three \\"four\\""'],
    });
    expect(found.get(`${at('mixed')} A`)?.recordTTL).toBe(300);
    expect(found.get(`${at('ptr')} PTR`)?.recordTTL).toBe(zone.ttl);
  });

  it('25.5, 25.8 changes nothing if a client sends back what it has read', async () => {
    const zone = await newZone();
    await zone.import(
      [
        `a 300 A 192.0.2.1`,
        `b AAAA 2001:DB8:0::1`,
        `c CNAME Web.example.net.`,
        `d MX 10 Mail.example.net.`,
        `e SRV 10 5 5060 Sip.example.net.`,
        `f TXT "one" "two"`,
        `g TXT "${'x'.repeat(255)}" "rest"`,
        `h NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:Info@example.net!" .`,
        `i DNAME Other.example.net.`,
        '',
      ].join('\n'),
    );
    const before = [await zone.now(), await zone.export()];
    const read = await dns.records();
    expect(read).toHaveLength(9);
    expect(await dns.adjust(read)).toEqual(read);
    await dns.applied({ create: read });
    await dns.applied({ updateOld: read, updateNew: read });
    expect([await zone.now(), await zone.export()]).toEqual(before);
  });

  it('25.4 streams the records of large and of many zones, and shows each set', async () => {
    const zone = await newZone();
    const expected: EndpointBody[] = [];
    for (const domain of [zone, await newDomain(owner), await newDomain(owner)]) {
      const lines = Array.from({ length: 700 }, (_, at) => `h${String(at).padStart(4, '0')} TXT "${'y'.repeat(200)}"`);
      await domain.import(`${lines.join('\n')}\n`);
      for (const line of lines)
        expected.push(endpoint(domain.name, `${line.slice(0, 5)} TXT ${line.slice(10)}`, { recordTTL: domain.ttl }));
    }
    const answer = await dns.get('/records');
    expect(answer.headers['content-type']).toBe(MEDIA_TYPE);
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    expect(JSON.parse(answer.text)).toEqual(expected);
  });
});

describe('adjusted endpoints', () => {
  it('25.6 are in the form of records, with labels, and without identifiers and properties', async () => {
    const { name } = await newZone();
    const labels = { owner: 'default', resource: 'ingress/default/web' };
    const sent = [
      endpoint(name, 'WWW A 192.0.2.1 192.0.2.1', { labels, setIdentifier: 'blue', recordTTL: 5 }),
      endpoint(name, 'v6 AAAA 2001:DB8:0::1', {
        providerSpecific: [{ name: 'alias', value: 'false' }],
        recordTTL: 300,
      }),
      endpoint(name, 'c CNAME Web.example.net.'),
      { ...endpoint(name, 'text TXT x'), targets: ['v=spf1 "quoted" \\ -all'] },
      { ...endpoint(name, 'long TXT x'), targets: [`"${'z'.repeat(300)}"`] },
    ];
    expect(await dns.adjust(sent)).toEqual([
      endpoint(name, 'www A 192.0.2.1', { labels, recordTTL: 60 }),
      endpoint(name, 'v6 AAAA 2001:db8::1', { recordTTL: 300 }),
      endpoint(name, 'c CNAME web.example.net'),
      { ...endpoint(name, 'text TXT x'), targets: ['"v=spf1 \\"quoted\\" \\\\ -all"'] },
      { ...endpoint(name, 'long TXT x'), targets: [`"${'z'.repeat(300)}"`] },
    ]);
  });

  it('25.6 equal the records after their creation', async () => {
    const { name, ttl } = await newZone();
    const sent = [
      ...[endpoint(name, 'Www A 192.0.2.1 192.0.2.2'), endpoint(name, '_x._tcp SRV 1 2 3 Srv.example.net.')],
      { ...endpoint(name, '_x._tcp SRV x'), targets: ['1 2 3 Srv.example.net.'] },
      { ...endpoint(name, 'mx MX x'), targets: ['10 Mail.example.net'] },
      { ...endpoint(name, 'text TXT x'), targets: ['plain text'] },
      heritage(name, 'www A'),
    ].filter(({ targets }) => targets.length > 0 && targets[0] !== '1');
    const adjusted = await dns.adjust(sent);
    await dns.applied({ create: sent });
    const plain = adjusted.map(({ labels: _, ...one }) => ({ ...one, recordTTL: ttl }));
    const byName = (one: EndpointBody, other: EndpointBody): number => (one.dnsName < other.dnsName ? -1 : 1);
    expect([...(await dns.records())].sort(byName)).toEqual(plain.sort(byName));
  });

  it('25.6 leaves endpoints alone that a change would refuse, and takes null for none', async () => {
    const { name } = await newZone();
    const wrong = [
      endpoint(name, 'www A web.example.net'),
      endpoint(name, 'www CAA x'),
      { ...endpoint(name, 'x TXT x'), targets: ['"bad \\999"'] },
      { dnsName: 'none', recordType: 'A' },
    ];
    expect(await dns.adjust(wrong)).toEqual(wrong);
    expect(await dns.adjust(null)).toEqual([]);
    expect(await dns.adjust([])).toEqual([]);
  });
});

describe('changes of external-dns', () => {
  it('25.7 are one change set of each zone, with the Kubernetes resources as message', async () => {
    const one = await newZone();
    const other = await newDomain(owner);
    const labels = { owner: 'default', resource: 'ingress/default/web' };
    const more = { owner: 'default', resource: 'service/default/api' };
    await dns.applied({
      create: [
        endpoint(one.name, 'www A 192.0.2.1', { labels }),
        heritage(one.name, 'www A'),
        endpoint(one.name, 'api CNAME www.example.net', { labels: more }),
        endpoint(other.name, 'www A 192.0.2.2'),
      ],
    });
    expect((await one.now()).serial).toBe(one.serial + 1);
    expect((await other.now()).serial).toBe(other.serial + 1);
    expect((await historyOf(one))[0]?.message).toBe('external-dns: ingress/default/web and 1 more');
    expect((await historyOf(other))[0]?.message).toBe('external-dns');
  });

  it('25.7 replace an address by a CNAME, and take field names of old releases', async () => {
    const { name } = await newZone();
    const address = endpoint(name, 'www A 192.0.2.1');
    await dns.applied({ create: [address] });
    expectStatus(
      await dns.apply({ Create: [endpoint(name, 'www CNAME web.example.net')], Delete: [address], UpdateOld: null }),
      204,
    );
    expect(await dns.records()).toMatchObject([{ recordType: 'CNAME', targets: ['web.example.net'] }]);
  });

  it('25.7 belong to the longest zone that contains the name, and a name in none of them is refused', async () => {
    const parent = await newZone();
    const child = await newDomain(owner, parent.at('dev'));
    await dns.applied({ create: [endpoint(child.name, 'www A 192.0.2.1'), endpoint(parent.name, 'www A 192.0.2.2')] });
    expect((await child.records()).map(({ data }) => data)).toContain('192.0.2.1');
    const foreign = await newDomain(await service.newToken({ tenantId: 'foreign' }));
    const refused = await dns.apply({
      create: [endpoint(parent.name, 'new A 192.0.2.3'), endpoint(foreign.name, 'www A 192.0.2.4')],
    });
    expectStatus(refused, 400);
    expect(messageOf(refused)).toMatch(/^www\..* is in no primary zone of this credential/);
    expect(await dns.records()).toHaveLength(2);
  });

  it('25.7 skip a TXT record with which external-dns claims the apex outside of the zone', async () => {
    const { name } = await newZone();
    const apex = name.slice(0, -1);
    const claim = { ...heritage(name, 'x A'), dnsName: `a-${apex}` };
    await dns.applied({ create: [{ dnsName: apex, recordType: 'A', targets: ['192.0.2.1'] }, claim] });
    expect((await dns.records()).map(({ dnsName, recordType }) => `${dnsName} ${recordType}`)).toEqual([`${apex} A`]);
    expectStatus(await dns.apply({ create: [{ ...claim, targets: ['"other text"'] }] }), 400);
  });

  it('25.7 of one zone are all or nothing, and do not keep others from being changed', async () => {
    const good = await newZone();
    const bad = await newDomain(owner);
    const refused = await dns.apply({
      create: [
        endpoint(bad.name, 'www A 192.0.2.1'),
        endpoint(bad.name, 'broken A web.example.net'),
        endpoint(good.name, 'www A 192.0.2.1'),
      ],
    });
    expectStatus(refused, 400);
    expect(messageOf(refused)).toMatch(/^Zone .* is unchanged: broken\..* A: data: .* 1 other zone is changed\.$/);
    expect((await dns.records()).map(({ dnsName }) => `${dnsName}.`)).toEqual([good.at('www')]);
    // The rules refuse a CNAME next to an address.
    const conflict = await dns.apply({ create: [endpoint(good.name, 'www CNAME web.example.net')] });
    expectStatus(conflict, 400);
    expect(messageOf(conflict)).toMatch(/www\..* CNAME: /);
  });

  it.each([
    ['a setIdentifier', 'www A 192.0.2.1', { setIdentifier: 'blue' }, 400],
    ['a type that external-dns does not manage', 'www CAA x', {}, 400],
    ['no target', 'www A', {}, 400],
    ['an apex NS', '@ NS ns.example.net', {}, 400],
  ])('25.7 are refused with %s', async (_, text, more, status) => {
    const { name } = await newZone();
    const sent = endpoint(name, text, more);
    const at = text.startsWith('@') ? { ...sent, dnsName: name.slice(0, -1) } : sent;
    expectStatus(await dns.apply({ create: [at] }), status);
  });

  it('25.1, 25.7 obey the limits of a token', async () => {
    const { name } = await newZone();
    const narrow = await service.newToken({
      tenantId: `tenant-${tenants}`,
      restrictions: { names: [`*.dev.${name}`] },
    });
    const narrowDns = withPassword(service, narrow.token);
    await narrowDns.applied({ create: [endpoint(name, 'www.dev A 192.0.2.1')] });
    const refused = await narrowDns.apply({ create: [endpoint(name, 'www A 192.0.2.1')] });
    expectStatus(refused, 403);
    expect(messageOf(refused)).toContain('"names"');
  });
});

describe('changes by others', () => {
  it('25.8 keeps external-dns from replacing or deleting their records', async () => {
    const zone = await newZone();
    const mine = endpoint(zone.name, 'www A 192.0.2.1');
    await dns.applied({ create: [mine] });
    await zone.newRecord({ data: '192.0.2.9' });
    for (const changes of [
      { delete: [mine] },
      { create: [endpoint(zone.name, 'www A 192.0.2.2')] },
      { updateOld: [mine], updateNew: [endpoint(zone.name, 'www A 192.0.2.2')] },
    ]) {
      const refused = await dns.apply({ ...changes });
      expectStatus(refused, 503);
      expect(refused.headers['retry-after']).toBe('2');
      expect(messageOf(refused)).toMatch(/www\..* A: others have changed this record set/);
    }
    const [now] = await dns.records();
    expect(now?.targets).toEqual(['192.0.2.1', '192.0.2.9']);
    // The next run has read it.
    await dns.applied({ updateOld: [now!], updateNew: [endpoint(zone.name, 'www A 192.0.2.2')] });
    expect((await dns.records())[0]?.targets).toEqual(['192.0.2.2']);
  });

  it('25.8 accepts repeated requests, and deletes of absent sets', async () => {
    const zone = await newZone();
    const first = endpoint(zone.name, 'www A 192.0.2.1');
    const second = endpoint(zone.name, 'www A 192.0.2.2', { recordTTL: 300 });
    for (const changes of [
      { create: [first, heritage(zone.name, 'www A')] },
      { updateOld: [first], updateNew: [second] },
      { delete: [second, heritage(zone.name, 'www A')] },
      { delete: [endpoint(zone.name, 'never A 192.0.2.1')] },
    ]) {
      await dns.applied(changes);
      const { serial } = await zone.now();
      await dns.applied(changes);
      expect((await zone.now()).serial).toBe(serial);
    }
    expect(await dns.records()).toEqual([]);
    // The migration of its TXT records updates one that is absent.
    const claim = heritage(zone.name, 'old A');
    await dns.applied({ updateOld: [claim], updateNew: [claim] });
    expect(await dns.records()).toMatchObject([{ targets: claim.targets }]);
  });

  it('25.8 replaces TXT records of external-dns with other labels, but no other TXT records', async () => {
    const zone = await newZone();
    const claim = (owner: string) => heritage(zone.name, 'www A', owner);
    await dns.applied({ create: [claim('old')] });
    expectStatus(await dns.apply({ create: [claim('another')] }), 503);
    await dns.applied({ updateOld: [claim('new')], updateNew: [claim('new')] });
    expect((await dns.records())[0]?.targets).toEqual(claim('new').targets);
    await dns.applied({ delete: [claim('other')] });
    await zone.newRecord({ name: zone.at('a-www'), type: 'TXT', data: '"mine"' });
    expectStatus(await dns.apply({ delete: [claim('new')] }), 503);
  });
});
