import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectStatus, type Fault, TIMESTAMP, UUID } from '../support/answers.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

const email = 'hostmaster@example.org';

const INVALID: readonly [situation: string, change: Record<string, unknown>, fault: Fault][] = [
  ['no name', { name: undefined }, { path: 'name', validator: 'required' }],
  ['no email', { email: undefined }, { path: 'email', validator: 'required' }],
  ['a relative name', { name: 'example.org' }, { path: 'name', validator: 'format' }],
  ['a wildcard', { name: '*.example.org.' }, { path: 'name', validator: 'format' }],
  ['a name that is not ASCII', { name: 'grüße.example.org.' }, { path: 'name', validator: 'format' }],
  ['an email without @', { email: 'hostmaster' }, { path: 'email', validator: 'format' }],
  ['an email that is not ASCII', { email: 'grüße@example.org' }, { path: 'email', validator: 'format' }],
  ['ttl 0', { ttl: 0 }, { path: 'ttl', validator: 'minimum' }],
  ['ttl 2^31', { ttl: 2 ** 31 }, { path: 'ttl', validator: 'maximum' }],
  ['null as ttl', { ttl: null }, { path: 'ttl', validator: 'type' }],
  ['ttl as text', { ttl: '60' }, { path: 'ttl', validator: 'type' }],
  [
    'a description of 161 characters',
    { description: 'd'.repeat(161) },
    { path: 'description', validator: 'maxLength' },
  ],
  ['an unknown field', { colour: 'red' }, { path: 'colour', validator: 'additionalProperties' }],
];

