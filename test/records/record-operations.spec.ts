import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit, contentsOf } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const address = (label = 'www') => ({ name: domain.at(label), type: 'A', data: '192.0.2.3' });

describe('create', () => {
  it('6.1 answers 200 with the record and its Location', async () => {
    const { body, headers } = await answerOf(domain.create(address()));
    expect(body).toEqual({
      ...address(),
      id: expect.stringMatching(UUID),
      domain_id: domain.id,
      created_at: expect.any(String),
      updated_at: null,
      ttl: null,
      description: null,
      priority: null,
    });
    expect(headers.location).toBe(`${service.url}/v1/domains/${domain.id}/records/${String(body.id)}`);
    const { pathname } = new URL(headers.location!);
    expect(await bodyOf(service.call('get', pathname))).toEqual(body);
  });

  it('6.1 a domain that is not there, or not the caller’s, is 404', async () => {
    const stranger = service.as('tenant-b');
    for (const [client, id] of [
      [service, NOWHERE],
      [service, 'no-id'],
      [stranger, domain.id],
    ] as const)
      await refusalOf(client.call('post', `/v1/domains/${id}/records`, address()), 404, 'domain_not_found');
    await refusalOf(stranger.call('post', `/v1/domains/${domain.id}/records`, { name: 7 }), 400, 'invalid_object');
  });
});

describe('get', () => {
  it('6.1 answers 200 with the ten fields', async () => {
    const created = await bodyOf(domain.create(address()));
    const { body } = await answerOf(domain.get(created.id));
    expect(body).toEqual(created);
    expect(Object.keys(body)).toHaveLength(10);
  });

  it('6.1 a record that is not there, or in another domain, is 404', async () => {
    const { id } = await bodyOf(domain.create(address()));
    const other = await newDomain(service);
    await refusalOf(other.get(id), 404, 'record_not_found');
    await refusalOf(domain.get(NOWHERE), 404, 'record_not_found');
    await refusalOf(domain.get(domain.id), 404, 'record_not_found');
    await refusalOf(
      service.as('tenant-b').call('get', `/v1/domains/${domain.id}/records/${id}`),
      404,
      'domain_not_found',
    );
  });
});

describe('list and update', () => {
  it('6.1 answer 200', async () => {
    const created = await bodyOf(domain.create(address()));
    const { records } = await bodyOf<{ records: unknown[] }>(domain.list());
    expect(records).toEqual([{ ...created, tenant_id: 'tenant-a', version: 1 }]);
    const updated = await bodyOf(domain.update(created.id, { ttl: 60 }));
    expect(updated).toEqual({ ...created, ttl: 60, updated_at: expect.any(String) });
  });
});

describe('delete', () => {
  it('6.1 answers 200 with an empty text, and deletes the record immediately', async () => {
    const { id } = await bodyOf(domain.create(address()));
    const { headers, text } = await answerOf(domain.delete(id));
    expect(text).toBe('');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-length': '0' });
    await refusalOf(domain.get(id), 404, 'record_not_found');
    await refusalOf(domain.delete(id), 404, 'record_not_found');
    await refusalOf(domain.update(id, {}), 404, 'record_not_found');
    expect(await domain.records()).toEqual([]);
  });

  it('6.1 deletes that record only', async () => {
    const kept = await bodyOf(domain.create({ ...address(), data: '192.0.2.1' }));
    const { id } = await bodyOf(domain.create({ ...address(), data: '192.0.2.2' }));
    await answerOf(domain.delete(id));
    expect(await domain.records()).toMatchObject([{ id: kept.id }]);
  });

  it('6.1 of a record that is not there changes nothing', async () => {
    const { id } = await bodyOf(domain.create(address()));
    const other = await newDomain(service);
    const before = contentsOf(service.databaseFile);
    await refusalOf(other.delete(id), 404, 'record_not_found');
    await refusalOf(domain.delete('no-id'), 404, 'record_not_found');
    await refusalOf(
      service.as('tenant-b').call('delete', `/v1/domains/${domain.id}/records/${id}`),
      404,
      'domain_not_found',
    );
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });
});

describe('generated records', () => {
  it('6.5 SOA and the apex NS of the service are no records of a list', async () => {
    expect(await domain.records()).toEqual([]);
  });

  it('6.5 rejects an SOA by users', async () => {
    const soa = { name: domain.name, type: 'SOA', data: 'ns. host. 1 2 3 4 5' };
    await refusalOf(domain.create(soa), 400, 'bad_request');
  });

  it('6.5 a user’s own apex NS records join the set and can be removed again', async () => {
    const ns = { name: domain.name, type: 'NS', data: 'ns.example.net.' };
    const { id } = await bodyOf(domain.create(ns));
    const own = { ...ns, data: 'ns1.zonewright.invalid.' };
    await bodyOf(domain.create(own));
    expect(await domain.records()).toMatchObject([ns, own]);
    await answerOf(domain.delete(id));
    expect(await domain.records()).toMatchObject([own]);
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
