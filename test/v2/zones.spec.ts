import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { type ListBody, newZone, v2RefusalOf, type ZoneBody } from '../support/v2.js';

const NAME_SERVERS = ['ns1.provider.example.', 'ns2.provider.example.'];
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
/** Fields that GET adds to the response of the change. */
const SHOWN = { status: 'ACTIVE', action: 'NONE', dnssec: 'insecure' };
const NOWHERE = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let member: Client;

beforeAll(async () => {
  const settings = {
    DEFAULT__DEFAULT_TTL: '1800',
    DEFAULT__QUOTA_ZONES: '100',
    SERVICE_CENTRAL__NAME_SERVERS: NAME_SERVERS.join(','),
  };
  service = await startTestService(settings);
  member = service.as('tenant-m');
});
afterAll(() => service.stop());

let names = 0;
const freshName = (): string => `z${String(++names)}.example.net.`;
const sound = (fields: object = {}): object => ({ name: freshName(), email: 'hostmaster@example.org', ...fields });
const create = (body: unknown, client: Client = service) => client.call('post', '/v2/zones', body);
const get = (id: string, client: Client = service) => client.call('get', `/v2/zones/${id}`);

/** Expects a refusal without any database change. */
async function expectRefused(body: unknown, type = 'invalid_object', status = 400, client = service as Client) {
  const before = contentsOf(service.databaseFile);
  const refusal = await v2RefusalOf(create(body, client), status, type);
  expect(contentsOf(service.databaseFile)).toEqual(before);
  return refusal;
}

