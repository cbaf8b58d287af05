import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectStatus, type Fault, TIMESTAMP } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

const INVALID: readonly [situation: string, body: unknown, type: string, ...faults: Fault[]][] = [
  ['null as name', { name: null }, 'invalid_object', { path: 'name', validator: 'type' }],
  ['null as type', { type: null }, 'invalid_object', { path: 'type', validator: 'type' }],
  ['null as data', { data: null }, 'invalid_object', { path: 'data', validator: 'type' }],
  ['ttl 0', { ttl: 0 }, 'invalid_object', { path: 'ttl', validator: 'minimum' }],
  ['a priority for A', { priority: 1 }, 'invalid_object', { path: 'priority', validator: 'type' }],
  ['data that is no address', { data: 'www' }, 'invalid_object', { path: 'data', validator: 'format' }],
  ['an unknown field', { colour: 1 }, 'invalid_object', { path: 'colour', validator: 'additionalProperties' }],
  ['another type', { type: 'AAAA', data: '::1' }, 'bad_request', { path: 'type', validator: 'enum' }],
  ['a name outside', { name: 'example.net.' }, 'invalid_recordset_location', { path: 'name', validator: 'format' }],
];

describe('PUT /domains/<domain_id>/records/<id> (interface §4.3)', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    domain = await newDomain(service);
    record = await domain.newRecord({ ttl: 300, description: 'web' });
  });

  const pathOf = ({ domain_id, id }: RecordBody, prefix = '/v1') => `${prefix}/domains/${domain_id}/records/${id}`;

  it.each(['/v1', ''])('§4.3 answers 200 at "%s/domains/…" with the whole updated record', async (prefix) => {
    const change = { name: `ftp.${domain.name}`, type: 'A', data: '192.0.2.5' };
    const answer = await service.call('put', pathOf(record, prefix), change);
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body).toEqual({ ...record, ...change, updated_at: expect.stringMatching(TIMESTAMP) });
    expect(answer.body.updated_at > record.created_at).toBe(true);
    expect((await service.call('get', pathOf(record))).body).toEqual(answer.body);
  });

  it.each([
    ['ttl', { ttl: 60 }, { ttl: 60 }],
    ['null as ttl and description', { ttl: null, description: null }, { ttl: null, description: null }],
    ['nothing', {}, {}],
  ])('6.2 keeps fields that a body with %s omits', async (_, body, changed) => {
    const answer = await service.call('put', pathOf(record), body);
    expectStatus(answer, 200);
    expect(answer.body).toEqual({ ...record, ...changed, updated_at: expect.stringMatching(TIMESTAMP) });
  });

  it('§4.3, 4.1 accepts back a record as returned by get and list', async () => {
    const { body: got } = await service.call('get', pathOf(record));
    const { body: listed } = await service.call('get', `/v1/domains/${domain.id}/records`);
    for (const body of [got, listed.records[0]]) {
      const answer = await service.call('put', pathOf(record), body);
      expectStatus(answer, 200);
      expect(answer.body).toEqual({ ...record, updated_at: expect.stringMatching(TIMESTAMP) });
    }
  });

  it('§4.3, 4.1 never changes the identity fields of the record', async () => {
    const theirs = { id: randomUUID(), domain_id: randomUUID(), tenant_id: 'other', version: 99, created_at: 'then' };
    expectStatus(await service.call('put', pathOf(record), theirs), 200);
    const { body } = await service.call('get', `/v1/domains/${domain.id}/records`);
    expect(body.records).toEqual([
      { ...record, updated_at: expect.stringMatching(TIMESTAMP), tenant_id: 'tenant-a', version: 2 },
    ]);
  });

  it.each(INVALID)('§4.3 answers 400 to %s and stores nothing', async (_, body, type, ...faults) => {
    const answer = await service.call('put', pathOf(record), body);
    expectRefusal(answer, { status: 400, type, faults });
    expect((await service.call('get', pathOf(record))).body).toEqual(record);
  });

  it('§4.3 answers 409 to an update into a duplicate, and leaves both records unchanged', async () => {
    const other = await domain.newRecord({ data: '192.0.2.9' });
    const answer = await service.call('put', pathOf(other), { data: record.data });
    expectRefusal(answer, { status: 409, type: 'duplicate_record' });
    expect((await service.call('get', pathOf(other))).body).toEqual(other);
  });

  it.each([
    ['a record that does not exist', () => ({ ...record, id: randomUUID() }), 'record_not_found'],
    ['a record id that is no UUID', () => ({ ...record, id: 'www' }), 'record_not_found'],
    ['a domain that does not exist', () => ({ ...record, domain_id: randomUUID() }), 'domain_not_found'],
  ])('1.5 answers 404 to %s', async (_, target, type) => {
    expectRefusal(await service.call('put', pathOf(target()), { ttl: 60 }), { status: 404, type, faults: [] });
  });

  it('§4.3 answers 401 to a read-only caller', async () => {
    const answer = await service.as('tenant-a', 'reader').call('put', pathOf(record), { ttl: 60 });
    expectRefusal(answer, { status: 401, type: 'access_denied', faults: [] });
    expect((await service.call('get', pathOf(record))).body).toEqual(record);
  });
});