describe('domains (behaviour 7.1)', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_CENTRAL__NAME_SERVERS: 'ns1.dns.example.net.,ns2.dns.example.net.' });
  });
  afterAll(() => service.stop());

  describe('POST /domains', () => {
    const create = (body: unknown, prefix = '/v1', client: Client = service) =>
      client.call('post', `${prefix}/domains`, body);

    it.each(['/v1', ''])('7.1 answers 200 at "%s/domains" with the new domain and its Location', async (prefix) => {
      const name = freshName();
      const answer = await create({ name, email }, prefix);
      expectStatus(answer, 200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers.location).toBe(`${service.url}/v1/domains/${answer.body.id}`);
      expect(answer.body).toEqual({
        id: expect.stringMatching(UUID),
        name,
        email,
        ttl: 3600,
        serial: expect.any(Number),
        description: null,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: null,
      });
      expect(Math.abs(answer.body.serial - Date.now() / 1000)).toBeLessThan(60);
    });

    it('7.1 accepts ttl and description, and ignores read-only fields', async () => {
      const theirs = { id: randomUUID(), created_at: 'then', updated_at: null, tenant_id: 'other', serial: 1 };
      const answer = await create({ name: freshName(), email, ttl: 60, description: 'ours', ...theirs });
      expectStatus(answer, 200);
      expect(answer.body).toMatchObject({ ttl: 60, description: 'ours' });
      expect(answer.body.id).not.toBe(theirs.id);
      expect(answer.body.serial).not.toBe(1);
    });

    it.each(INVALID)('7.1 answers 400 invalid_object to %s', async (_, change, fault) => {
      const before = await service.call('get', '/v1/domains');
      const answer = await create({ name: freshName(), email, ...change });
      expectRefusal(answer, { status: 400, type: 'invalid_object', faults: [fault] });
      expect((await service.call('get', '/v1/domains')).body).toEqual(before.body);
    });

    it.each([
      ['its own tenant', 'tenant-a'],
      ['any other tenant', 'tenant-b'],
    ])('7.1 answers 409 to a name that %s has, in any case', async (_, tenant) => {
      const { name } = await newDomain(service.as('tenant-a'));
      const answer = await create({ name: name.toUpperCase(), email }, '/v1', service.as(tenant));
      expectRefusal(answer, { status: 409, type: 'duplicate_domain' });
      expect(answer.text).not.toContain('tenant-');
    });

    it.each([
      ['a child', 'illegal_child', (name: string) => `sub.${name}`],
      ['a child far below', 'illegal_child', (name: string) => `a.b.c.${name}`],
      ['a parent', 'illegal_parent', (name: string) => name.slice(name.indexOf('.') + 1)],
      ['a parent far above', 'illegal_parent', (name: string) => name.split('.').slice(2).join('.')],
    ])("7.1 refuses %s of another tenant's domain: %s", async (_, type, of) => {
      const { name } = await newDomain(service.as('tenant-a'), `x.y.${freshName()}`);
      const answer = await create({ name: of(name), email }, '/v1', service.as('tenant-b'));
      expectRefusal(answer, { status: 400, type });
      expect(answer.text).not.toContain('tenant-a');
    });

    it('7.1 lets a tenant create children of its own domain', async () => {
      const { name } = await newDomain(service.as('tenant-a'));
      expectStatus(await create({ name: `sub.${name}`, email }, '/v1', service.as('tenant-a')), 200);
    });

    it.each(['ns1.dns.example.net.', 'dns.example.net.', 'DNS.Example.NET.'])(
      '7.1 keeps %s, which holds our own name servers, for admins',
      async (name) => {
        const answer = await create({ name, email }, '/v1', service.as('tenant-b'));
        expectRefusal(answer, { status: 400, type: 'illegal_parent' });
      },
    );

    it('3.1 answers 401 to a reader', async () => {
      const answer = await create({ name: freshName(), email }, '/v1', service.as('tenant-a', 'reader'));
      expectRefusal(answer, { status: 401, type: 'access_denied', faults: [] });
    });
  });

  describe('GET /domains', () => {
    it.each(['/v1', ''])('7.1 answers 200 at "%s/domains" with the tenant\'s domains in order', async (prefix) => {
      const tenant = service.as(randomUUID());
      expect((await tenant.call('get', `${prefix}/domains`)).body).toEqual({ domains: [] });
      const domains = [await newDomain(tenant, `z.${freshName()}`), await newDomain(tenant, `a.${freshName()}`)];
      const answer = await tenant.call('get', `${prefix}/domains`);
      expectStatus(answer, 200);
      expect(answer.body).toEqual({ domains });
    });

    it('6.4 pages by key', async () => {
      const tenant = service.as(randomUUID());
      const [first, second] = [await newDomain(tenant), await newDomain(tenant)];
      const page = await tenant.call('get', '/v1/domains?limit=1');
      const self = `${service.url}/v1/domains?limit=1`;
      expect(page.body).toEqual({ domains: [first], links: { self, next: `${self}&marker=${first.id}` } });
      const rest = await tenant.call('get', `/v1/domains?limit=1&marker=${first.id}`);
      expect(rest.body).toEqual({ domains: [second], links: { self: page.body.links.next } });
    });

    it.each(['limit=0', 'limit=x', 'marker=x', 'email=a@example.org'])('6.4 answers 400 to ?%s', async (query) => {
      expectRefusal(await service.call('get', `/v1/domains?${query}`), { status: 400, type: 'invalid_object' });
    });
  });

  describe.each(['/v1', ''])('GET, PUT and DELETE %s/domains/<domain_id>', (prefix) => {
    let domain: TestDomain;
    beforeEach(async () => {
      domain = await newDomain(service);
    });
    const call = (method: 'get' | 'put' | 'delete', body?: unknown) =>
      service.call(method, `${prefix}/domains/${domain.id}`, body);

    it('7.1 gets the domain that create answered', async () => {
      const answer = await call('get');
      expectStatus(answer, 200);
      expect(answer.body).toEqual(domain);
    });

    it('7.1 updates the fields in the body and keeps the rest; 7.2 raises the serial', async () => {
      const answer = await call('put', { ttl: 60, description: 'new' });
      expectStatus(answer, 200);
      expect(answer.body).toEqual({
        ...domain,
        ttl: 60,
        description: 'new',
        serial: expect.any(Number),
        updated_at: expect.stringMatching(TIMESTAMP),
      });
      expect(answer.body.serial).toBeGreaterThan(domain.serial);
      expect((await call('get')).body).toEqual(answer.body);
    });

    it('7.1 accepts back a domain as returned', async () => {
      const answer = await call('put', domain);
      expectStatus(answer, 200);
      expect(answer.body).toEqual({ ...domain, updated_at: expect.stringMatching(TIMESTAMP) });
    });

    it.each([
      ['another name', { name: 'example.net.' }, 'bad_request', { path: 'name', validator: 'enum' }],
      ['null as ttl', { ttl: null }, 'invalid_object', { path: 'ttl', validator: 'type' }],
      ['null as email', { email: null }, 'invalid_object', { path: 'email', validator: 'type' }],
      ['an unknown field', { colour: 1 }, 'invalid_object', { path: 'colour', validator: 'additionalProperties' }],
    ] as const)('7.1 answers 400 to an update with %s', async (_, body, type, fault) => {
      expectRefusal(await call('put', body), { status: 400, type, faults: [fault] });
      expect((await call('get')).body).toEqual(domain);
    });

    it('7.1 deletes the domain with its records: 200 and an empty body', async () => {
      const record = await domain.newRecord();
      const answer = await call('delete');
      expectStatus(answer, 200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-length']).toBe('0');
      expect(answer.text).toBe('');
      for (const path of ['', '/records', `/records/${record.id}`, '/servers'])
        expectRefusal(await service.call('get', `/v1/domains/${domain.id}${path}`), {
          status: 404,
          type: 'domain_not_found',
        });
      await newDomain(service, domain.name);
    });

    it('7.1 does not delete a domain that has child domains', async () => {
      await newDomain(service, `sub.${domain.name}`);
      expectRefusal(await call('delete'), { status: 400, type: 'domain_has_sub_domain', faults: [] });
      expectStatus(await call('get'), 200);
    });

    it.each(['put', 'delete'] as const)('3.1 answers 401 to a %s by a reader', async (method) => {
      const reader = service.as('tenant-a', 'reader');
      const answer = await reader.call(method, `${prefix}/domains/${domain.id}`, method === 'put' ? {} : undefined);
      expectRefusal(answer, { status: 401, type: 'access_denied', faults: [] });
    });

    it.each(['get', 'put', 'delete'] as const)(
      '1.5 answers 404 to %s with an id that names nothing',
      async (method) => {
        for (const id of [randomUUID(), 'example.org.', '0', "'%20--"]) {
          const answer = await service.call(method, `${prefix}/domains/${id}`, method === 'put' ? {} : undefined);
          expectRefusal(answer, { status: 404, type: 'domain_not_found', faults: [] });
        }
      },
    );

    it('7.1 lists the name servers of a domain', async () => {
      const answer = await service.call('get', `${prefix}/domains/${domain.id}/servers`);
      expectStatus(answer, 200);
      const server = {
        id: expect.stringMatching(UUID),
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: null,
      };
      expect(answer.body).toEqual({
        servers: [
          { ...server, name: 'ns1.dns.example.net.' },
          { ...server, name: 'ns2.dns.example.net.' },
        ],
      });
    });
  });
});

describe('domains with a lowest ttl', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_CENTRAL__MIN_TTL: '300' });
  });
  afterAll(() => service.stop());

  it('4.4 answers 400 invalid_ttl below min_ttl, but not to an admin', async () => {
    const domain = { name: freshName(), email, ttl: 299 };
    const member = service.as('tenant-a');
    const fault: Fault = { path: 'ttl', validator: 'minimum' };
    const answer = await member.call('post', '/v1/domains', domain);
    expectRefusal(answer, { status: 400, type: 'invalid_ttl', faults: [fault] });
    expectStatus(await service.call('post', '/v1/domains', domain), 200);
    const home = await newDomain(member);
    const record = { name: home.name, type: 'A', data: '192.0.2.1', ttl: 10 };
    for (const [method, path, body] of [
      ['put', '', { ttl: 1 }],
      ['post', '/records', record],
    ] as const)
      expectRefusal(await member.call(method, `/v1/domains/${home.id}${path}`, body), {
        status: 400,
        type: 'invalid_ttl',
        faults: [fault],
      });
    expectStatus(await service.call('post', `/v1/domains/${home.id}/records`, record), 200);
  });
});