describe('create', () => {
  it('13.3 answers 202 with the zone, PENDING and CREATE, and its Location; GET says ACTIVE and NONE', async () => {
    const name = freshName();
    const { body, headers } = await answerOf(create({ name, email: 'hostmaster@example.org' }, member), 202);
    const self = `${service.url}/v2/zones/${String(body.id)}`;
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      pool_id: POOL,
      project_id: 'tenant-m',
      name,
      email: 'hostmaster@example.org',
      ttl: 1800,
      serial: expect.any(Number),
      status: 'PENDING',
      action: 'CREATE',
      version: 1,
      type: 'PRIMARY',
      attributes: {},
      masters: [],
      description: null,
      shared: false,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      transferred_at: null,
      links: { self },
    });
    expect(headers).toMatchObject({ location: self });
    expect(headers).not.toHaveProperty('deprecation');
    expect(await bodyOf(get(body.id as string, member))).toEqual({ ...body, ...SHOWN });
  });

  it('13.1 shows the zone through version 1 as well', async () => {
    const zone = await newZone(service, freshName(), { ttl: 300, description: 'ours' });
    const { id, name, email, ttl, serial, description, created_at } = zone;
    const domain = await bodyOf<DomainBody>(service.call('get', `/v1/domains/${id}`));
    expect(domain).toEqual({ id, name, email, ttl, serial, description, created_at, updated_at: null });
  });

  it('keeps the sent values: the case of the name, a ttl of 0, attributes as texts', async () => {
    const fields = { ttl: 0, description: 'ünïcödé 🦆', attributes: { team: 'web', floor: 3, isOld: false } };
    const name = freshName().toUpperCase();
    const zone = await newZone(service, name, fields);
    expect(zone).toMatchObject({ name, ttl: 0, description: fields.description });
    expect(zone.attributes).toEqual({ team: 'web', floor: '3', isOld: 'false' });
    expect(await bodyOf(get(zone.id))).toMatchObject({ attributes: zone.attributes });
  });

  it.each(['host_master@mail_1.example.org', 'a@_dmarc.example.org'])(
    '7.1, 13.1 takes the mailbox %s, as version 1 does',
    async (email) => {
      const zone = await newZone(service, freshName(), { email });
      expect(zone.email).toBe(email);
      const domain = await bodyOf<DomainBody>(service.call('get', `/v1/domains/${zone.id}`));
      const back = await bodyOf<DomainBody>(service.call('put', `/v1/domains/${zone.id}`, domain));
      expect(back).toMatchObject({ email, serial: zone.serial });
      const other = { name: freshName(), email };
      expect(await bodyOf(service.call('post', '/v1/domains', other))).toMatchObject(other);
    },
  );

  it.each([
    ['a name without its final dot', { name: 'example.org' }, 'invalid_object'],
    ['a wildcard', { name: '*.example.org.' }, 'invalid_object'],
    ['a name of no letters', { name: 'exa mple.org.' }, 'invalid_object'],
    ['a label of 64 characters', { name: `${'a'.repeat(64)}.org.` }, 'invalid_object'],
    ['no email', { email: undefined }, 'invalid_object'],
    ['an email with two dots', { email: 'a..b@example.org' }, 'invalid_object'],
    ['an email without a domain', { email: 'hostmaster' }, 'invalid_object'],
    ['an email with a final dot', { email: 'hostmaster@example.org.' }, 'invalid_object'],
    ['a negative ttl', { ttl: -1 }, 'invalid_object'],
    ['a ttl of 2^31', { ttl: 2_147_483_648 }, 'invalid_object'],
    ['a ttl that is text', { ttl: '60' }, 'invalid_object'],
    ['a ttl that is null', { ttl: null }, 'invalid_object'],
    ['a description of 161 characters', { description: 'x'.repeat(161) }, 'invalid_object'],
    ['a type that is null', { type: null }, 'invalid_object'],
    ['an unknown type', { type: 'primary' }, 'invalid_object'],
    ['masters of a PRIMARY zone', { masters: ['192.0.2.1'] }, 'invalid_object'],
    ['attributes in a list', { attributes: ['a'] }, 'invalid_object'],
    ['attributes with null', { attributes: { a: null } }, 'invalid_object'],
    ['attributes in attributes', { attributes: { a: { b: 'c' } } }, 'invalid_object'],
    ['an attribute with a long key', { attributes: { ['k'.repeat(51)]: 'v' } }, 'invalid_object'],
    ['an id', { id: NOWHERE }, 'invalid_object'],
    ['a serial', { serial: 7 }, 'invalid_object'],
    ['a pool', { pool_id: POOL }, 'invalid_object'],
    ['a status', { status: 'ACTIVE' }, 'invalid_object'],
  ])('400 for %s, without any stored change', async (_, fields, type) => {
    await expectRefused(sound(fields), type);
  });

  it('names each field at fault', async () => {
    const refusal = v2RefusalOf(create({ name: 7, ttl: 'x' }), 400, 'invalid_object', [['name'], ['ttl']]);
    expect((await refusal).errors?.errors).toHaveLength(2);
  });

  it('400 for a SECONDARY zone without publication', async () => {
    await expectRefused({ name: freshName(), type: 'SECONDARY', masters: ['192.0.2.1'] });
  });

  it('409 for a name that is there, in any case and of any project', async () => {
    const { name } = await newZone(service, freshName());
    await expectRefused(sound({ name: name.toUpperCase() }), 'duplicate_zone', 409, member);
  });

  it('403 for a name inside or around a zone of another project', async () => {
    const { name } = await newZone(service, freshName());
    await expectRefused(sound({ name: `a.${name}` }), 'illegal_child', 403, member);
    const inner = await newZone(service, `a.${freshName()}`);
    await expectRefused(sound({ name: inner.name.slice(2) }), 'illegal_parent', 403, member);
  });

  it('413 for more zones than the quota has', async () => {
    const path = '/admin/quotas/tenant-q';
    const roomless = await startTestService({
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    });
    try {
      await bodyOf(roomless.call('patch', path, { quota: { zones: 1 } }));
      const client = roomless.as('tenant-q');
      await newZone(client, 'a.example.org.');
      await v2RefusalOf(create(sound(), client), 413, 'over_quota');
    } finally {
      await roomless.stop();
    }
  });

  it('403 for a reader', async () => {
    await expectRefused(sound(), 'forbidden', 403, service.as('tenant-r', 'reader'));
  });
});

