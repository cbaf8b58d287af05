import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { type ListBody, v2RefusalOf } from '../support/v2.js';
import { times } from '../support/length.js';

interface Kind {
  /** The path behind /v2/, and the field of the list. */
  readonly name: string;
  /** The name in `<type>_not_found`, and of the path parameter. */
  readonly type: string;
  /** The name in error messages. */
  readonly word: string;
  /** The unique field. */
  readonly key: string;
  /** A body for each number. */
  readonly body: (number: number) => Readonly<Record<string, unknown>>;
  /** Default fields. */
  readonly defaults: object;
  readonly change: Readonly<Record<string, unknown>>;
  readonly updated: number;
  readonly refused: readonly (readonly [
    title: string,
    fields: Readonly<Record<string, unknown>>,
    path: (string | number)[],
  ])[];
}

const DESCRIPTIONS = [
  ['a description of 161 characters', { description: 'x'.repeat(161) }, ['description']],
  ['a description that is a number', { description: 5 }, ['description']],
] as const;

const KINDS: readonly Kind[] = [
  {
    name: 'tlds',
    type: 'tld',
    word: 'Tld',
    key: 'name',
    body: (number) => ({ name: `tld-${number}_x.example` }),
    defaults: { description: null },
    change: { description: 'changed', name: 'Changed' },
    updated: 200,
    refused: [
      ...['   ', 'fff.', '^&$', 't'.repeat(1000), '@p%', '', '.', '*.org', 'ö', '-a', 5, null, ['org']].map(
        (name) => [`the name ${JSON.stringify(name).slice(0, 20)}`, { name }, ['name']] as const,
      ),
      ...DESCRIPTIONS,
    ].map(([title, fields, path]) => [title, fields, [...path]] as const),
  },
  {
    name: 'blacklists',
    type: 'blacklist',
    word: 'Blacklist',
    key: 'pattern',
    body: (number) => ({ pattern: `^x${number}\\.` }),
    defaults: { description: null },
    change: { description: 'changed', pattern: '(a|b)+' },
    updated: 200,
    refused: [
      ...['', '#(*&^%$%$#@$', 'a'.repeat(1000), '(?=a)', '(a)\\1', '[', 'a\0', 5, null, {}].map(
        (pattern) => [`the pattern ${JSON.stringify(pattern).slice(0, 20)}`, { pattern }, ['pattern']] as const,
      ),
      ...DESCRIPTIONS,
    ].map(([title, fields, path]) => [title, fields, [...path]] as const),
  },
  {
    name: 'tsigkeys',
    type: 'tsigkey',
    word: 'TsigKey',
    key: 'name',
    body: (number) => ({
      name: `Key ${number}`,
      algorithm: 'hmac-sha256',
      secret: 'SomeSecretKey',
      scope: 'POOL',
      resource_id: '794ccc2c-d751-44fe-b57f-8894c9f5c842',
    }),
    defaults: {},
    change: { name: 'Other', algorithm: 'hmac-md5', secret: 'c2VjcmV0', scope: 'ZONE' },
    updated: 200,
    refused: [
      ['an algorithm that is none', { algorithm: 'zababun' }, ['algorithm']],
      ['a name of 161 characters', { name: 'x'.repeat(161) }, ['name']],
      ['no name', { name: '' }, ['name']],
      ['no secret', { secret: '' }, ['secret']],
      ['a scope that is none', { scope: 'zababun' }, ['scope']],
      ['a scope in a list', { scope: ['POOL'] }, ['scope']],
      ['what is no UUID', { resource_id: 'zababun' }, ['resource_id']],
    ],
  },
  {
    name: 'pools',
    type: 'pool',
    word: 'Pool',
    key: 'name',
    body: (number) => ({
      name: `Pool ${number}`,
      project_id: '1',
      ns_records: [
        { hostname: 'ns2.example.org.', priority: 10 },
        { hostname: 'ns1.example.org.', priority: 1 },
      ],
    }),
    defaults: { description: null, attributes: {} },
    change: { name: 'foo', description: 'bar', ns_records: [{ hostname: 'ns3.example.org.', priority: 0 }] },
    updated: 202,
    refused: [
      ['a long name', { name: 'x'.repeat(256) }, ['name']],
      ['no name server', { ns_records: [] }, ['ns_records']],
      ['no list', { ns_records: { hostname: 'ns1.example.org.', priority: 1 } }, ['ns_records']],
      [
        'a host name that is none',
        { ns_records: [{ hostname: 'ns1_example_org_', priority: 1 }] },
        ['ns_records', 0, 'hostname'],
      ],
      [
        'a priority below 0',
        { ns_records: [{ hostname: 'ns1.example.org.', priority: -1 }] },
        ['ns_records', 0, 'priority'],
      ],
      [
        'a priority that is no integer',
        { ns_records: [{ hostname: 'ns1.example.org.', priority: 1.5 }] },
        ['ns_records', 0, 'priority'],
      ],
    ],
  },
];

