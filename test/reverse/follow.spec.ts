import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import type { Client } from '../support/service.js';
import { add, remove, startUpdateService, type UpdateService } from '../support/updates.js';

let service: UpdateService;
beforeAll(async () => {
  service = await startUpdateService(WITH_POWERDNS);
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

interface Pointer {
  readonly name: string;
  readonly data: string;
  readonly ttl: number | null;
}

interface Plan {
  readonly reverse?: readonly Record<'domain' | 'name' | 'before' | 'after' | 'problem', string | null>[];
}

let networks = 0;
/** Each in a network of its own: no reverse domain of a test contains that of another. */
const nextNetwork = (): readonly [number, number] => [(networks += 1), 7];

/** A network of 256 addresses that no other test has, and its reverse domain. */
async function network(client: Client = service): Promise<{ readonly prefix: string; readonly domain: TestDomain }> {
  const [one, two] = nextNetwork();
  return { prefix: `10.${one}.${two}.`, domain: await newDomain(client, `${two}.${one}.10.in-addr.arpa.`) };
}

async function labeled(client: Client = service): Promise<TestDomain> {
  const domain = await newDomain(client);
  expectStatus(await client.call('put', `/v1/domains/${domain.id}`, { labels: { reverse: 'true' } }), 200);
  return domain;
}

/** `5 → www.example.org.` */
async function pointers(domain: TestDomain): Promise<Record<string, string>> {
  const { records } = await bodyOf<{ records: Pointer[] }>(domain.list('?type=PTR'));
  return Object.fromEntries(
    records
      .map(({ name, data }) => [name.slice(0, -domain.name.length - 1), data])
      .toSorted(([one = ''], [two = '']) => (one < two ? -1 : 1)),
  );
}

const changesOf = (domain: TestDomain, changes: object[], query = '') =>
  service.call('post', `/v1/domains/${domain.id}/changes${query}`, { changes });

describe('26.1 a domain with the label', () => {
  it('26.1 has PTR records, which follow changes, with one serial', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const before = await reverse.now();
    const record = await domain.newRecord({ data: `${prefix}5`, ttl: 600 });
    expect(await pointers(reverse)).toEqual({ 5: domain.at('www') });
    const [{ ttl } = { ttl: null }] = (await bodyOf<{ records: Pointer[] }>(reverse.list('?type=PTR'))).records;
    expect(ttl).toBe(600);
    const after = await reverse.now();
    expect(after.serial).toBeGreaterThan(before.serial);
    expectStatus(await domain.update(record.id, { data: `${prefix}6` }), 200);
    expect(await pointers(reverse)).toEqual({ 6: domain.at('www') });
    expectStatus(await domain.update(record.id, { name: domain.at('other') }), 200);
    expect(await pointers(reverse)).toEqual({ 6: domain.at('other') });
    const { serial } = await reverse.now();
    expectStatus(await domain.update(record.id, { ttl: 300 }), 200);
    expect((await reverse.now()).serial).toBe(serial);
    expectStatus(await domain.delete(record.id), 200);
    expect(await pointers(reverse)).toEqual({});
  });

  it('26.1 changes the reverse domain once for a change set', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const creates = [1, 2, 3].map((n) => ({
      action: 'create',
      record: { name: domain.at(`h${n}`), type: 'A', data: `${prefix}${n}` },
    }));
    expectStatus(await changesOf(domain, creates), 200);
    expect(await pointers(reverse)).toEqual({ 1: domain.at('h1'), 2: domain.at('h2'), 3: domain.at('h3') });
    const { changes } = await bodyOf<{ changes: { change_id: string }[] }>(
      service.call('get', `/v1/domains/${reverse.id}/changes`),
    );
    expect(changes).toHaveLength(2);
  });

  it('26.1 follows IPv6 addresses', async () => {
    const id = randomInt(0x10000).toString(16).padStart(4, '0');
    const reverse = await newDomain(service, `${[...id].reverse().join('.')}.8.b.d.0.1.0.0.2.ip6.arpa.`);
    const domain = await labeled();
    await domain.newRecord({ type: 'AAAA', data: `2001:db8:${id}::1` });
    expect(await pointers(reverse)).toEqual({ [`1${'.0'.repeat(19)}`]: domain.at('www') });
  });

  it('26.1 stores neither if the address is refused', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const { serial } = await reverse.now();
    await domain.newRecord({ type: 'CNAME', data: 'www.example.net.', name: domain.at('alias') });
    await refusalOf(
      domain.create({ name: domain.at('alias'), type: 'A', data: `${prefix}5` }),
      400,
      'invalid_recordset_location',
    );
    expect((await reverse.now()).serial).toBe(serial);
  });

  it('26.1 leaves out wildcards and other domains', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    await domain.newRecord({ name: domain.at('*'), data: `${prefix}1` });
    await (await newDomain(service)).newRecord({ data: `${prefix}2` });
    expect(await pointers(reverse)).toEqual({});
  });

  it('26.1 follows only record sets with the label elsewhere', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await newDomain(service);
    const [name, type] = [domain.at('www'), 'A'];
    const changes = [
      { action: 'create', record: { name, type, data: `${prefix}1` } },
      { action: 'create', record: { name: domain.at('none'), type, data: `${prefix}2` } },
      { action: 'label', name, type, labels: { reverse: 'true' } },
    ];
    expectStatus(await changesOf(domain, changes), 200);
    expect(await pointers(reverse)).toEqual({ 1: name });
    expectStatus(await changesOf(domain, [{ action: 'replace', name, type, records: [{ data: `${prefix}3` }] }]), 200);
    expect(await pointers(reverse)).toEqual({ 3: name });
    expectStatus(await changesOf(domain, [{ action: 'replace', name, type, records: [] }]), 200);
    expect(await pointers(reverse)).toEqual({});
  });
});

