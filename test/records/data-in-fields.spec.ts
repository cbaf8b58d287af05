import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Test } from 'supertest';
import { STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { fieldsOf } from '../../src/dns/rdata/fields-of.js';
import { answerOf, bodyOf, expectRefusal, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { ListedBody, RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { validRdata } from '../support/valid-rdata.js';

type Fields = Readonly<Record<string, unknown>>;
type WithFields<Body> = Body & { readonly fields: Fields | null };

interface ChangesBody {
  readonly serial: number;
  readonly dry_run?: boolean;
  readonly changes: readonly {
    readonly record?: WithFields<RecordBody>;
    readonly records?: WithFields<RecordBody>[];
  }[];
}

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const records = (query = ''): string => `/v1/domains/${domain.id}/records${query}`;
const create = (fields: object, query = ''): Test => service.call('post', records(query), fields);
const change = (changes: readonly object[], query = ''): Test =>
  service.call('post', `/v1/domains/${domain.id}/changes${query}`, { changes });
const mx = (fields: unknown): object => ({ name: domain.name, type: 'MX', priority: 10, fields });

describe('4.7 a record that is sent in fields', () => {
  it('4.7 is stored with the data that the service writes', async () => {
    const record = await bodyOf(create({ name: domain.at('t'), type: 'TXT', fields: { text: 'a "b"; c\\d é' } }));
    expect(record.data).toBe(String.raw`"a \"b\"; c\\d \195\169"`);
    expect(record).not.toHaveProperty('fields');
    expect(await bodyOf(domain.get(record.id))).toEqual(record);
    expect(await domain.export()).toContain(String.raw`"a \"b\"; c\\d \195\169"`);
  });

  it('4.7, 5.5 equals a record sent as data', async () => {
    await answerOf(create(mx({ exchange: 'mail.example.org.' })));
    expectRefusal(await domain.create({ name: domain.name, type: 'MX', priority: 10, data: 'MAIL.example.org.' }), {
      status: 409,
      type: 'duplicate_record',
    });
  });

  it('4.7 keeps its other fields when it is updated, and has all of its data replaced', async () => {
    const made = await bodyOf(create({ ...mx({ exchange: 'a.example.org.' }), ttl: 60 }));
    const updated = await bodyOf(domain.update(made.id, { fields: { exchange: 'b.example.org.' } }));
    expect(updated).toMatchObject({ data: 'b.example.org.', priority: 10, ttl: 60 });
    expect(await bodyOf(domain.update(made.id, { data: 'c.example.org.' }))).toMatchObject({ data: 'c.example.org.' });
    const refusal = await refusalOf(domain.update(made.id, { fields: {} }), 400, 'invalid_object');
    expect(refusal.errors?.map(({ path }) => path)).toEqual(['fields.exchange']);
  });
});

describe('4.7 fields that are refused', () => {
  it.each<readonly [string, object, readonly (readonly [string, string])[]]>([
    ['a value', mxAt({ exchange: 'mail' }), [['fields.exchange', 'format']]],
    ['another type', mxAt({ exchange: 5 }), [['fields.exchange', 'type']]],
    ['none', mxAt({}), [['fields.exchange', 'required']]],
    ['null', mxAt({ exchange: null }), [['fields.exchange', 'required']]],
    ['one that the type does not have', mxAt({ exchange: 'a.', text: 1 }), [['fields.text', 'additionalProperties']]],
    [
      'name and field',
      { ...mxAt({ exchange: 'a' }), name: 'x' },
      [
        ['name', 'format'],
        ['fields.exchange', 'format'],
      ],
    ],
    ['no priority', { ...mxAt({ exchange: 'a.' }), priority: null }, [['priority', 'required']]],
    ['data as well', { ...mxAt({ exchange: 'a.' }), data: 'a.' }, [['fields', 'additionalProperties']]],
    ['neither', { name: 'a.', type: 'A' }, [['data', 'required']]],
    ['a text', mxAt('a.'), [['fields', 'type']]],
    ['a list', mxAt(['a.']), [['fields', 'type']]],
    ['null instead', mxAt(null), [['fields', 'type']]],
    ['data null', { ...mxAt({ exchange: 'a.' }), data: null }, [['data', 'type']]],
    ['an unknown type', { ...mxAt({ exchange: 'a.' }), type: 'NONE' }, [['type', 'enum']]],
    [
      'an inherited key',
      mxAt(JSON.parse('{"__proto__":{},"exchange":"a."}')),
      [['fields.__proto__', 'additionalProperties']],
    ],
    [
      'too many of them',
      mxAt(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, 1]))),
      [['fields', 'additionalProperties']],
    ],
    ['fields nested too deep', mxAt({ exchange: [[[[[[[[1]]]]]]]] }), [['fields.exchange[0][0][0][0][0][0]', 'type']]],
  ])('4.7 %s', async (_, body, faults) => {
    expectRefusal(await create(body), {
      status: 400,
      type: 'invalid_object',
      faults: faults.map(([path, validator]) => ({ path, validator: validator as 'format' })),
    });
  });

  it('4.7, 9.4 are named in change sets', async () => {
    const { id } = await domain.newRecord();
    const refusal = await refusalOf(
      change([
        { action: 'create', record: mx({ exchange: 'mail' }) },
        { action: 'update', id, record: { fields: { address: '192.0.2' } } },
        { action: 'replace', name: domain.at('w'), type: 'A', records: [{ fields: { address: '1' } }, { data: 'x' }] },
        { action: 'create', record: { ...mx({ exchange: 'a.' }), data: 'a.' } },
        {
          action: 'create',
          record: {
            name: domain.at('h'),
            type: 'SSHFP',
            fields: { algorithm: 4, fingerprint_type: 2, fingerprint: 'ab' },
          },
        },
      ]),
      400,
      'invalid_object',
    );
    expect(refusal.errors?.map(({ path }) => path)).toEqual([
      'changes[0].record.fields.exchange',
      'changes[2].records[0].fields.address',
      'changes[2].records[1].data',
      'changes[3].record.fields',
      'changes[4].record.fields.fingerprint',
    ]);
    const update = await refusalOf(
      change([{ action: 'update', id, record: { fields: { address: 'x' } } }]),
      400,
      'invalid_object',
    );
    expect(update.errors?.map(({ path }) => path)).toEqual(['changes[0].record.fields.address']);
  });

  it('4.7 never cause a 500', async () => {
    const type = fc.constantFrom('A', 'MX', 'TXT', 'CAA', 'HTTPS', 'NAPTR', 'LOC', 'CSYNC', 'TYPE65280');
    const names = ['address', 'exchange', 'text', 'tag', 'parameters', 'location', 'types', 'data'];
    const fields = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(type, fields, async (name, some) => {
        const { status } = await create({
          name: domain.at('x'),
          type: name,
          priority: name === 'MX' ? 1 : null,
          fields: some,
        });
        expect([200, 400, 409]).toContain(status);
      }),
      { numRuns: 40 },
    );
  });
});