const NOBODY = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

interface ResourceBody {
  readonly id: string;
  readonly links: { readonly self: string };
}

let service: TestService;
let made = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe.each(KINDS)('13.7 $name', ({ name, type, word, key, body, defaults, change, updated, refused }) => {
  const path = `/v2/${name}`;
  const create = (fields: object = {}): Promise<ResourceBody> => {
    made += 1;
    return bodyOf<ResourceBody>(service.call('post', path, { ...body(made), ...fields }), 201);
  };

  it('13.7 are created with 201 and Location, read, and listed', async () => {
    const fields = body(0);
    const answer = await answerOf(service.call('post', path, fields), 201);
    const one = answer.body as ResourceBody;
    expect(one).toEqual({
      ...fields,
      ...defaults,
      id: expect.stringMatching(UUID),
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self: `${service.url}${path}/${one.id}` },
    });
    expect(answer.headers.location).toBe(one.links.self);
    for (const id of [one.id, one.id.toUpperCase(), one.id.replaceAll('-', '')])
      expect(await bodyOf(service.call('get', `${path}/${id}`))).toEqual(one);
    const list = await bodyOf<ListBody<string, unknown>>(service.call('get', `${path}?limit=max`));
    expect(list[name]).toContainEqual(one);
    expect(list).not.toHaveProperty('metadata');
    expect(list.links).toEqual({ self: `${service.url}${path}?limit=max` });
  });

  it('13.7 are changed as far as the body names fields', async () => {
    const one = await create();
    const changed = await bodyOf(service.call('patch', `${path}/${one.id}`, change), updated);
    expect(changed).toEqual({ ...one, ...change, updated_at: expect.stringMatching(TIMESTAMP) });
    expect(await bodyOf(service.call('get', `${path}/${one.id}`))).toEqual(changed);
    await answerOf(service.call('patch', `${path}/${one.id}`, {}), updated);
    await answerOf(service.call('delete', `${path}/${one.id}`), 204);
  });

  it('13.7 are deleted with 204 and no body, and then are 404', async () => {
    const { id } = await create();
    const answer = await answerOf(service.call('delete', `${path}/${id}`), 204);
    expect(answer.text).toBe('');
    const calls = [['get'], ['patch', change], ['delete']] as const;
    for (const gone of [id, NOBODY])
      for (const [method, fields] of calls) {
        const refusal = await v2RefusalOf(service.call(method, `${path}/${gone}`, fields), 404, `${type}_not_found`);
        expect(refusal.message).toBe(`Could not find ${word}`);
      }
  });

  it('13.7 are named by UUIDs: anything else is 400 invalid_uuid', async () => {
    for (const [method, fields] of [['get'], ['patch', change], ['delete']] as const) {
      const refusal = await v2RefusalOf(service.call(method, `${path}/foo`, fields), 400, 'invalid_uuid');
      expect(refusal.message).toBe(`Invalid UUID ${type}_id: foo`);
    }
    await answerOf(service.call('get', `/v2/${name}.json`), 404);
  });

  it('13.7 are there once: 409, also for a change', async () => {
    const [first, second] = [await create(), await create()];
    const same = { [key]: (first as unknown as Record<string, unknown>)[key] };
    await v2RefusalOf(service.call('post', path, { ...body(0), ...same }), 409, `duplicate_${type}`);
    await v2RefusalOf(service.call('patch', `${path}/${second.id}`, same), 409, `duplicate_${type}`);
    expect(await bodyOf(service.call('get', `${path}/${second.id}`))).toEqual(second);
    await answerOf(service.call('patch', `${path}/${first.id}`, same), updated);
  });

  it('13.7 are for admins: 403 for everybody else, before the body is looked at', async () => {
    const { id } = await create();
    for (const caller of [service.as('acme', 'member'), service.as('acme', 'reader')])
      for (const [method, at, fields] of [
        ['get', path],
        ['post', path, 'not JSON'],
        ['get', `${path}/${id}`],
        ['patch', `${path}/${id}`, change],
        ['delete', `${path}/${id}`],
      ] as const)
        await v2RefusalOf(caller.call(method, at, fields), 403, 'forbidden');
    await v2RefusalOf(service.as('acme').call('get', path).set('X-Auth-All-Projects', 'true'), 403, 'forbidden');
    await answerOf(service.call('put', `${path}/${id}`, change), 405);
  });

  it.each(refused)('13.7 refuses %s and stores nothing', async (_, fields, at) => {
    const before = await bodyOf<ListBody<string, ResourceBody>>(service.call('get', `${path}?limit=max`));
    await v2RefusalOf(service.call('post', path, { ...body(-1), ...fields }), 400, 'invalid_object', [at]);
    const { id = '' } = before[name]?.at(-1) ?? {};
    await v2RefusalOf(service.call('patch', `${path}/${id}`, fields), 400, 'invalid_object', [at]);
    expect(await bodyOf(service.call('get', `${path}?limit=max`))).toEqual(before);
  });

  it('13.7 keep any text as it is, or refuse it', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 300 }));
    const field = { tsigkeys: 'secret', pools: 'project_id' }[name] ?? 'description';
    const property = fc.asyncProperty(text, text, async (first, second) => {
      const fields = { ...body(-2), [key]: first, [field]: second };
      const answer = await service.call('post', path, fields);
      expect([201, 400]).toContain(answer.status);
      if (answer.status === 400) return;
      const { id } = answer.body as ResourceBody;
      expect(await bodyOf(service.call('get', `${path}/${id}`))).toMatchObject({ [key]: first, [field]: second });
      await answerOf(service.call('delete', `${path}/${id}`), 204);
    });
    await fc.assert(property, { numRuns: times(20, 60) });
  });

  it('13.7 refuses missing, unknown and read-only fields', async () => {
    const [first = ''] = Object.keys(body(0));
    const { [first]: _, ...missing } = body(-1);
    await v2RefusalOf(service.call('post', path, missing), 400, 'invalid_object', [[first]]);
    for (const field of ['id', 'created_at', 'updated_at', 'links', 'other', '__proto__x'])
      await v2RefusalOf(service.call('post', path, { ...body(-1), [field]: null }), 400, 'invalid_object', [[field]]);
    await v2RefusalOf(service.call('post', path, '[]'), 400, 'bad_request');
    await v2RefusalOf(service.call('post', path, ''), 400, 'empty_request_body');
    await v2RefusalOf(service.call('post', path, '{'), 400, 'invalid_json');
  });

  it('13.7 are listed in pages, filtered and sorted', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await create()).id);
    const marker = (await create()).id;
    const last = await bodyOf<ListBody<string, ResourceBody>>(
      service.call('get', `${path}?limit=3&sort_dir=desc&sort_key=created_at&marker=${marker}`),
    );
    expect(last[name]?.map(({ id }) => id)).toEqual(ids.toReversed());
    const first = await bodyOf<ListBody<string, ResourceBody>>(service.call('get', `${path}?limit=1`));
    const next = await bodyOf<ListBody<string, ResourceBody>>(
      service.call('get', (first.links.next ?? '').slice(service.url.length)),
    );
    expect(next[name]?.[0]?.id).not.toBe(first[name]?.[0]?.id);
    const value = String(body(made)[key]);
    const found = await bodyOf<ListBody<string, ResourceBody>>(
      service.call('get', `${path}?${key}=${encodeURIComponent(value.toUpperCase())}`),
    );
    expect(found[name]?.map(({ id }) => id)).toEqual([marker]);
    const none = await bodyOf<ListBody<string, ResourceBody>>(service.call('get', `${path}?${key}=zababun`));
    expect(none[name]).toEqual([]);
    await v2RefusalOf(service.call('get', `${path}?id=${marker}`), 400, 'bad_request');
    await v2RefusalOf(service.call('get', `${path}?sort_key=zababun`), 400, 'invalid_sort_key');
    await v2RefusalOf(service.call('get', `${path}?marker=${NOBODY}`), 400, 'marker_not_found');
  });
});

