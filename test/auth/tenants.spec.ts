import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { contentsOf } from '../support/audit.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { DomainBody, RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Method, startTestService, type TestService } from '../support/service.js';

const OPERATIONS: readonly [method: Method, path: string, body: object | null][] = [
  ['get', '/v1/domains/<domain_id>', null],
  ['put', '/v1/domains/<domain_id>', { ttl: 60 }],
  ['delete', '/v1/domains/<domain_id>', null],
  ['get', '/v1/domains/<domain_id>/servers', null],
  ['get', '/v1/domains/<domain_id>/records', null],
  ['post', '/v1/domains/<domain_id>/records', { name: 'x.<name>', type: 'A', data: '192.0.2.1' }],
  ['get', '/v1/domains/<domain_id>/records/<id>', null],
  ['put', '/v1/domains/<domain_id>/records/<id>', { ttl: 60 }],
  ['delete', '/v1/domains/<domain_id>/records/<id>', null],
];
const DENIED = { status: 401, type: 'access_denied', faults: [] };

describe("other tenants' data (attack cases 41, 50)", () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service.as('tenant-a'));
    record = await domain.newRecord();
  });
  afterAll(() => service.stop());

  const fill = (text: string) =>
    text.replace('<domain_id>', domain.id).replace('<id>', record.id).replace('<name>', domain.name);
  const readBody = (body: object | null) => (body === null ? undefined : fill(JSON.stringify(body)));

  it.each(OPERATIONS)('3.2 %s %s answers 404 as for a domain that never existed', async (method, path, body) => {
    const before = contentsOf(service.databaseFile);
    for (const stranger of [service.as('tenant-b'), service.as('tenant-b', 'admin'), service.as('TENANT-A')]) {
      const theirs = await stranger.call(method, fill(path), readBody(body));
      const nobodys = await stranger.call(method, fill(path).replace(domain.id, randomUUID()), readBody(body));
      expectRefusal(theirs, { status: 404, type: 'domain_not_found', faults: [] });
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...nobodys.body, request_id: '' });
      expect(Object.keys(theirs.headers)).toEqual(Object.keys(nobodys.headers));
    }
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it("3.2 leaves them out of another tenant's list", async () => {
    for (const stranger of [service.as('tenant-b'), service.as('tenant-b', 'admin')])
      expect((await stranger.call('get', '/v1/domains')).body).toEqual({ domains: [] });
  });

  it('3.2 finds no record of another tenant through its own domain', async () => {
    const own = await newDomain(service.as('tenant-b'));
    for (const [method, body] of [['get'], ['put', {}], ['delete']] as const) {
      const answer = await service.as('tenant-b').call(method, `/v1/domains/${own.id}/records/${record.id}`, body);
      expectRefusal(answer, { status: 404, type: 'record_not_found', faults: [] });
    }
    const page = await service.as('tenant-b').call('get', `/v1/domains/${own.id}/records?marker=${record.id}&limit=9`);
    expectRefusal(page, { status: 400, type: 'invalid_object', faults: [{ path: 'marker', validator: 'enum' }] });
    const list = await service.as('tenant-b').call('get', `/v1/domains?marker=${domain.id}&limit=9`);
    expectRefusal(list, { status: 400, type: 'invalid_object', faults: [{ path: 'marker', validator: 'enum' }] });
  });

  it.each([
    ['X-Auth-All-Projects', 'true'],
    ['X-Auth-All-Projects', '1'],
    ['X-Auth-Sudo-Tenant-ID', 'tenant-a'],
  ])('3.2 lets an admin reach them with %s: %s', async (name, value) => {
    const admin = service.as('tenant-b', 'admin');
    const all = await admin.call('get', '/v1/domains').set(name, value);
    expect(all.body.domains.map(({ id }: DomainBody) => id)).toContain(domain.id);
    const answer = await admin.call('put', fill('/v1/domains/<domain_id>/records/<id>'), {}).set(name, value);
    expectStatus(answer, 200);
    const listed = await admin.call('get', fill('/v1/domains/<domain_id>/records')).set(name, value);
    expect(listed.body.records[0]).toMatchObject({ id: record.id, tenant_id: 'tenant-a' });
  });

  it('3.2 assigns objects that an admin creates as another tenant to that tenant', async () => {
    const answer = await service
      .as('tenant-b', 'admin')
      .call('post', '/v1/domains', { name: `${randomUUID()}.example.org.`, email: 'hostmaster@example.org' })
      .set('X-Auth-Sudo-Tenant-ID', 'tenant-c');
    expectStatus(answer, 200);
    expect((await service.as('tenant-c').call('get', '/v1/domains')).body).toEqual({ domains: [answer.body] });
  });

  it('3.2 accepts a tenant of any characters as UTF-8', async () => {
    // Not through supertest: node:http encodes headers again when the request has a body.
    const ask = (tenant: Buffer, method: string, path: string, body?: object) =>
      fetch(`${service.url}${path}`, {
        method,
        headers: { 'X-Auth-Sudo-Tenant-ID': tenant.toString('latin1'), 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const tenant = Buffer.from('grüße 👋');
    const name = `${randomUUID()}.example.org.`;
    const made = await ask(tenant, 'POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
    const path = `/v1/domains/${((await made.json()) as DomainBody).id}/records`;
    expect((await ask(tenant, 'POST', path, { name, type: 'A', data: '192.0.2.1' })).status).toBe(200);
    expect(await (await ask(tenant, 'GET', path)).json()).toMatchObject({ records: [{ tenant_id: 'grüße 👋' }] });
    expect((await ask(Buffer.from('grüße', 'latin1'), 'GET', path)).status).toBe(401);
  });

  it.each([
    ['X-Auth-All-Projects', 'true'],
    ['X-Auth-All-Projects', 'TRUE'],
    ['X-Auth-Sudo-Tenant-ID', 'tenant-a'],
    ['X-Auth-Sudo-Tenant-ID', 'tenant-b'],
    ['X-Auth-Sudo-Tenant-ID', ''],
  ])('3.2 answers 401 to %s: %s from other callers', async (name, value) => {
    for (const role of ['member', 'reader', 'owner', 'ADMINS', 'administrator'])
      expectRefusal(await service.as('tenant-b', role).call('get', '/v1/domains').set(name, value), DENIED);
  });

  it('3.2 ignores X-Auth-All-Projects with any other value', async () => {
    for (const value of ['false', '0', '', 'nonsense'])
      expect((await service.as('tenant-b').call('get', '/v1/domains').set('X-Auth-All-Projects', value)).status).toBe(
        200,
      );
  });

  it.each(['', ' ', 't'.repeat(256)])('3.2 answers 401 to an admin who names the tenant "%s"', async (tenant) => {
    const answer = await service
      .as('tenant-b', 'admin')
      .call('get', '/v1/domains')
      .set('X-Auth-Sudo-Tenant-ID', tenant);
    expectRefusal(answer, DENIED);
  });

  it.each(['X-Project-Id', 'X-Tenant-Id', 'X-Auth-Project', 'X-Identity-Status', 'X-User-Id', 'X-Forwarded-User'])(
    '3.5 minds no %s from outside',
    async (name) => {
      const answer = await service.as('tenant-b').call('get', fill('/v1/domains/<domain_id>')).set(name, 'tenant-a');
      expectRefusal(answer, { status: 404, type: 'domain_not_found' });
    },
  );
});
