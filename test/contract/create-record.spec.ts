import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectStatus, type Fault, TIMESTAMP, UUID } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

/** Owner below the domain, type, data, and the priority where the type has one (interface §2.2). */
const TYPES: readonly [type: string, owner: string, data: string, priority: number | null][] = [
  ['A', 'www.', '192.0.2.3', null],
  ['AAAA', 'www.', '2001:db8:0:1234:0:5678:9:12', null],
  ['MX', '', 'mail.example.org.', 10],
  ['CNAME', 'alias.', 'target.example.org.', null],
  ['TXT', '', 'This is a TXT record', null],
  ['SRV', '_sip._tcp.', '0 5060 sip.example.org.', 30],
  ['NS', 'sub.', 'ns1.example.net.', null],
  ['PTR', '2.', 'host.example.org.', null],
  ['SPF', '', 'v=spf1 +mx a:colo.example.com/28 -all', null],
  ['SSHFP', 'www.', '2 1 123456789abcdef67890123456789abcdef67890', null],
];

const A = { type: 'A', data: '192.0.2.3' };

/** Invalid record objects, with the fields that the error names. */
const INVALID: readonly [situation: string, change: Record<string, unknown>, ...faults: Fault[]][] = [
  ['no name', { name: undefined }, { path: 'name', validator: 'required' }],
  ['no type', { type: undefined }, { path: 'type', validator: 'required' }],
  ['no data', { data: undefined }, { path: 'data', validator: 'required' }],
  ['null as name', { name: null }, { path: 'name', validator: 'type' }],
  ['a number as data', { data: 1 }, { path: 'data', validator: 'type' }],
  ['an unknown type', { type: 'HINFOX' }, { path: 'type', validator: 'enum' }],
  ['a type in lower case', { type: 'a' }, { path: 'type', validator: 'enum' }],
  ['data of another type', { data: '2001:db8::1' }, { path: 'data', validator: 'format' }],
  ['a relative name', { name: 'www' }, { path: 'name', validator: 'format' }],
  ['ttl 0', { ttl: 0 }, { path: 'ttl', validator: 'minimum' }],
  ['ttl 2^31', { ttl: 2 ** 31 }, { path: 'ttl', validator: 'maximum' }],
  ['ttl as text', { ttl: '300' }, { path: 'ttl', validator: 'type' }],
  ['ttl as boolean', { ttl: true }, { path: 'ttl', validator: 'type' }],
  ['ttl with a fraction', { ttl: 1.5 }, { path: 'ttl', validator: 'type' }],
  ['a priority for A', { priority: 10 }, { path: 'priority', validator: 'type' }],
  ['MX without priority', { type: 'MX', data: 'mail.example.org.' }, { path: 'priority', validator: 'required' }],
  [
    'a negative priority',
    { type: 'MX', data: 'mail.example.org.', priority: -1 },
    { path: 'priority', validator: 'minimum' },
  ],
  [
    'priority 65536',
    { type: 'MX', data: 'mail.example.org.', priority: 65_536 },
    { path: 'priority', validator: 'maximum' },
  ],
  [
    'a description of 161 characters',
    { description: 'd'.repeat(161) },
    { path: 'description', validator: 'maxLength' },
  ],
  ['an unknown field', { colour: 'red' }, { path: 'colour', validator: 'additionalProperties' }],
  ['an id that is none', { id: 'none' }, { path: 'id', validator: 'format' }],
  ['a version as text', { version: '1' }, { path: 'version', validator: 'type' }],
  [
    'two fields at fault',
    { ttl: 0, colour: 'red' },
    { path: 'colour', validator: 'additionalProperties' },
    { path: 'ttl', validator: 'minimum' },
  ],
];

