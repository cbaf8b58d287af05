import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contentsOf } from '../support/audit.js';
import { expectRefusal, expectStatus, type Fault } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { processorTime } from '../support/processor-time.js';

const WHOLE: Fault = { path: '', validator: 'type' };

/** Bodies that are no JSON object. */
const NO_OBJECTS: readonly [what: string, body: string | Buffer][] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['text', 'name=example.org.'],
  ['half an object', '{"name":"example.org."'],
  ['an object and more', '{} {}'],
  ['a trailing comma', '{"name":"example.org.",}'],
  ['a comment', '{/**/}'],
  ['single quotes', "{'name':'example.org.'}"],
  ['NaN', '{"ttl":NaN}'],
  ['a raw line feed in a string', '{"name":"example\n.org."}'],
  ['a raw NUL in a string', '{"name":"example\0.org."}'],
  ['a byte order mark', '\uFEFF{"name":"example.org."}'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '1'],
  ['a string', '"{}"'],
  ['an empty list', '[]'],
  ['a list of objects', '[{"name":"example.org.","email":"a@example.org"}]'],
  ['Latin-1', Buffer.from('{"name":"gr\u00fc\u00dfe.example.org."}', 'latin1')],
  ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le')],
  ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
  ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
  ['a repeated field', '{"name":"example.org.","email":"a@example.org","name":"example.net."}'],
  ['a repeated field, once escaped', '{"name":"example.org.","email":"a@example.org","n\\u0061me":"example.net."}'],
  ['a repeated field deep inside', '{"name":{"a":[{"b":1,"c":"}","b":2}]}}'],
  ['500,000 lists', '['.repeat(500_000)],
  ['500,000 objects', '{"a":'.repeat(100_000)],
];

const unknown = (path: string): Fault => ({ path, validator: 'additionalProperties' });
const nested = (levels: number) => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;

/** JSON objects that only a hostile client sends, with the errors that the answer has. */
const HOSTILE: readonly [what: string, body: string, ...faults: Fault[]][] = [
  ['1,000 levels', nested(1000), { path: 'data[0][0][0][0][0][0][0]', validator: 'type' }],
  ['500,000 levels', nested(500_000), { path: 'data[0][0][0][0][0][0][0]', validator: 'type' }],
  [
    '10,000 fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, index]))),
    unknown(''),
  ],
  ['a list of 100,000 numbers', `{"data":[${'1,'.repeat(99_999)}1]}`, { path: 'data', validator: 'maximum' }],
  ['a key of 500,000 letters', `{"${'k'.repeat(500_000)}":1}`, unknown(`${'k'.repeat(64)}…`)],
  ['__proto__', '{"__proto__":{"isAdmin":true}}', unknown('__proto__')],
  ['constructor', '{"constructor":{"prototype":{"isAdmin":true}}}', unknown('constructor')],
  ['prototype', '{"prototype":{"isAdmin":true}}', unknown('prototype')],
  ['__proto__ inside a field', '{"data":{"__proto__":{"isAdmin":true}}}', unknown('data.__proto__')],
  ['toString', '{"toString":1}', unknown('toString')],
  ['hasOwnProperty', '{"hasOwnProperty":1}', unknown('hasOwnProperty')],
  ['valueOf', '{"valueOf":1}', unknown('valueOf')],
  ['then', '{"then":1}', unknown('then')],
  ['an empty key', '{"":1}', unknown('')],
  ['a key with NUL', '{"\\u0000":1}', unknown('\0')],
  ['a key of half a surrogate pair', '{"\\ud800":1}', unknown('\ud800')],
  ['half a surrogate pair as data', '{"data":"\\ud800"}', { path: 'data', validator: 'type' }],
  ['half a surrogate pair as description', '{"description":"a\\udc00b"}', { path: 'description', validator: 'type' }],
  ['NUL as data', '{"data":"a\\u0000b"}', { path: 'data', validator: 'type' }],
  ['NUL as description', '{"description":"\\u0000"}', { path: 'description', validator: 'type' }],
  ['NUL as name', '{"name":"\\u0000."}', { path: 'name', validator: 'type' }],
  ['ttl 1e400', '{"ttl":1e400}', { path: 'ttl', validator: 'type' }],
  ['ttl 2^53 + 1', '{"ttl":9007199254740993}', { path: 'ttl', validator: 'maximum' }],
  ['ttl as object', '{"ttl":{"$gt":0}}', { path: 'ttl', validator: 'type' }],
  ['ttl as list', '{"ttl":[300]}', { path: 'ttl', validator: 'type' }],
  ['data as object', '{"data":{"value":"192.0.2.1"}}', { path: 'data', validator: 'type' }],
  ['name as list', '{"name":["www.example.org."]}', { path: 'name', validator: 'type' }],
  ['type as object', '{"type":{"name":"A"}}', { path: 'type', validator: 'type' }],
  ['description as number', '{"description":0}', { path: 'description', validator: 'type' }],
];