describe('4.7 fields=true', () => {
  it('4.7 shows them wherever a record is answered, and nowhere else', async () => {
    const made = await bodyOf<WithFields<RecordBody>>(create(mx({ exchange: 'a.example.org.' }), '?fields=true'));
    const fields = { exchange: 'a.example.org.' };
    expect(made.fields).toEqual(fields);
    const { id } = made;
    const one = service.call('get', records(`/${id}?fields=true`));
    expect((await bodyOf<WithFields<RecordBody>>(one)).fields).toEqual(fields);
    expect(await bodyOf(domain.get(id))).not.toHaveProperty('fields');
    const listed = await bodyOf<{ records: WithFields<ListedBody>[] }>(domain.list('?fields=true'));
    expect(listed.records.map((record) => record.fields)).toEqual([fields]);
    expect((await domain.records())[0]).not.toHaveProperty('fields');
    const updated = service.call('put', records(`/${id}?fields=true`), { ttl: 60 });
    expect((await bodyOf<WithFields<RecordBody>>(updated)).fields).toEqual(fields);
  });

  it('4.7, 9.3 shows them in change sets and dry runs', async () => {
    const { id } = await domain.newRecord();
    const entries = [
      { action: 'create', record: mx({ exchange: 'b.example.org.' }) },
      { action: 'delete', id },
      { action: 'replace', name: domain.at('w'), type: 'A', records: [{ fields: { address: '192.0.2.7' } }] },
    ];
    const dry = await bodyOf<ChangesBody>(change(entries, '?dry_run=true&fields=true'));
    const done = await bodyOf<ChangesBody>(change(entries, '?fields=true'));
    for (const { changes } of [dry, done]) {
      expect(changes[0]?.record?.fields).toEqual({ exchange: 'b.example.org.' });
      expect(changes[1]?.record?.fields).toEqual({ address: '192.0.2.3' });
      expect(changes[2]?.records?.map(({ fields }) => fields)).toEqual([{ address: '192.0.2.7' }]);
    }
    expect(dry.dry_run).toBe(true);
  });

  it('4.7, 6.6 shows them to strict clients that ask for them', async () => {
    const strict = await startTestService({ SERVICE_API__V1_STRICT_CLIENTS: 'True' });
    try {
      const theirs = await newDomain(strict);
      await theirs.newRecord();
      const [record] = (await bodyOf<{ records: WithFields<RecordBody>[] }>(theirs.list('?fields=true'))).records;
      expect(record?.fields).toEqual({ address: '192.0.2.3' });
      expect(record).not.toHaveProperty('tenant_id');
    } finally {
      await strict.stop();
    }
  });

  it.each(['', 'yes', 'True', '1'])('4.7 is not "%s"', async (value) => {
    const { id } = await domain.newRecord();
    for (const asked of [
      domain.list(`?fields=${value}`),
      service.call('get', records(`/${id}?fields=${value}`)),
      create({}, `?fields=${value}`),
    ])
      await refusalOf(asked, 400, 'invalid_object');
  });

  it('4.7 omits fields of data that the type no longer accepts', async () => {
    const { id } = await domain.newRecord();
    const store = (data: string): void =>
      storeRows(service.databaseFile, {}, `UPDATE records SET data = '${data}' WHERE id = '${id}'`);
    store('no address');
    const shown = await bodyOf<WithFields<RecordBody>>(service.call('get', records(`/${id}?fields=true`)));
    store('192.0.2.3');
    expect(shown.fields).toBeNull();
    await domain.delete(id);
  });
});

it.each(STANDARD_TYPES.map((type) => [type.name, type] as const))(
  '4.7 %s means the same when its fields are sent back',
  async (name, type) => {
    const owner = { SRV: domain.at('_sip._tcp') }[name] ?? domain.at('www');
    await fc.assert(
      fc.asyncProperty(validRdata(type), async (rdata) => {
        const { data, priority } = type.toData(rdata);
        const sent = { name: owner, type: name, priority, fields: fieldsOf(type).show(rdata) };
        const [made] = (
          await bodyOf<ChangesBody>(change([{ action: 'create', record: sent }], '?dry_run=true&fields=true'))
        ).changes;
        expect(made?.record?.data).toBe(data);
        expect(made?.record?.fields).toEqual(JSON.parse(JSON.stringify(sent.fields)));
      }),
      { numRuns: 10 },
    );
  },
);

/** For the table of cases, which is built before the domain exists. */
function mxAt(fields: unknown): object {
  return { name: 'example.org.', type: 'MX', priority: 10, fields };
}
