import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal, refusalOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { audit, contentsOf } from '../support/audit.js';
import { journalOf } from '../support/journal.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let member: Client;

beforeAll(async () => {
  const settings = {
    DEFAULT__DEFAULT_TTL: '1800',
    SERVICE_CENTRAL__MIN_TTL: '60',
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.,ns2.provider.example.',
    // A TLD that is refused because of the names below it.
    SERVICE_CENTRAL__PUBLIC_SUFFIX_EXCEPTIONS: 'net.',
  };
  service = await startTestService(settings);
  member = service.as('tenant-m');
});
afterAll(() => service.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

let names = 0;
const freshName = (): string => `d${String(++names)}.example.net.`;
const sound = (fields: object = {}): object => ({ name: freshName(), email: 'hostmaster@example.org', ...fields });
const create = (body: unknown, client: Client = service) => client.call('post', '/v1/domains', body);

/** Expects a refusal without any database change. */
async function expectRefused(body: unknown, status: number, type: string, client: Client = service): Promise<string> {
  const before = contentsOf(service.databaseFile);
  const { message } = await refusalOf(create(body, client), status, type);
  expect(contentsOf(service.databaseFile)).toEqual(before);
  return message;
}

describe('create', () => {
  it('7.1 answers 200 with the domain and its Location', async () => {
    const name = freshName();
    const now = Math.floor(Date.now() / 1000);
    const { body, headers } = await answerOf(create({ name, email: 'hostmaster@example.org' }));
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      name,
      email: 'hostmaster@example.org',
      ttl: 1800,
      serial: expect.any(Number),
      description: null,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
    });
    expect(Math.abs(body.serial - now)).toBeLessThan(60);
    expect(headers.location).toBe(`${service.url}/v1/domains/${String(body.id)}`);
    expect(await bodyOf(service.call('get', new URL(headers.location!).pathname))).toEqual(body);
  });

  it('7.1 stores ttl and description as sent, and the name in its case', async () => {
    const fields = {
      name: freshName().toUpperCase(),
      ttl: 86_400,
      description: 'ünïcödé 🦆',
      email: "o'hara+dns@example.org",
    };
    expect(await bodyOf(create({ ...sound(), ...fields }))).toMatchObject(fields);
    expect(await bodyOf(create(sound({ description: null })))).toMatchObject({ description: null });
  });

  it('7.1 accepts and ignores read-only fields', async () => {
    const written = { id: NOWHERE, serial: 7, created_at: 'once', updated_at: null, tenant_id: 'thief' };
    const { id, serial } = await bodyOf<DomainBody>(create(sound(written)));
    expect(id).not.toBe(NOWHERE);
    expect(serial).toBeGreaterThan(7);
    await bodyOf(service.call('get', `/v1/domains/${id}`));
  });

  it.each([
    ['name', undefined, 'required'],
    ['email', undefined, 'required'],
    ['name', null, 'type'],
    ['email', null, 'type'],
    ['name', 7, 'type'],
    ['email', 7, 'type'],
    ['name', '', 'format'],
    ['name', 'example', 'format'],
    ['name', 'example.org', 'format'],
    ['name', '*.example.org.', 'format'],
    ['name', 'a..example.org.', 'format'],
    ['name', '-a.example.org.', 'format'],
    ['name', 'a b.example.org.', 'format'],
    ['name', 'a\n.example.org.', 'format'],
    ['name', 'bücher.example.', 'format'],
    ['name', 'a/b.example.org.', 'format'],
    ['name', `${'l'.repeat(64)}.org.`, 'format'],
    ['name', `${'l.'.repeat(126)}toolong.`, 'format'],
    ['email', '', 'format'],
    ['email', 'hostmaster', 'format'],
    ['email', 'hostmaster.example.org.', 'format'],
    ['email', 'host master@example.org', 'format'],
    ['email', 'hostmaster@example.org\n', 'format'],
    ['email', 'hostmaster@bücher.example', 'format'],
    ['email', 'a@b@example.org', 'format'],
    ['email', '"quoted"@example.org', 'format'],
    ['email', `${'l'.repeat(64)}@example.org`, 'format'],
    ['email', `hostmaster@${`${'l'.repeat(60)}.`.repeat(4)}org`, 'format'],
    ['ttl', 0, 'minimum'],
    ['ttl', -1, 'minimum'],
    ['ttl', 2_147_483_648, 'maximum'],
    ['ttl', null, 'type'],
    ['ttl', '3600', 'type'],
    ['ttl', 1.5, 'type'],
    ['ttl', true, 'type'],
    ['description', 7, 'type'],
    ['description', 'd'.repeat(161), 'maxLength'],
    ['description', 'nul\0', 'type'],
    ['colour', 'red', 'additionalProperties'],
    ['serial', '7', 'type'],
  ])('7.1 refuses %s = %j', async (path, value, validator) => {
    const { errors } = await refusalOf(create(sound({ [path]: value })), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path, validator, message: expect.any(String) }]);
  });

  it('7.1 refuses an international name and says which A-label to send', async () => {
    expect(await expectRefused(sound({ name: 'bücher.example.' }), 400, 'invalid_object')).toContain(
      'xn--bcher-kva.example.',
    );
  });

  it('7.1 accepts a mailbox up to the size limit of an SOA record', async () => {
    const email = (octets: number): string =>
      `${'l'.repeat(63)}@${`${'d'.repeat(62)}.`.repeat(2)}${'e'.repeat(octets - 194)}.org`;
    expect(email(253)).toHaveLength(253);
    await bodyOf(create(sound({ email: email(253) })));
    await expectRefused(sound({ email: email(254) }), 400, 'invalid_object');
  });

  it('7.1 refuses non-admins a ttl below the configured minimum', async () => {
    await expectRefused(sound({ ttl: 59 }), 400, 'invalid_ttl', member);
    const { id } = await bodyOf<DomainBody>(create(sound({ ttl: 60 }), member));
    await refusalOf(member.call('put', `/v1/domains/${id}`, { ttl: 59 }), 400, 'invalid_ttl');
    await bodyOf(create(sound({ ttl: 1 })));
  });

  it('7.1 refuses a name that exists, in any case and for any tenant', async () => {
    const name = freshName();
    await bodyOf(create({ ...sound(), name }));
    for (const spelling of [name, name.toUpperCase()])
      for (const client of [service, member]) {
        const message = await expectRefused({ ...sound(), name: spelling }, 409, 'duplicate_domain', client);
        expect(message).not.toContain('tenant-a');
      }
  });

  it('7.1 refuses a child of another tenant’s domain, at any depth (attack case 43)', async () => {
    const parent = freshName();
    await bodyOf(create({ ...sound(), name: parent }));
    await expectRefused({ ...sound(), name: `sub.${parent}` }, 400, 'illegal_child', member);
    await expectRefused({ ...sound(), name: `a.b.c.${parent.toUpperCase()}` }, 400, 'illegal_child', member);
    await bodyOf(create({ ...sound(), name: `x${parent}` }, member));
    await bodyOf(create({ ...sound(), name: `sub.${parent}` }));
  });

  it('7.1 refuses a parent of another tenant’s domain, at any depth (attack case 43)', async () => {
    const parent = freshName();
    await bodyOf(create({ ...sound(), name: `a.b.${parent}` }));
    await expectRefused({ ...sound(), name: `b.${parent}` }, 400, 'illegal_parent', member);
    await expectRefused({ ...sound(), name: parent.toUpperCase() }, 400, 'illegal_parent', member);
    await expectRefused({ ...sound(), name: 'net.' }, 400, 'illegal_parent', member);
    await bodyOf(create({ ...sound(), name: parent }));
  });

  it('7.1 leaves a name free again that was deleted', async () => {
    const body = sound();
    const { id } = await bodyOf<DomainBody>(create(body));
    await service.call('delete', `/v1/domains/${id}`).expect(200);
    await bodyOf(create(body, member));
  });

  it('7.4 refuses non-admins a domain that holds the service’s own name servers (attack case 45)', async () => {
    for (const name of ['ns1.provider.example.', 'provider.example.', 'EXAMPLE.'])
      await expectRefused({ ...sound(), name }, 400, 'illegal_parent', member);
    await bodyOf(create({ ...sound(), name: 'www.provider.example.' }, member));
  });
});