/** Texts that have a meaning in SQL. TXT may hold them (behaviour 5.3); no other field may. */
const SQL = [
  `'; DROP TABLE records; --`,
  `' OR '1'='1`,
  `') UNION SELECT * FROM tokens --`,
  '%',
  '_',
  '${x}',
  '$1',
  '?',
];

/** Texts on which a careless regular expression takes exponential time. */
const TORTURE: readonly [what: string, text: string][] = [
  ['a- 250,000 times', 'a-'.repeat(250_000)],
  ['a. 250,000 times', 'a.'.repeat(250_000)],
  ['500,000 dots', '.'.repeat(500_000)],
  ['500,000 blanks', ' '.repeat(500_000)],
  ['500,000 quotes', '"'.repeat(500_000)],
  ['500,000 backslashes', '\\'.repeat(500_000)],
  ['500,000 digits', '1'.repeat(500_000)],
  ['500,000 colons', ':'.repeat(500_000)],
  ['250,000 quoted texts', '"" '.repeat(160_000)],
  ['an at sign after 500,000 letters', `${'a'.repeat(500_000)}@`],
];

describe('bodies', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  let stored: unknown;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
    record = await domain.newRecord();
  });
  beforeEach(() => {
    stored = contentsOf(service.databaseFile);
  });
  afterAll(() => service.stop());

  // superagent's types know serializers to a string only; it sends a Buffer as it is.
  const send = (method: 'post' | 'put', path: string, body: string | Buffer) =>
    service
      .plain(method, path)
      .set('X-Auth-Project-ID', 'tenant-a')
      .type('application/json')
      .serialize(() => body as string)
      .send({});
  const writes = () =>
    [
      ['post', '/v1/domains'],
      ['put', `/v1/domains/${domain.id}`],
      ['post', `/v1/domains/${domain.id}/records`],
      ['put', `/v1/domains/${domain.id}/records/${record.id}`],
    ] as const;
  const updateRecord = (body: string) => send('put', `/v1/domains/${domain.id}/records/${record.id}`, body);
  const expectNothingStored = () => expect(contentsOf(service.databaseFile)).toEqual(stored);

  it.each(NO_OBJECTS)('1.4 answers 400 to %s on every write', async (_, body) => {
    for (const [method, path] of writes())
      expectRefusal(await send(method, path, body), { status: 400, type: 'invalid_object', faults: [WHOLE] });
    expectNothingStored();
  });

  it('1.4 answers 400 to an announced but empty body of any type', async () => {
    for (const [method, path] of writes())
      expectRefusal(await service.plain(method, path), { status: 400, type: 'invalid_object', faults: [WHOLE] });
  });

  it.each(HOSTILE)('1.4, 1.9 answers 400 to %s, and the answer is short', async (_, body, ...faults) => {
    const answer = await updateRecord(body);
    expectRefusal(answer, { status: 400, type: 'invalid_object', faults });
    expect(answer.text.length).toBeLessThan(2000);
    for (const [method, path] of writes()) expectStatus(await send(method, path, body), 400);
    expectNothingStored();
  });

  const inherited = ['toString', 'valueOf', 'constructor', 'isPrototypeOf'];
  const bodyWith = (unknownFields: number) => {
    const leaf = (from: number) =>
      `"${from}":{${inherited.map((name, at) => (from + at < unknownFields ? `"${name}":0` : `"x${at}":0`)).join(',')}}`;
    return `{"data":{${Array.from({ length: Math.ceil(unknownFields / 4) }, (_, at) => leaf(4 * at)).join(',')}}}`;
  };

  it.each([
    [2, 2, /leave it out\.$/],
    [100, 100, / All 100 errors are listed\.$/],
    [101, 100, / Only the first 100 errors are listed\.$/],
    [400, 100, / Only the first 100 errors are listed\.$/],
  ])('2.1 lists, of %d unknown fields, %d, and says so', async (fields, listed, says) => {
    const answer = await updateRecord(bodyWith(fields));
    expectRefusal(answer, { status: 400, type: 'invalid_object' });
    expect(answer.body.errors).toHaveLength(listed);
    expect(answer.body.message).toMatch(says);
    expect(answer.body.message.length).toBeLessThan(400);
  });

  it('3.2 a polluted prototype would make everybody an admin (attack case 81)', async () => {
    await updateRecord('{"__proto__":{"isAdmin":true,"allTenants":true},"constructor":{"prototype":{"isAdmin":true}}}');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    const answer = await service.as('tenant-b').call('get', `/v1/domains/${domain.id}`);
    expectRefusal(answer, { status: 404, type: 'domain_not_found' });
  });

  it.each(SQL)('4.1 stores %s as text or refuses it (attack case 83)', async (text) => {
    for (const field of ['name', 'type', 'data', 'ttl', 'priority', 'created_at']) {
      const answer = await updateRecord(JSON.stringify({ [field]: text }));
      if (field === 'created_at') expectStatus(answer, 200);
      else expectRefusal(answer, { status: 400, type: field === 'type' ? 'bad_request' : 'invalid_object' });
    }
    const kept = await domain.newRecord({ name: domain.name, type: 'TXT', data: text, description: text });
    const { body } = await service.call('get', `/v1/domains/${domain.id}/records/${kept.id}`);
    expect(body).toEqual(kept);
    expect(body).toMatchObject({ data: text, description: text });
    const filtered = await service.call('get', `/v1/domains/${domain.id}/records?data=${encodeURIComponent(text)}`);
    expect(filtered.body.records.map(({ id }: RecordBody) => id)).toEqual([kept.id]);
  });

  it.each(TORTURE)('4.3 reads %s in linear time (attack case 78)', async (_, text) => {
    const started = processorTime();
    for (const type of ['A', 'AAAA', 'CNAME', 'MX', 'SSHFP', 'SRV', 'TXT', 'SPF', 'PTR', 'NS'])
      for (const field of ['name', 'data', 'description']) {
        const body = { name: domain.name, type, data: 'x', priority: type === 'MX' || type === 'SRV' ? 1 : null };
        const answer = await send(
          'post',
          `/v1/domains/${domain.id}/records`,
          JSON.stringify({ ...body, [field]: text }),
        );
        expectStatus(answer, 400);
      }
    for (const field of ['name', 'email', 'description']) {
      const body = { name: 'example.com.', email: 'a@example.org', [field]: text };
      expectStatus(await send('post', '/v1/domains', JSON.stringify(body)), 400);
    }
    expect(processorTime() - started).toBeLessThan(5000);
    expectNothingStored();
  });

  it('4.3 reads long filters in linear time (attack case 78)', async () => {
    for (const text of ['a-'.repeat(4000), 'a.'.repeat(4000), '('.repeat(4000), '(.*a){30}', '\\'.repeat(4000)])
      for (const filter of ['name', 'data', 'type', 'marker', 'limit']) {
        const path = `/v1/domains/${domain.id}/records?${filter}=${encodeURIComponent(text).slice(0, 12_000)}`;
        const started = processorTime();
        expect((await service.call('get', path)).status).toBe(filter === 'data' ? 200 : 400);
        expect(processorTime() - started).toBeLessThan(500);
      }
  });
});
