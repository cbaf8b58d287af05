import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

describe('DELETE /domains/<domain_id>/records/<id> (interface §4.4)', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    record = await domain.newRecord({ name: `${randomUUID()}.${domain.name}` });
  });

  const pathOf = ({ domain_id, id }: RecordBody, prefix = '/v1') => `${prefix}/domains/${domain_id}/records/${id}`;

  it.each(['/v1', ''])(
    '§4.4 answers 200 at "%s/domains/…" with an empty body, and deletes the record',
    async (prefix) => {
      const answer = await service.call('delete', pathOf(record, prefix));
      expectStatus(answer, 200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-length']).toBe('0');
      expect(answer.text).toBe('');
      expectRefusal(await service.call('get', pathOf(record)), { status: 404, type: 'record_not_found' });
      expect((await service.call('get', `/v1/domains/${domain.id}/records`)).body).toEqual({ records: [] });
    },
  );

  it('1.3 accepts a Content-Type without a body: real clients send it', async () => {
    expectStatus(await service.call('delete', pathOf(record)).set('Content-Type', 'application/json'), 200);
  });

  it('§4.4 answers 404 the second time, and the name is free again', async () => {
    expectStatus(await service.call('delete', pathOf(record)), 200);
    expectRefusal(await service.call('delete', pathOf(record)), { status: 404, type: 'record_not_found', faults: [] });
    record = await domain.newRecord({ name: record.name });
    expectStatus(await service.call('delete', pathOf(record)), 200);
  });

  it.each([
    ['a record that does not exist', () => ({ ...record, id: randomUUID() }), 'record_not_found'],
    ['a record id that is no UUID', () => ({ ...record, id: 'www' }), 'record_not_found'],
    ['a domain that does not exist', () => ({ ...record, domain_id: randomUUID() }), 'domain_not_found'],
  ])('1.5 answers 404 to %s', async (_, target, type) => {
    expectRefusal(await service.call('delete', pathOf(target())), { status: 404, type, faults: [] });
    expectStatus(await service.call('delete', pathOf(record)), 200);
  });

  it('§4.4 answers 401 to a read-only caller, and the record stays', async () => {
    const answer = await service.as('tenant-a', 'reader').call('delete', pathOf(record));
    expectRefusal(answer, { status: 401, type: 'access_denied', faults: [] });
    expectStatus(await service.call('delete', pathOf(record)), 200);
  });
});