describe('get', () => {
  it('7.1 answers the owner, and 404 to everybody else', async () => {
    const domain = await bodyOf<DomainBody>(create(sound(), member));
    const path = `/v1/domains/${domain.id}`;
    expect(await bodyOf(member.call('get', path))).toEqual(domain);
    const missing = await refusalOf(member.call('get', `/v1/domains/${NOWHERE}`), 404, 'domain_not_found');
    for (const client of [service, service.as('tenant-n')]) {
      const foreign = await refusalOf(client.call('get', path), 404, 'domain_not_found');
      expect({ ...foreign, request_id: '' }).toEqual({ ...missing, request_id: '' });
    }
    expect(await bodyOf(service.call('get', path).set('X-Auth-All-Projects', 'true'))).toEqual(domain);
  });

  it('7.1 lists the name servers of a domain', async () => {
    const [one, other] = [await newDomain(service), await newDomain(service)];
    const serversOf = async (id: string) =>
      (await bodyOf<{ servers: { id: string; name: string }[] }>(service.call('get', `/v1/domains/${id}/servers`)))
        .servers;
    const servers = await serversOf(one.id);
    expect(servers).toEqual(
      ['ns1.provider.example.', 'ns2.provider.example.'].map((name) => ({
        id: expect.stringMatching(UUID),
        name,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: null,
      })),
    );
    expect((await serversOf(other.id)).map(({ id }) => id)).toEqual(servers.map(({ id }) => id));
    await refusalOf(service.call('get', `/v1/domains/${NOWHERE}/servers`), 404, 'domain_not_found');
    await refusalOf(member.call('get', `/v1/domains/${one.id}/servers`), 404, 'domain_not_found');
  });
});