describe('POST /domains/<domain_id>/records (interface §4.1)', () => {
  let service: TestService;
  let domain: TestDomain;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    domain = await newDomain(service);
  });

  const create = (body: unknown, prefix = '/v1') =>
    service.call('post', `${prefix}/domains/${domain.id}/records`, body);

  it.each(TYPES)('§4.1 answers 200 with the ten fields of the new %s record', async (type, owner, data, priority) => {
    const name = `${owner}${domain.name}`;
    const answer = await create({ name, type, data, ...(priority === null ? {} : { priority }) });
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      name,
      type,
      data,
      priority,
      ttl: null,
      description: null,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      domain_id: domain.id,
    });
  });

  it('§4.1 accepts ttl and description', async () => {
    const answer = await create({ name: domain.name, ...A, ttl: 2_147_483_647, description: 'Grüße 👋' });
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ ttl: 2_147_483_647, description: 'Grüße 👋' });
  });

  it('§4.1, 4.1 accepts and ignores the fields that the service sets itself', async () => {
    const theirs = {
      id: '11111111-2222-4333-8444-555555555555',
      domain_id: '11111111-2222-4333-8444-555555555555',
      created_at: '2012-11-02T19:53:52.000000',
      updated_at: null,
      tenant_id: 'somebody',
      version: 7,
    };
    const answer = await create({ name: domain.name, ...A, ...theirs });
    expectStatus(answer, 200);
    expect(answer.body.id).not.toBe(theirs.id);
    expect(answer.body.domain_id).toBe(domain.id);
    expect(answer.body.created_at).not.toBe(theirs.created_at);
    expect(Object.keys(answer.body)).toHaveLength(10);
  });

  it.each(['/v1', ''])('1.1 answers at "%s/domains/…" with a Location below /v1', async (prefix) => {
    const answer = await create({ name: domain.name, ...A }, prefix);
    expectStatus(answer, 200);
    expect(answer.headers.location).toBe(`${service.url}/v1/domains/${domain.id}/records/${answer.body.id}`);
    expect((await service.call('get', new URL(answer.headers.location!).pathname)).body).toEqual(answer.body);
  });

  it.each(INVALID)('§4.1 answers 400 invalid_object to %s', async (_, change, ...faults) => {
    const answer = await create({ name: `www.${domain.name}`, ...A, ...change });
    expectRefusal(answer, { status: 400, type: 'invalid_object', faults });
    expect((await service.call('get', `/v1/domains/${domain.id}/records`)).body).toEqual({ records: [] });
  });

  it.each([
    ['a record outside the domain', 'invalid_recordset_location', { name: 'www.example.net.', ...A }],
    ['an SOA', 'bad_request', { type: 'SOA', data: '. . 1 1 1 1 1' }],
    ['a CNAME at the apex', 'invalid_recordset_location', { type: 'CNAME', data: 'example.net.' }],
  ])('2.3 answers 400 to %s: %s', async (_, type, fields) => {
    expectRefusal(await create({ name: domain.name, ...fields }), { status: 400, type });
  });

  it.each([
    ['that does not exist', '11111111-2222-4333-8444-555555555555'],
    ['whose id is no UUID', 'example.org.'],
  ])('§4.1 answers 404 to a domain %s', async (_, id) => {
    const answer = await service.call('post', `/v1/domains/${id}/records`, { name: domain.name, ...A });
    expectRefusal(answer, { status: 404, type: 'domain_not_found', faults: [] });
  });

  it.each([
    ['the very same', 'www', {}],
    ['its name in another case', 'WWW', {}],
    ['another ttl and description', 'www', { ttl: 60, description: 'again' }],
  ])('§4.1 answers 409 to a duplicate: %s', async (_, label, change) => {
    await domain.newRecord();
    const answer = await create({ name: `${label}.${domain.name}`, ...A, ...change });
    expectRefusal(answer, { status: 409, type: 'duplicate_record' });
  });

  it('§4.1 answers 401 to a read-only caller', async () => {
    const reader = service.as('tenant-a', 'reader');
    const answer = await reader.call('post', `/v1/domains/${domain.id}/records`, { name: domain.name, ...A });
    expectRefusal(answer, { status: 401, type: 'access_denied', faults: [] });
  });
});