describe('26.9 other interfaces', () => {
  it('26.9 version 2', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const sets = `/v2/zones/${domain.id}/recordsets`;
    const name = domain.at('www');
    const made = await service.call('post', sets, { name, type: 'A', records: [`${prefix}1`, `${prefix}2`] });
    expectStatus(made, 202);
    const { id } = made.body as { id: string };
    expect(await pointers(reverse)).toEqual({ 1: name, 2: name });
    expectStatus(await service.call('put', `${sets}/${id}`, { records: [`${prefix}2`, `${prefix}3`] }), 202);
    expect(await pointers(reverse)).toEqual({ 2: name, 3: name });
    expectStatus(await service.call('delete', `${sets}/${id}`), 202);
    expect(await pointers(reverse)).toEqual({});
  });

  it('26.9 UPDATE', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const updater = await service.newUpdater({ domains: [domain.name] });
    const name = domain.at('www');
    expect(await updater.update(domain.name, { updates: [add(name, 60, 'A', `${prefix}1`)] })).toBe('NOERROR');
    expect(await pointers(reverse)).toEqual({ 1: name });
    expect(await updater.update(domain.name, { updates: [remove(name)] })).toBe('NOERROR');
    expect(await pointers(reverse)).toEqual({});
  });

  it('26.9 the PowerDNS API', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const client = new PowerDnsClient(service);
    const name = domain.at('www');
    await client.patch(domain.name, replaced(name, 'A', [`${prefix}1`]));
    expect(await pointers(reverse)).toEqual({ 1: name });
    await client.patch(domain.name, replaced(name, 'A', [`${prefix}2`]));
    expect(await pointers(reverse)).toEqual({ 2: name });
  });

  it('26.9 an import of a zone file, and one that replaces', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    await domain.import(`www 300 A ${prefix}1\nb 300 A ${prefix}2\n`);
    expect(await pointers(reverse)).toEqual({ 1: domain.at('www'), 2: domain.at('b') });
    await domain.import(`www 300 A ${prefix}3\n`, '?mode=replace');
    expect(await pointers(reverse)).toEqual({ 3: domain.at('www') });
  });
});

describe('26.3 parts of a network', () => {
  it('26.3 follows a CNAME', async () => {
    const { prefix, domain: network256 } = await network();
    const reverse = await newDomain(service, `0-25.${network256.name}`);
    await network256.newRecord({ name: network256.at('5'), type: 'CNAME', data: reverse.at('5') });
    const domain = await labeled();
    await domain.newRecord({ data: `${prefix}5` });
    await domain.newRecord({ data: `${prefix}6`, name: domain.at('six') });
    expect(await pointers(reverse)).toEqual({ 5: domain.at('www') });
    expect(await pointers(network256)).toEqual({ 6: domain.at('six') });
  });

  it.each(['0/25', '0-25', '0-127'])('26.3 takes %s without the domain of the network', async (label) => {
    const [one, two] = nextNetwork();
    const reverse = await newDomain(service, `${label}.${two}.${one}.10.in-addr.arpa.`);
    const domain = await labeled();
    await domain.newRecord({ data: `10.${one}.${two}.127` });
    await domain.newRecord({ data: `10.${one}.${two}.128`, name: domain.at('out') });
    expect(await pointers(reverse)).toEqual({ 127: domain.at('www') });
  });

  it('26.2 leaves the reverse domain of another tenant alone', async () => {
    const other = service.as('tenant-b');
    const { prefix, domain: reverse } = await network(other);
    const domain = await labeled();
    await domain.newRecord({ data: `${prefix}5` });
    expect(await pointers(reverse)).toEqual({});
  });
});