describe('list', () => {
  it('7.1 has the caller’s domains in the order of creation, whole or by the page', async () => {
    const lister = service.as('tenant-l');
    const made: string[] = [];
    for (let at = 0; at < 5; at++) made.push((await newDomain(lister)).id);
    await newDomain(member);
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(lister.call('get', '/v1/domains'));
    expect(domains.map(({ id }) => id)).toEqual(made);
    expect(domains[0]).toEqual(await bodyOf(lister.call('get', `/v1/domains/${made[0]!}`)));

    const found: string[] = [];
    for (let next: string | undefined = '/v1/domains?limit=2'; next !== undefined;) {
      const page: { domains: DomainBody[]; links: { next?: string } } = await bodyOf(lister.call('get', next));
      found.push(...page.domains.map(({ id }) => id));
      next = page.links.next?.slice(service.url.length);
    }
    expect(found).toEqual(made);
  });

  it('7.1 is empty for a tenant without domains, and shows admins all tenants on request', async () => {
    expect(await bodyOf(service.as('tenant-none').call('get', '/v1/domains'))).toEqual({ domains: [] });
    const foreign = await newDomain(member);
    const all = await bodyOf<{ domains: DomainBody[] }>(
      service.call('get', '/v1/domains').set('X-Auth-All-Projects', 'true'),
    );
    expect(all.domains.map(({ id }) => id)).toContain(foreign.id);
    const own = await bodyOf<{ domains: DomainBody[] }>(service.call('get', '/v1/domains'));
    expect(own.domains.map(({ id }) => id)).not.toContain(foreign.id);
  });

  it('6.4, 7.1 continues after a deleted domain, not after an unknown or foreign one', async () => {
    const lister = service.as('tenant-markers');
    const [first, second] = [await newDomain(lister), await newDomain(lister)];
    const foreign = await newDomain(member);
    await answerOf(lister.call('delete', `/v1/domains/${first.id}`));
    await answerOf(member.call('delete', `/v1/domains/${foreign.id}`));
    const listed = await bodyOf<{ domains: DomainBody[] }>(lister.call('get', `/v1/domains?marker=${first.id}`));
    expect(listed.domains.map(({ id }) => id)).toEqual([second.id]);
    for (const marker of [NOWHERE, foreign.id, (await newDomain(member)).id]) {
      const answer = await lister.call('get', `/v1/domains?limit=9&marker=${marker}`);
      expectRefusal(answer, { status: 400, type: 'invalid_object', faults: [{ path: 'marker', validator: 'enum' }] });
    }
    const all = service.as('tenant-markers', 'admin').call('get', `/v1/domains?marker=${foreign.id}`);
    await answerOf(all.set('X-Auth-All-Projects', 'true'));
  });

  it.each(['limit=0', 'limit=01', 'limit=1001', 'limit=x', 'marker=x', 'name=example.org', 'name=', 'email=a@b.org'])(
    '7.1 refuses %s',
    async (query) => {
      await refusalOf(service.call('get', `/v1/domains?${query}`), 400, 'invalid_object');
    },
  );

  it('7.1 has the domain of a name alone, in any case', async () => {
    const lister = service.as('tenant-names');
    const [wanted, other, foreign] = [await newDomain(lister), await newDomain(lister), await newDomain(member)];
    const listed = async (query: string, client: Client = lister) =>
      (await bodyOf<{ domains: DomainBody[] }>(client.call('get', `/v1/domains?${query}`))).domains;
    expect(await listed(`name=${wanted.name}`)).toEqual([wanted]);
    expect(await listed(`name=${wanted.name.toUpperCase()}&limit=5`)).toEqual([wanted]);
    expect(await listed(`name=${other.name}&marker=${wanted.id}`)).toEqual([other]);
    expect(await listed(`name=${wanted.name}&marker=${wanted.id}`)).toEqual([]);
    expect(await listed(`name=www.${wanted.name}`)).toEqual([]);
    expect(await listed(`name=${foreign.name}`)).toEqual([]);
    const all = service.call('get', `/v1/domains?name=${foreign.name}`).set('X-Auth-All-Projects', 'true');
    expect((await bodyOf<{ domains: DomainBody[] }>(all)).domains).toEqual([foreign]);
  });
});

