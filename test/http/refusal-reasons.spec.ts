import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REFUSAL_REASONS } from '../../src/common/refusal-facts.js';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

interface Told {
  readonly reason: string;
  readonly params: object;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly params: object }[];
}

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ DEFAULT__QUOTA_ZONE_RECORDS: '5' });
  zone = await newDomain(service);
  await zone.newRecord({ name: zone.at('alias'), type: 'CNAME', data: 'www.example.org.' });
  await zone.newRecord();
});
afterAll(() => service.stop());

const toldBy = async (request: ReturnType<TestDomain['create']>): Promise<Told> => (await request).body as Told;

describe('2.5 a refusal', () => {
  it.each<[string, (domain: TestDomain) => object, string, (domain: TestDomain) => object]>([
    ['a ttl below the least', () => ({ ttl: 0 }), 'minimum', () => ({ minimum: 1 })],
    ['a ttl above the most', () => ({ ttl: 2 ** 31 }), 'maximum', () => ({ maximum: 2_147_483_647 })],
    ['data that is no address', () => ({ data: 'x' }), 'record_data', () => ({ type: 'A', field: 'data' })],
    [
      'a field of the data',
      () => ({ data: undefined, fields: { address: 'x' } }),
      'record_data',
      () => ({ type: 'A', field: 'address' }),
    ],
    ['no name', () => ({ name: 'a..b.' }), 'owner_name', () => ({})],
    ['an unknown type', () => ({ type: 'NOPE' }), 'unknown_type', () => ({ type: 'NOPE', values: expect.any(Array) })],
    [
      'a name elsewhere',
      () => ({ name: 'www.elsewhere.example.' }),
      'outside_domain',
      ({ name }) => ({ name: 'www.elsewhere.example.', domain: name }),
    ],
    [
      'a record next to a CNAME',
      (domain) => ({ name: domain.at('alias') }),
      'not_beside',
      (domain) => ({ type: 'A', other: 'CNAME', name: domain.at('alias') }),
    ],
    ['the same record again', () => ({}), 'duplicate_record', (domain) => ({ type: 'A', name: domain.at('www') })],
  ])('2.5 of %s has a word and its parameters', async (_, fields, reason, params) => {
    const record = { name: zone.at('www'), type: 'A', data: '192.0.2.3', ...fields(zone) };
    const alone = await toldBy(zone.create(record));
    expect(alone).toMatchObject({ reason, params: params(zone) });
    for (const { code } of alone.errors ?? []) expect(code).toBe(reason);
    const changes = [{ action: 'create', record }];
    const listed = await toldBy(service.call('post', `/v1/domains/${zone.id}/changes`, { changes }));
    expect(listed.errors?.[0]).toMatchObject({ code: reason, params: params(zone) });
  });

  it('2.5 of a line of a zone file has the word of its record', async () => {
    const told = await toldBy(zone.sendFile('alias 60 A 192.0.2.1\n'));
    const params = { type: 'A', other: 'CNAME', name: zone.at('alias') };
    expect(told).toMatchObject({ reason: 'not_beside', params, errors: [{ code: 'not_beside', params }] });
    const { errors } = await toldBy(zone.sendFile('a 60 A x\n'));
    expect(errors).toMatchObject([{ code: 'format', params: {} }]);
  });

  it('2.5 names the quota, its limit and the resulting use', async () => {
    const changes = Array.from({ length: 9 }, (_, at) => ({
      action: 'create',
      record: { name: zone.at(`n${at}`), type: 'A', data: '192.0.2.1' },
    }));
    const told = await toldBy(service.call('post', `/v1/domains/${zone.id}/changes`, { changes }));
    expect(told).toMatchObject({
      reason: 'over_quota',
      params: { quota: 'zone_records', limit: 5, use: expect.any(Number) },
    });
  });

  it('2.5 without a finer word has its type, or the validator', async () => {
    expect(await toldBy(service.call('get', '/v1/nowhere'))).toMatchObject({ reason: 'not_found', params: {} });
    const told = await toldBy(zone.create({ colour: 'red' }));
    expect(new Set(told.errors?.map(({ code }) => code))).toEqual(new Set(['required', 'additionalProperties']));
  });

  it('2.5 is described correctly, also in the problem details and the document', async () => {
    const problem = await service
      .call('get', `/v1/domains/${zone.id}/records?limit=0`)
      .set('Accept', 'application/problem+json');
    expect(problem.body).toMatchObject({ reason: 'minimum', params: { minimum: 1 } });
    const { body } = await answerOf(service.call('get', '/openapi.json'));
    const { FieldErrorDto } = (body as { components: { schemas: Record<string, { properties: object }> } }).components
      .schemas;
    const { code } = FieldErrorDto!.properties as { code: { enum: readonly string[] } };
    expect(code.enum).toEqual(expect.arrayContaining(Object.keys(REFUSAL_REASONS)));
    const rules = await readFile('docs/spec/02-errors.md', 'utf8');
    const table = rules.slice(rules.indexOf('## 2.5'));
    for (const reason of Object.keys(REFUSAL_REASONS)) expect(table).toContain(`\`${reason}\``);
  });
});