describe('list', () => {
  let lister: Client;
  let zones: ZoneBody[];
  const list = (query = '', client = lister) =>
    bodyOf<ListBody<'zones', ZoneBody>>(client.call('get', `/v2/zones${query}`));
  const namesOf = async (query: string): Promise<string[]> => (await list(query)).zones.map(({ name }) => name);

  beforeAll(async () => {
    lister = service.as('tenant-l');
    zones = [];
    for (const fields of [{ ttl: 60 }, { ttl: 600, description: 'Second 100%' }, { email: 'other@example.org' }])
      zones.push(await newZone(lister, `list${String(zones.length)}.example.org.`, fields));
  });

  it('has the zones of the project in the order of their creation, as GET shows each', async () => {
    const { zones: shown, links, metadata } = await list();
    expect(shown).toEqual(await Promise.all(zones.map(({ id }) => bodyOf(get(id, lister)))));
    expect(links).toEqual({ self: `${service.url}/v2/zones` });
    expect(metadata).toEqual({ total_count: 3 });
  });

  it.each([
    ['name=list1.example.org.', [1]],
    ['name=LIST1.EXAMPLE.ORG.', [1]],
    ['name=list1.example.org', []],
    ['name=list*', [0, 1, 2]],
    ['name=list_.example.org.', []],
    ['description=second*', [1]],
    ['description=*100%25', [1]],
    ['description=%25', []],
    ['email=other@example.org', [2]],
    ['ttl=600', [1]],
    ['ttl=6*', [0, 1]],
    ['ttl=abc', []],
    ['status=active', [0, 1, 2]],
    ['status=PENDING', []],
    ['type=PRIMARY', [0, 1, 2]],
    ['type=SECONDARY', []],
    ['name=*1*&ttl=600', [1]],
  ])('filters by %s', async (query, found) => {
    const { zones: shown, metadata } = await list(`?${query}`);
    expect(shown.map(({ id }) => id)).toEqual(found.map((at) => zones[at]?.id));
    expect(metadata).toEqual({ total_count: found.length });
  });

  it.each(['created_at', 'id', 'name', 'serial', 'status', 'tenant_id', 'ttl', 'updated_at'])(
    'sorts by %s, both ways',
    async (key) => {
      const upwards = await namesOf(`?sort_key=${key}`);
      expect([...upwards].sort()).toEqual(zones.map(({ name }) => name));
      expect(await namesOf(`?sort_key=${key}&sort_dir=desc`)).toEqual([...upwards].reverse());
    },
  );

  it('pages by limit and marker; the last page has no next', async () => {
    const first = await list('?limit=2&name=list*');
    expect(first.zones.map(({ id }) => id)).toEqual([zones[0]?.id, zones[1]?.id]);
    const next = new URL(first.links.next ?? '');
    expect(Object.fromEntries(next.searchParams)).toEqual({ limit: '2', name: 'list*', marker: zones[1]?.id });
    const last = await list(next.search);
    expect(last.zones.map(({ id }) => id)).toEqual([zones[2]?.id]);
    expect(last.links).not.toHaveProperty('next');
    expect(last.metadata).toEqual({ total_count: 3 });
    expect((await list('?limit=3')).links).not.toHaveProperty('next');
  });

  it('shows an admin the zones of all projects when asked to', async () => {
    const all = await bodyOf<ListBody<'zones', ZoneBody>>(
      service.call('get', '/v2/zones?limit=max').set('X-Auth-All-Projects', 'true'),
    );
    expect(all.zones.map(({ id }) => id)).toEqual(expect.arrayContaining(zones.map(({ id }) => id)));
    await v2RefusalOf(lister.call('get', '/v2/zones').set('X-Auth-All-Projects', 'true'), 403, 'forbidden');
  });

  it.each([
    ['foo=bar', 'bad_request'],
    ['id=1', 'bad_request'],
    ['name=a&name=b', 'bad_request'],
    ['limit=0', 'invalid_limit'],
    ['limit=x', 'invalid_limit'],
    ['marker=x', 'invalid_marker'],
    [`marker=${NOWHERE}`, 'marker_not_found'],
    ['sort_key=email', 'invalid_sort_key'],
    ['sort_dir=up', 'invalid_sort_dir'],
  ])('400 for %s', async (query, type) => {
    await v2RefusalOf(lister.call('get', `/v2/zones?${query}`), 400, type);
  });
});