describe('26.4 one PTR record for an address', () => {
  it('26.4 is that of the first name, and the plan says so', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const first = await domain.newRecord({ data: `${prefix}5` });
    const change = [{ action: 'create', record: { name: domain.at('b'), type: 'A', data: `${prefix}5` } }];
    const { reverse: plan } = await bodyOf<Plan>(changesOf(domain, change, '?dry_run=true'));
    const [name, www] = [reverse.at('5'), domain.at('www')];
    expect(plan).toEqual([{ domain: reverse.name, name, before: www, after: www, problem: expect.any(String) }]);
    expectStatus(await changesOf(domain, change), 200);
    expect(await pointers(reverse)).toEqual({ 5: www });
    expectStatus(await domain.delete(first.id), 200);
    expect(await pointers(reverse)).toEqual({});
  });

  it('26.6 a dry run shows what follows, and stores nothing', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const { id } = await domain.newRecord({ data: `${prefix}5` });
    const plan = await bodyOf<Plan>(
      changesOf(domain, [{ action: 'update', id, record: { name: domain.at('b') } }], '?dry_run=true'),
    );
    const facts = { domain: reverse.name, name: reverse.at('5'), problem: null };
    expect(plan.reverse).toEqual([{ ...facts, before: domain.at('www'), after: domain.at('b') }]);
    expect(await pointers(reverse)).toEqual({ 5: domain.at('www') });
  });

  it('26.5 stores the address where the PTR record is refused', async () => {
    const [one, two] = nextNetwork();
    const reverse = await newDomain(service, `${one}.10.in-addr.arpa.`);
    await reverse.newRecord({ name: reverse.at(`${two}`), type: 'DNAME', data: 'reverse.example.net.' });
    const domain = await labeled();
    const record = { name: domain.at('www'), type: 'A', data: `10.${one}.${two}.5` };
    const { reverse: plan } = await bodyOf<Plan>(changesOf(domain, [{ action: 'create', record }], '?dry_run=true'));
    expect(plan).toEqual([expect.objectContaining({ after: null, problem: expect.stringContaining('DNAME') })]);
    await domain.newRecord(record);
    expect(await pointers(reverse)).toEqual({});
  });

  it('26.2 leaves out what the reverse domain delegates', async () => {
    const { prefix, domain: reverse } = await network();
    await reverse.newRecord({ name: reverse.at('5'), type: 'NS', data: 'ns.example.net.' });
    const domain = await labeled();
    await domain.newRecord({ data: `${prefix}5` });
    expect(await pointers(reverse)).toEqual({});
  });
});

describe('26.7 the missing ones', () => {
  const build = (domain: TestDomain, query = '') =>
    bodyOf<{ reverse: object[]; next: string | null }>(
      service.call('post', `/v1/domains/${domain.id}/reverse${query}`),
    );
  const findings = async (domain: TestDomain) =>
    (await domain.check()).warnings.filter(({ type }) => type === 'PTR').map(({ name }) => name);

  it('26.7 are created in portions, and 26.8 found before', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await newDomain(service);
    const names = Array.from({ length: 250 }, (_, n) => domain.at(`h${n}`));
    const changes = names.map((name, n) => ({ action: 'create', record: { name, type: 'A', data: `${prefix}${n}` } }));
    expectStatus(await changesOf(domain, changes), 200);
    expect(await findings(domain)).toEqual([]);
    expectStatus(await service.call('put', `/v1/domains/${domain.id}`, { labels: { reverse: 'true' } }), 200);
    expect(await findings(domain)).toHaveLength(250);
    expect((await build(domain, '?dry_run=true')).reverse).toHaveLength(200);
    expect(await pointers(reverse)).toEqual({});
    const { reverse: steps, next } = await build(domain);
    expect(steps).toHaveLength(200);
    const last = await build(domain, `?marker=${next ?? ''}`);
    expect(last).toMatchObject({ next: null });
    expect(Object.keys(await pointers(reverse)).length).toBeGreaterThan(0);
    expect(await findings(domain)).toEqual([]);
    expect((await build(domain)).reverse).toEqual([]);
    expect(await findings(reverse)).toEqual([]);
  });

  it('26.8 finds a PTR record whose name has another address', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    await domain.newRecord({ data: `${prefix}5` });
    await reverse.newRecord({ name: reverse.at('9'), type: 'PTR', data: domain.at('www') });
    await reverse.newRecord({ name: reverse.at('8'), type: 'PTR', data: freshName() });
    expect(await findings(reverse)).toEqual([reverse.at('9')]);
  });
});