describe('update', () => {
  const update = (id: string, body: unknown, client: Client = service) => client.call('put', `/v1/domains/${id}`, body);

  it.each([
    ['email', 'other@example.org'],
    ['ttl', 60],
    ['description', 'changed'],
    ['description', null],
  ])('7.1 changes %s to %j and keeps omitted fields', async (field, value) => {
    const domain = await bodyOf<DomainBody>(create(sound({ ttl: 7200, description: 'first' })));
    const updated = await bodyOf<DomainBody>(update(domain.id, { [field]: value }));
    expect(updated).toEqual({
      ...domain,
      [field]: value,
      serial: expect.any(Number),
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(updated.serial).toBeGreaterThan(domain.serial);
    expect(await bodyOf(service.call('get', `/v1/domains/${domain.id}`))).toEqual(updated);
  });

  it('7.1 takes a fetched domain back without moving its serial', async () => {
    const domain = await bodyOf<DomainBody>(create(sound()));
    const once = await bodyOf<DomainBody>(update(domain.id, domain));
    expect(once).toEqual({ ...domain, updated_at: expect.stringMatching(TIMESTAMP) });
    expect(await bodyOf<DomainBody>(update(domain.id, {}))).toEqual(once);
    expect(await bodyOf<DomainBody>(update(domain.id, once))).toEqual(once);
    expect(journalOf(service.databaseFile, domain.id)).toHaveLength(1);
  });

  it('7.1 does not rename, and takes the name in any case', async () => {
    const domain = await bodyOf<DomainBody>(create(sound()));
    const { errors } = await refusalOf(update(domain.id, { name: freshName(), ttl: 60 }), 400, 'bad_request');
    expect(errors).toMatchObject([{ path: 'name' }]);
    const { name } = await bodyOf<DomainBody>(update(domain.id, { name: domain.name.toUpperCase() }));
    expect(name).toBe(domain.name);
  });

  it.each([
    { ttl: null },
    { ttl: 0 },
    { ttl: '60' },
    { email: null },
    { email: 'nobody' },
    { name: null },
    { name: 7 },
    { description: 7 },
    { colour: 'red' },
    { ttl: 60, email: 'nobody' },
  ])('7.1 stores nothing of %j', async (body) => {
    const { id } = await bodyOf<DomainBody>(create(sound()));
    const before = contentsOf(service.databaseFile);
    await refusalOf(update(id, body), 400, 'invalid_object');
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('7.1 of a domain that is not there, or not the caller’s, is 404', async () => {
    const { id } = await bodyOf<DomainBody>(create(sound()));
    await refusalOf(update(NOWHERE, {}), 404, 'domain_not_found');
    await refusalOf(update('no-id', {}), 404, 'domain_not_found');
    await refusalOf(update(id, { ttl: 60 }, member), 404, 'domain_not_found');
  });
});

describe('delete', () => {
  const remove = (id: string, client: Client = service) => client.call('delete', `/v1/domains/${id}`);

  it('7.1 answers 200 with an empty text and removes the records', async () => {
    const domain = await newDomain(service);
    const { id } = await bodyOf(domain.create({ name: domain.name, type: 'A', data: '192.0.2.1' }));
    const { text, headers } = await answerOf(remove(domain.id));
    expect(text).toBe('');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-length': '0' });
    await refusalOf(domain.get(id), 404, 'domain_not_found');
    await refusalOf(domain.list(), 404, 'domain_not_found');
    await refusalOf(remove(domain.id), 404, 'domain_not_found');
    const again = await newDomain(service, domain.name);
    expect(await again.records()).toEqual([]);
    expect(journalOf(service.databaseFile, domain.id).map(({ action }) => action)).toEqual([
      'zone.create',
      'record.create',
      'zone.delete',
    ]);
  });

  it('7.1 refuses a domain that has child domains', async () => {
    const parent = await newDomain(service);
    const child = await newDomain(service, parent.at('a.b'));
    await newDomain(service, `x${parent.name}`);
    const before = contentsOf(service.databaseFile);
    await refusalOf(remove(parent.id), 400, 'domain_has_sub_domain');
    expect(contentsOf(service.databaseFile)).toEqual(before);
    await answerOf(remove(child.id));
    await answerOf(remove(parent.id));
  });

  it('7.1 of another tenant’s domain is 404', async () => {
    const { id } = await newDomain(service);
    await refusalOf(remove(id, member), 404, 'domain_not_found');
    await refusalOf(remove('no-id'), 404, 'domain_not_found');
    await bodyOf(service.call('get', `/v1/domains/${id}`));
  });
});

describe('serials', () => {
  it('7.2 each accepted change raises the serial, by one at least and in the domain only', async () => {
    const [domain, other] = [await newDomain(service), await newDomain(service)];
    const serials = [domain.serial];
    const note = async () => void serials.push((await domain.now()).serial);
    const { id } = await bodyOf(domain.create({ name: domain.name, type: 'A', data: '192.0.2.1' }));
    await note();
    await bodyOf(domain.update(id, { data: '192.0.2.2' }));
    await note();
    await answerOf(domain.delete(id));
    await note();
    await bodyOf(service.call('put', `/v1/domains/${domain.id}`, { ttl: 60 }));
    await note();
    const steps = serials.slice(1).map((serial, at) => serial - serials[at]!);
    expect(steps.every((step) => step >= 1)).toBe(true);
    expect((await other.now()).serial).toBe(other.serial);
    expect(Math.abs(serials[0]! - Date.now() / 1000)).toBeLessThan(60);
  });

  it('7.2 a refused change and a read do not', async () => {
    const domain = await newDomain(service);
    await refusalOf(domain.create({ name: domain.name, type: 'CNAME', data: 'a.' }), 400, 'invalid_recordset_location');
    await refusalOf(domain.delete(NOWHERE), 404, 'record_not_found');
    await bodyOf(domain.list());
    expect((await domain.now()).serial).toBe(domain.serial);
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
