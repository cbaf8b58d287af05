import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

describe('GET /domains/<domain_id>/records/<id> (interface §4.2)', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
    record = await domain.newRecord({ ttl: 300, description: 'web' });
  });
  afterAll(() => service.stop());

  const spellings = [
    ['as it was given', (id: string) => id],
    ['in upper case', (id: string) => id.toUpperCase()],
    ['without dashes', (id: string) => id.replaceAll('-', '')],
  ] as const;

  it.each(['/v1', ''])('§4.2 answers 200 at "%s/domains/…" with the record that create answered', async (prefix) => {
    const answer = await service.call('get', `${prefix}/domains/${domain.id}/records/${record.id}`);
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual(record);
  });

  it.each(spellings)('1.5 accepts the ids %s', async (_, spell) => {
    const answer = await service.call('get', `/v1/domains/${spell(domain.id)}/records/${spell(record.id)}`);
    expectStatus(answer, 200);
    expect(answer.body).toEqual(record);
  });

  it('1.5 answers HEAD with the headers of GET and no body', async () => {
    const path = `/v1/domains/${domain.id}/records/${record.id}`;
    const [get, head] = [await service.call('get', path), await service.call('head', path)];
    expectStatus(head, 200);
    expect(head.text).toBeUndefined();
    for (const header of ['content-type', 'content-length', 'cache-control', 'deprecation'])
      expect(head.headers[header]).toBe(get.headers[header]);
  });

  it.each([
    ['a record that does not exist', () => [domain.id, randomUUID()], 'record_not_found'],
    ['a record id that is no UUID', () => [domain.id, 'www'], 'record_not_found'],
    ['a record id with an SQL string', () => [domain.id, "'%20OR%20'1'='1"], 'record_not_found'],
    ['a domain that does not exist', () => [randomUUID(), record.id], 'domain_not_found'],
    ['a domain id that is no UUID', () => ['example.org.', record.id], 'domain_not_found'],
    ['a domain id that encodes NUL', () => ['%00', record.id], 'domain_not_found'],
  ])('§4.2 answers 404 to %s', async (_, ids, type) => {
    const [zoneId, id] = ids();
    const answer = await service.call('get', `/v1/domains/${zoneId}/records/${id}`);
    expectRefusal(answer, { status: 404, type, faults: [] });
  });

  it('§4.2 answers 404 to a record of another domain', async () => {
    const other = await newDomain(service);
    const answer = await service.call('get', `/v1/domains/${other.id}/records/${record.id}`);
    expectRefusal(answer, { status: 404, type: 'record_not_found', faults: [] });
  });
});