describe('26.5 bounds', () => {
  it('26.5 does not follow more than 1,000 addresses of one change', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, n) => `h${n} 300 A ${prefix}${n % 250}`).join('\n');
    await domain.import(`${lines(1001)}\n`);
    expect(await pointers(reverse)).toEqual({});
    await (await labeled()).import(`${lines(1000)}\n`);
    expect(Object.keys(await pointers(reverse))).toHaveLength(250);
  });

  it('26.5 follows 500 IPv6 addresses without a common part', async () => {
    await newDomain(service, 'f.ip6.arpa.');
    const domain = await labeled();
    const address = (): string =>
      `fd${randomInt(256).toString(16).padStart(2, '0')}:${Array.from({ length: 7 }, () => randomInt(0x10000).toString(16)).join(':')}`;
    const changes = Array.from({ length: 500 }, (_, n) => ({
      action: 'create',
      record: { name: domain.at(`h${n}`), type: 'AAAA', data: address() },
    }));
    const { reverse } = await bodyOf<Plan>(changesOf(domain, changes, '?dry_run=true'));
    expect(reverse).toHaveLength(500);
    expectStatus(await changesOf(domain, changes), 200);
  });
});

describe('26.1 races', () => {
  it('26.1 goes together with changes of the reverse domain itself', async () => {
    const { prefix, domain: reverse } = await network();
    const domain = await labeled();
    const work = Array.from({ length: 30 }, (_, n) =>
      n % 2 === 0
        ? domain.newRecord({ name: domain.at(`h${n}`), data: `${prefix}${n}` })
        : reverse.newRecord({ name: reverse.at(`${n}`), type: 'PTR', data: domain.at(`h${n}`) }),
    );
    await Promise.all(work);
    const all = Array.from({ length: 30 }, (_, n) => [`${n}`, domain.at(`h${n}`)]);
    expect(await pointers(reverse)).toEqual(Object.fromEntries(all));
  });

  it('26.1 lets two reverse domains follow each other', async () => {
    const [one, two] = [await network(), await network()];
    for (const { domain } of [one, two])
      expectStatus(await service.call('put', `/v1/domains/${domain.id}`, { labels: { reverse: 'true' } }), 200);
    const work = Array.from({ length: 20 }, (_, n) => {
      const [from, to] = n % 2 === 0 ? [one, two] : [two, one];
      return from.domain.newRecord({ name: from.domain.at(`ns${n}`), data: `${to.prefix}${n}` });
    });
    await Promise.all(work);
    expect(Object.keys(await pointers(one.domain))).toHaveLength(10);
    expect(Object.keys(await pointers(two.domain))).toHaveLength(10);
  });

  it('26.1 leaves the PTR records of 40 concurrent changes of four domains', async () => {
    const { prefix, domain: reverse } = await network();
    const domains = await Promise.all([1, 2, 3, 4].map(() => labeled()));
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (domains[n % 4] as TestDomain).newRecord({
          name: (domains[n % 4] as TestDomain).at(`h${n}`),
          data: `${prefix}${n}`,
        }),
      ),
    );
    expect(Object.keys(await pointers(reverse))).toHaveLength(40);
    await Promise.all(
      made.map(({ id }, n) =>
        n % 2 === 0
          ? (domains[n % 4] as TestDomain).delete(id)
          : (domains[n % 4] as TestDomain).update(id, { data: `${prefix}${n + 100}` }),
      ),
    );
    const left = Array.from({ length: 20 }, (_, n) => `${2 * n + 101}`).sort();
    expect(Object.keys(await pointers(reverse))).toEqual(left);
  });
});
