import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Database } from '../support/sqlite.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { assembleTestService } from '../support/assembled-service.js';
import type { RecordBody } from '../support/bodies.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

const EMAIL = 'hostmaster@example.org';

describe('refusals', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService({
      SERVICE_CENTRAL__MIN_TTL: '60',
      SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.',
      SERVICE_API__MAX_BODY_SIZE: '10kB',
      DEFAULT__QUOTA_RECORDSET_RECORDS: '2',
    });
    const member = service.as('tenant-a');
    domain = await newDomain(member);
    await newDomain(member, `child.${domain.name}`);
    record = await domain.newRecord();
    for (const data of ['192.0.2.1', '192.0.2.2']) await domain.newRecord({ name: `full.${domain.name}`, data });
  });
  afterAll(() => service.stop());

  const inDomain = (path: string) => path.replace('<domain_id>', domain.id).replace('<id>', record.id);
  const RECORDS = '/v1/domains/<domain_id>/records';
  const a = { type: 'A', data: '192.0.2.9' };

  /** Each type, with a request that is refused with it. */
  const TYPES: readonly [
    type: string,
    status: number,
    path: string | null,
    ask: (name: string) => readonly [method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: unknown],
  ][] = [
    ['invalid_object', 400, 'data', (name) => ['post', RECORDS, { ...a, name, data: 'x' }]],
    ['bad_request', 400, 'type', () => ['put', `${RECORDS}/<id>`, { type: 'TXT' }]],
    ['bad_request', 400, 'type', (name) => ['post', RECORDS, { name, type: 'SOA', data: '.' }]],
    ['bad_request', 400, 'name', () => ['put', '/v1/domains/<domain_id>', { name: 'example.com.' }]],
    ['invalid_recordset_location', 400, 'name', () => ['post', RECORDS, { ...a, name: 'example.com.' }]],
    ['invalid_ttl', 400, 'ttl', (name) => ['post', RECORDS, { ...a, name, ttl: 59 }]],
    ['illegal_parent', 400, 'name', () => ['post', '/v1/domains', { name: 'example.net.', email: EMAIL }]],
    ['domain_has_sub_domain', 400, null, () => ['delete', '/v1/domains/<domain_id>']],
    ['domain_not_found', 404, null, () => ['get', '/v1/domains/x']],
    ['record_not_found', 404, null, () => ['get', `${RECORDS}/x`]],
    ['not_found', 404, null, () => ['get', '/v1/zones']],
    ['method_not_allowed', 405, null, () => ['patch', RECORDS, {}]],
    ['duplicate_record', 409, null, (name) => ['post', RECORDS, { ...a, name: `www.${name}`, data: '192.0.2.3' }]],
    ['duplicate_domain', 409, 'name', (name) => ['post', '/v1/domains', { name, email: EMAIL }]],
    ['over_quota', 413, null, (name) => ['post', RECORDS, { ...a, name: `full.${name}` }]],
    ['payload_too_large', 413, null, (name) => ['post', RECORDS, { ...a, name, description: 'd'.repeat(10_000) }]],
  ];

  it.each(TYPES)('2.1 and 2.3: %s is %d, with all that a program needs', async (type, status, path, ask) => {
    const [method, target, body] = ask(domain.name);
    const answer = await service.as('tenant-a').call(method, inDomain(target), body);
    expectRefusal(answer, { status, type });
    expect((answer.body.errors ?? []).map((error: { path: string }) => error.path)).toEqual(
      path === null ? [] : [path],
    );
  });

  it.each(TYPES)('2.3 %s speaks of domains, which version 1 does not call zones', async (_type, _status, _, ask) => {
    const [method, target, body] = ask(domain.name);
    const { message, errors = [] } = (await service.as('tenant-a').call(method, inDomain(target), body)).body;
    for (const { message: text } of [{ message }, ...errors]) expect(text).not.toMatch(/\bzones?\b/i);
  });

  it.each(TYPES)('2.2 %s has the fields of application/problem+json (RFC 9457)', async (type, status, _, ask) => {
    const [method, target, body] = ask(domain.name);
    const ours = await service.as('tenant-a').call(method, inDomain(target), body);
    const problem = await service
      .as('tenant-a')
      .call(method, inDomain(target), body)
      .set('Accept', 'application/problem+json, application/json;q=0.5');
    expectStatus(problem, status);
    expect(problem.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(problem.text)).toEqual({
      type: `urn:zonewright:error:${type}`,
      title: expect.stringMatching(/^[A-Z][a-z]+/),
      status,
      detail: ours.body.message,
      reason: ours.body.reason,
      params: ours.body.params,
      ...(ours.body.errors === undefined ? {} : { errors: ours.body.errors }),
      request_id: problem.headers['x-openstack-request-id'],
    });
  });

  it('2.1 names the quota, its limit and the use in over_quota', async () => {
    const answer = await service.call('post', inDomain(RECORDS), { ...a, name: `full.${domain.name}` });
    expectRefusal(answer, { status: 413, type: 'over_quota' });
    expect(answer.body.message).toMatch(/recordset_records.*\b2\b.*\b3\b/s);
  });

  it('2.1 has one entry for each field that is wrong', async () => {
    const answer = await service.call('post', inDomain(RECORDS), { name: 'x', type: 'MX', data: 'y', ttl: 'z', w: 1 });
    expectRefusal(answer, {
      status: 400,
      type: 'invalid_object',
      faults: [
        { path: 'w', validator: 'additionalProperties' },
        { path: 'ttl', validator: 'type' },
      ],
    });
    const meaning = await service.call('post', inDomain(RECORDS), { name: 'x', type: 'A', data: 'y' });
    expectRefusal(meaning, {
      status: 400,
      type: 'invalid_object',
      faults: [
        { path: 'name', validator: 'format' },
        { path: 'data', validator: 'format' },
      ],
    });
  });

  it.each(['application/json, application/problem+json', '*/*', 'application/problem+json;q=0.1, application/json'])(
    '2.2 is not sent to a caller with Accept: %s',
    async (accept) => {
      const answer = await service.call('get', '/v1/domains/x').set('Accept', accept);
      expectRefusal(answer, { status: 404, type: 'domain_not_found' });
    },
  );
});

