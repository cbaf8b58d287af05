import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectStatus, type Fault } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

const BAD_QUERIES: readonly [query: string, fault: Fault][] = [
  ['limit=0', { path: 'limit', validator: 'minimum' }],
  ['limit=1001', { path: 'limit', validator: 'maximum' }],
  ['limit=-1', { path: 'limit', validator: 'type' }],
  ['limit=1.5', { path: 'limit', validator: 'type' }],
  ['limit=', { path: 'limit', validator: 'type' }],
  ['limit=1e3', { path: 'limit', validator: 'type' }],
  ['limit=1&limit=2', { path: 'limit', validator: 'type' }],
  ['limit[]=1', { path: 'limit[]', validator: 'additionalProperties' }],
  ['marker=www', { path: 'marker', validator: 'format' }],
  ["marker='%20OR%20''='", { path: 'marker', validator: 'format' }],
  ['marker=', { path: 'marker', validator: 'format' }],
  ['type=A&type=MX', { path: 'type', validator: 'type' }],
  ['type=HINFOX', { path: 'type', validator: 'enum' }],
  ['name=www', { path: 'name', validator: 'format' }],
  ['order=name', { path: 'order', validator: 'additionalProperties' }],
  ['a[__proto__][x]=1', { path: 'a[__proto__][x]', validator: 'additionalProperties' }],
  ['__proto__=1', { path: '__proto__', validator: 'additionalProperties' }],
  ['constructor=1', { path: 'constructor', validator: 'additionalProperties' }],
];

describe('GET /domains/<domain_id>/records (interface §4.5)', () => {
  let service: TestService;
  let domain: TestDomain;
  let records: RecordBody[];
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
    records = [];
    for (const [name, data] of [
      ['www', '192.0.2.1'],
      ['a', '192.0.2.2'],
      ['www', '192.0.2.3'],
    ] as const)
      records.push(await domain.newRecord({ name: `${name}.${domain.name}`, data }));
    records.push(await domain.newRecord({ name: domain.name, type: 'MX', data: 'a.example.', priority: 5 }));
  });
  afterAll(() => service.stop());

  const list = (query = '', prefix = '/v1') => service.call('get', `${prefix}/domains/${domain.id}/records${query}`);
  const idsOf = (body: { records: { id: string }[] }) => body.records.map(({ id }) => id);

  it.each(['/v1', ''])('§4.5 answers 200 at "%s/domains/…": records, each with two fields more', async (prefix) => {
    const answer = await list('', prefix);
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      records: records.map((record) => ({ ...record, tenant_id: 'tenant-a', version: 1 })),
    });
  });

  it('§4.5 answers an empty list for a domain without records', async () => {
    const empty = await newDomain(service);
    expect((await service.call('get', `/v1/domains/${empty.id}/records`)).body).toEqual({ records: [] });
  });

  it('6.4 pages by key and leads on with links.next', async () => {
    const first = await list('?limit=3');
    expectStatus(first, 200);
    expect(idsOf(first.body)).toEqual(records.slice(0, 3).map(({ id }) => id));
    const self = `${service.url}/v1/domains/${domain.id}/records?limit=3`;
    expect(first.body.links).toEqual({ self, next: `${self}&marker=${records[2]!.id}` });
    const { pathname, search } = new URL(first.body.links.next);
    const second = await service.call('get', pathname + search);
    expect(idsOf(second.body)).toEqual([records[3]!.id]);
    expect(second.body.links).toEqual({ self: first.body.links.next });
  });

  it.each([
    ['in upper case', (id: string) => id.toUpperCase()],
    ['without dashes', (id: string) => id.replaceAll('-', '')],
  ])('1.5 takes a marker %s', async (_, spell) => {
    const answer = await list(`?limit=1000&marker=${spell(records[1]!.id)}`);
    expectStatus(answer, 200);
    expect(idsOf(answer.body)).toEqual(records.slice(2).map(({ id }) => id));
  });

  it.each([
    ['name', () => `?name=www.${domain.name}`, [0, 2]],
    ['name in another case', () => `?name=WWW.${domain.name}`, [0, 2]],
    ['type', () => '?type=MX', [3]],
    ['data', () => '?data=192.0.2.2', [1]],
    ['name and data', () => `?name=www.${domain.name}&data=192.0.2.3`, [2]],
    ['what nothing has', () => '?data=192.0.2.200', []],
    ['an SQL string', () => "?data='%20OR%201=1%20--", []],
  ])('6.4 filters by %s', async (_, query, expected) => {
    const answer = await list(query());
    expectStatus(answer, 200);
    expect(idsOf(answer.body)).toEqual(expected.map((index) => records[index]!.id));
  });

  it.each(BAD_QUERIES)('6.4 answers 400 to ?%s', async (query, fault) => {
    expectRefusal(await list(`?${query}`), { status: 400, type: 'invalid_object', faults: [fault] });
  });

  it.each([
    ['that does not exist', randomUUID()],
    ['whose id is no UUID', 'example.org.'],
  ])('1.5 answers 404 to a domain %s', async (_, id) => {
    const answer = await service.call('get', `/v1/domains/${id}/records`);
    expectRefusal(answer, { status: 404, type: 'domain_not_found', faults: [] });
  });
});

describe('GET /domains/<domain_id>/records for strict clients', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__V1_STRICT_CLIENTS: 'True' });
  });
  afterAll(() => service.stop());

  it('6.6 carries only the ten fields of a single record', async () => {
    const domain = await newDomain(service);
    const record = await domain.newRecord();
    expect((await service.call('get', `/v1/domains/${domain.id}/records`)).body).toEqual({ records: [record] });
  });
});