describe('show, update, delete', () => {
  it('404 for missing and foreign zones, 400 for invalid ids', async () => {
    const { id, name } = await newZone(service, freshName());
    for (const path of [id, NOWHERE]) {
      await v2RefusalOf(get(path, member), 404, 'zone_not_found');
      await v2RefusalOf(member.call('patch', `/v2/zones/${path}`, {}), 404, 'zone_not_found');
      await v2RefusalOf(member.call('delete', `/v2/zones/${path}`), 404, 'zone_not_found');
      await v2RefusalOf(get(`${path}/nameservers`, member), 404, 'zone_not_found');
    }
    await v2RefusalOf(get(name), 400, 'invalid_uuid');
    expect(await bodyOf(get(id.toUpperCase()))).toMatchObject({ id });
    expect(await bodyOf(get(`${id.replaceAll('-', '')}/`))).toMatchObject({ id });
  });

  it('13.3 updates: 202, PENDING and UPDATE, with a new serial', async () => {
    const { id, serial } = await newZone(service, freshName());
    const fields = { email: 'new@example.org', ttl: 0, description: 'New', attributes: { a: 'b' } };
    const updated = await bodyOf<ZoneBody>(service.call('patch', `/v2/zones/${id}`, fields), 202);
    expect(updated).toMatchObject({ ...fields, status: 'PENDING', action: 'UPDATE', version: 2 });
    expect(updated.serial).toBeGreaterThan(serial);
    expect(updated.updated_at).toMatch(TIMESTAMP);
    expect(await bodyOf(get(id))).toEqual({ ...updated, ...SHOWN });
    const cleared = service.call('patch', `/v2/zones/${id}`, { description: null, attributes: {} });
    expect(await bodyOf(cleared, 202)).toMatchObject({ description: null, attributes: {}, version: 3 });
  });

  it('changes nothing but updated_at by {}', async () => {
    const { id, serial } = await newZone(service, freshName());
    const patched = await bodyOf(service.call('patch', `/v2/zones/${id}`, {}), 202);
    expect(patched).toMatchObject({ serial, version: 1, action: 'UPDATE' });
  });

  it.each([
    ['a name', { name: 'other.example.net.' }],
    ['a type', { type: 'SECONDARY' }],
    ['masters of a PRIMARY zone', { masters: ['192.0.2.1'] }],
    ['a ttl that is null', { ttl: null }],
    ['an email that is none', { email: 'x' }],
    ['a serial', { serial: 1 }],
  ])('400 for %s', async (_, fields) => {
    const { id } = await newZone(service, freshName());
    await v2RefusalOf(service.call('patch', `/v2/zones/${id}`, fields), 400, 'invalid_object');
    expect(await bodyOf(get(id))).toMatchObject({ version: 1, updated_at: null });
  });

  it('405 for PUT', async () => {
    const { id } = await newZone(service, freshName());
    await answerOf(service.call('put', `/v2/zones/${id}`, {}), 405);
  });

  it('13.3 deletes: 202 with the zone, PENDING and DELETE; then 404', async () => {
    const zone = await newZone(service, freshName());
    const gone = await bodyOf(service.call('delete', `/v2/zones/${zone.id}`), 202);
    expect(gone).toEqual({ ...zone, status: 'PENDING', action: 'DELETE' });
    await v2RefusalOf(get(zone.id), 404, 'zone_not_found');
  });

  it('400 for a zone that has zones inside', async () => {
    const parent = await newZone(service, freshName());
    await newZone(service, `child.${parent.name}`);
    await v2RefusalOf(service.call('delete', `/v2/zones/${parent.id}`), 400, 'zone_has_sub_zone');
  });

  it('takes X-Designate-Hard-Delete of admins alone', async () => {
    const { id } = await newZone(member, freshName());
    const asked = (client: Client) =>
      client
        .call('delete', `/v2/zones/${id}`)
        .set('X-Designate-Hard-Delete', 'true')
        .set('X-Auth-All-Projects', 'true');
    await v2RefusalOf(asked(member), 403, 'forbidden');
    await answerOf(asked(service), 202);
  });

  it('lists the name servers in their order', async () => {
    const { id } = await newZone(service, freshName());
    const nameservers = NAME_SERVERS.map((hostname, at) => ({ hostname, priority: at + 1 }));
    expect(await bodyOf(get(`${id}/nameservers`))).toEqual({ nameservers });
  });

  it('13.1 shows a domain of version 1, and its changes by version 1', async () => {
    const domain = await newDomain(service, freshName());
    await bodyOf(service.call('put', `/v1/domains/${domain.id}`, { ttl: 77 }));
    expect(await bodyOf(get(domain.id))).toMatchObject({ name: domain.name, ttl: 77, status: 'ACTIVE', version: 2 });
  });
});

describe('tasks', () => {
  const ask = (id: string, task: string, client: Client = service) =>
    client.call('post', `/v2/zones/${id}/tasks/${task}`);

  it('abandons a zone for an admin, without a body', async () => {
    const { id } = await newZone(member, freshName());
    await v2RefusalOf(ask(id, 'abandon', member), 403, 'forbidden');
    await v2RefusalOf(ask(id, 'abandon'), 404, 'zone_not_found');
    const { text } = await answerOf(ask(id, 'abandon').set('X-Auth-All-Projects', 'True'), 204);
    expect(text).toBe('');
    await v2RefusalOf(get(id, member), 404, 'zone_not_found');
  });

  it('400 for the transfer of a PRIMARY zone', async () => {
    const { id } = await newZone(service, freshName());
    await v2RefusalOf(ask(id, 'xfr'), 400, 'bad_request');
    await v2RefusalOf(ask(NOWHERE, 'xfr'), 404, 'zone_not_found');
  });
});

it('leaves a database that is as it should be', () => {
  audit(service.databaseFile);
});