describe('trouble with the database', () => {
  let service: TestService;
  let database: Database | undefined;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterEach(() => {
    database?.close();
    jest.restoreAllMocks();
  });
  afterAll(() => service.stop());

  it('2.3, 18.2 is 503 unavailable with Retry-After while another process holds the file', async () => {
    const impatient = await assembleTestService({ lockTimeoutMs: 500 });
    const domain = await newDomain(impatient);
    database = new Database(impatient.databaseFile);
    database.exec('BEGIN IMMEDIATE');
    const write = impatient.call('post', '/v1/domains', { name: freshName(), email: EMAIL });
    const refused = write.then((answer) => {
      expectRefusal(answer, { status: 503, type: 'unavailable', faults: [] });
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    });
    // Readers do not wait for the writer.
    expectStatus(await impatient.call('get', `/v1/domains/${domain.id}`), 200);
    await refused;
    database.exec('ROLLBACK');
    await newDomain(impatient);
    await impatient.stop();
  });

  it('2.3 is 500 unknown when unexpected: the log has the details, the answer only the request id', async () => {
    const domain = await newDomain(service, `secret-name.${freshName()}`);
    database = new Database(service.databaseFile);
    database.exec('ALTER TABLE zones RENAME TO mislaid');
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const answer = await service
      .call('get', `/v1/domains/${domain.id}?q=in-the-query`)
      .set('X-Auth-Token', 'in-the-header');
    database.exec('ALTER TABLE mislaid RENAME TO zones');
    expectRefusal(answer, { status: 500, type: 'unknown', faults: [] });
    expect(answer.text).not.toMatch(/select|sqlite|table|mislaid|domains|zones|\.ts|\.js|node_modules|secret-name/i);
    const words = logged.mock.calls.flat().join(' ');
    expect(words).toContain(answer.body.request_id);
    expect(words).toContain('no such table');
    expect(words).not.toMatch(/in-the-header|in-the-query|secret-name/);
    expectStatus(await service.call('get', `/v1/domains/${domain.id}`), 200);
  });
});