describe('13.7 TSIG keys', () => {
  it('13.7 are filtered by algorithm and scope', async () => {
    const key = { secret: 'x', resource_id: NOBODY };
    await answerOf(
      service.call('post', '/v2/tsigkeys', { ...key, name: 'a', algorithm: 'hmac-sha512', scope: 'ZONE' }),
      201,
    );
    const list = async (query: string): Promise<unknown> =>
      (await bodyOf<ListBody<'tsigkeys', { name: string }>>(service.call('get', `/v2/tsigkeys?${query}`))).tsigkeys.map(
        ({ name }) => name,
      );
    expect(await list('algorithm=hmac-sha512&scope=zone')).toEqual(['a']);
    expect(await list('algorithm=hmac-sha512&scope=POOL')).toEqual([]);
    expect(await list('scope=zababun')).toEqual([]);
  });
});

describe('13.7 the pool of the zones', () => {
  const DEFAULT = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

  it('13.7 has the name servers of the configuration, and stays', async () => {
    const pool = await bodyOf<{ ns_records: unknown }>(service.call('get', `/v2/pools/${DEFAULT}`));
    expect(pool).toMatchObject({ name: 'default', attributes: {}, project_id: null, description: null });
    expect(pool.ns_records).toEqual([{ hostname: 'ns1.zonewright.invalid.', priority: 1 }]);
    await v2RefusalOf(service.call('delete', `/v2/pools/${DEFAULT}`), 400, 'bad_request');
    const ns_records = [{ hostname: 'ns9.example.org.', priority: 1 }];
    await v2RefusalOf(service.call('patch', `/v2/pools/${DEFAULT}`, { ns_records }), 400, 'bad_request');
    const described = await bodyOf(service.call('patch', `/v2/pools/${DEFAULT}`, { description: 'all zones' }), 202);
    expect(described).toMatchObject({ description: 'all zones', ns_records: pool.ns_records });
  });
});
