import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import { bodyOf, type Fault, refusalOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { RecordBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

interface DoneBody {
  readonly serial: number;
  readonly dry_run?: boolean;
  readonly changes: readonly {
    readonly action: string;
    readonly record?: RecordBody;
    readonly records?: readonly RecordBody[];
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

const send = (changes: unknown, query = ''): Test =>
  service.call('post', `/v1/domains/${domain.id}/changes${query}`, { changes });
const done = (changes: readonly object[], query?: string): Promise<DoneBody> => bodyOf<DoneBody>(send(changes, query));

const a = (label: string, data: string): object => ({ name: domain.at(label), type: 'A', data });
const cname = (label: string): object => ({ name: domain.at(label), type: 'CNAME', data: 'web.example.net.' });
const create = (record: object): object => ({ action: 'create', record });

/** Expects a refusal for these fields without any database change. */
async function expectRefused(changes: unknown, status: number, type: string, faults?: readonly Fault[]): Promise<void> {
  const before = contentsOf(service.databaseFile);
  const { errors = [] } = await refusalOf(send(changes), status, type);
  if (faults !== undefined) expect(errors.map(({ path, validator }) => ({ path, validator }))).toEqual(faults);
  expect(contentsOf(service.databaseFile)).toEqual(before);
}

/** Internal words with another name in the interface, or none. */
const OTHER_WORDS = /\b(?:operations?|zones?)\b/i;

it('9.4 reports an entry equally in `message` and `errors`, in version 1 terms', async () => {
  const { id } = await domain.newRecord(a('twice', '192.0.2.1'));
  const absent = { action: 'delete', id: randomUUID() };
  const twice = [
    { action: 'delete', id },
    { action: 'update', id, record: { ttl: 60 } },
  ];
  const replaced = [
    create(a('set', '192.0.2.1')),
    { action: 'replace', name: domain.at('set'), type: 'A', records: [{ data: '192.0.2.2' }] },
  ];
  for (const [changes, status, type] of [
    [[absent], 404, 'record_not_found'],
    [[absent, { ...absent, id: randomUUID() }], 404, 'record_not_found'],
    [twice, 400, 'invalid_object'],
    [replaced, 400, 'invalid_object'],
  ] as const) {
    const { message, errors = [] } = await refusalOf(send(changes), status, type);
    expect(errors).toHaveLength(changes.length);
    const [first] = errors;
    const count = errors.length === 1 ? '' : `${errors.length} entries are refused, `;
    expect(message).toBe(`${count}changes[0]: ${first?.message}`);
    expect(message).not.toMatch(OTHER_WORDS);
    for (const error of errors) expect(error.message).not.toMatch(OTHER_WORDS);
  }
});

describe('a change set', () => {
  it('9.1, 9.3 does each kind of change, under one serial, and answers in the order sent', async () => {
    const [changed, gone] = [
      await domain.newRecord(a('old', '192.0.2.1')),
      await domain.newRecord(a('gone', '192.0.2.2')),
    ];
    const { serial, changes } = await done([
      { action: 'delete', id: gone.id },
      create(a('new', '192.0.2.3')),
      { action: 'update', id: changed.id.toUpperCase(), record: { ttl: 60 } },
      { action: 'replace', name: domain.at('set'), type: 'MX', records: [{ data: 'mail.example.net.', priority: 10 }] },
    ]);
    expect(changes.map(({ action }) => action)).toEqual(['delete', 'create', 'update', 'replace']);
    expect(changes[0]?.record).toEqual(gone);
    expect(changes[2]?.record).toMatchObject({ id: changed.id, ttl: 60, data: '192.0.2.1' });
    expect(await domain.now()).toMatchObject({ serial });
    const stored = await domain.records();
    expect(stored).toHaveLength(3);
    expect(stored).toEqual(
      expect.arrayContaining(
        [changes[1]?.record, changes[2]?.record, changes[3]?.records?.[0]].map((one) =>
          expect.objectContaining(one ?? {}),
        ),
      ),
    );
  });

  it('9.1 replace gives a record set exactly these records; existing ones keep their ids', async () => {
    const kept = await domain.newRecord(a('www', '192.0.2.1'));
    await domain.newRecord(a('www', '192.0.2.2'));
    const replace = { action: 'replace', name: domain.at('WWW'), type: 'A' };
    const { changes } = await done([{ ...replace, records: [{ data: '192.0.2.9' }, { data: '192.0.2.1', ttl: 60 }] }]);
    expect(changes[0]?.records).toMatchObject([{ data: '192.0.2.9' }, { id: kept.id, ttl: 60 }]);
    await done([{ ...replace, records: [] }]);
    expect(await domain.records()).toEqual([]);
  });

  it('9.1 a record set accepts fetched records', async () => {
    const record = await domain.newRecord();
    const entry = { action: 'replace', name: record.name, type: 'A', records: await domain.records() };
    expect(await done([entry])).toMatchObject({ changes: [{ records: [record] }] });
  });

  it('9.2 puts a CNAME where an A stood, in any order', async () => {
    const { id } = await domain.newRecord(a('www', '192.0.2.1'));
    await done([create(cname('www')), { action: 'delete', id }]);
    expect(await domain.records()).toMatchObject([{ type: 'CNAME' }]);
  });

  it('9.2 swaps two names', async () => {
    const [one, other] = [await domain.newRecord(a('one', '192.0.2.1')), await domain.newRecord(a('two', '192.0.2.1'))];
    await done([
      { action: 'update', id: one.id, record: { name: other.name } },
      { action: 'update', id: other.id, record: { name: one.name } },
    ]);
    expect((await domain.records()).map(({ id, name }) => [id, name])).toEqual([
      [one.id, other.name],
      [other.id, one.name],
    ]);
  });

  it('9.2 a set may break a rule only together', async () => {
    await expectRefused([create(a('www', '192.0.2.1')), create(cname('www'))], 400, 'invalid_recordset_location');
    const same = create(a('www', '192.0.2.1'));
    await expectRefused([same, same], 409, 'duplicate_record', [
      { path: 'changes[0]', validator: 'enum' },
      { path: 'changes[1]', validator: 'enum' },
    ]);
  });

  it.each(['delete', 'update'] as const)('9.2 two entries for one record are refused: %s', async (action) => {
    const { id } = await domain.newRecord();
    const entries = [
      { action: 'update', id, record: { ttl: 60 } },
      action === 'delete' ? { action, id } : { action, id, record: { ttl: 90 } },
    ];
    await expectRefused(entries, 400, 'invalid_object', [
      { path: 'changes[0]', validator: 'enum' },
      { path: 'changes[1]', validator: 'enum' },
    ]);
  });

  it('9.2 refuses an entry together with one that replaces its record set', async () => {
    const { id } = await domain.newRecord();
    const replace = { action: 'replace', name: domain.at('www'), type: 'A', records: [{ data: '192.0.2.9' }] };
    for (const other of [{ action: 'delete', id }, create(a('www', '192.0.2.8')), replace])
      await expectRefused([replace, other], 400, 'invalid_object');
  });

  it('9.3 a set that makes no difference moves no serial', async () => {
    const record = await domain.newRecord();
    const { serial } = await domain.now();
    const set = { action: 'replace', name: record.name, type: 'A', records: [{ data: record.data }] };
    expect(await done([set])).toMatchObject({ serial, changes: [{ records: [record] }] });
    expect((await domain.now()).serial).toBe(serial);
  });

  it('9.3 a dry run answers the same and stores nothing', async () => {
    const { id } = await domain.newRecord(a('www', '192.0.2.1'));
    const set = [{ action: 'delete', id }, create(cname('www'))];
    const before = contentsOf(service.databaseFile);
    const tried = await done(set, '?dry_run=true');
    expect(tried).toMatchObject({ dry_run: true, changes: [{ action: 'delete' }, { record: { type: 'CNAME' } }] });
    expect(contentsOf(service.databaseFile)).toEqual(before);
    expect(await done(set, '?dry_run=false')).not.toHaveProperty('dry_run');
    await refusalOf(send(set, '?dry_run=yes'), 400, 'invalid_object');
  });
});

describe('a refusal', () => {
  it('9.4 names every entry at fault by its place (attack case 68)', async () => {
    const set = [
      create(a('www', '192.0.2.1')),
      create({ ...a('www', 'nonsense'), ttl: 0 }),
      create(a('www', 'nonsense')),
      { action: 'replace', name: domain.at('set'), type: 'A', records: [{ data: '192.0.2.1' }, { data: 'no' }, {}] },
      { action: 'replace', name: domain.at('set'), type: 'A', records: [{ data: '192.0.2.1' }, { data: 'no' }] },
      { action: 'move', id: randomUUID() },
      'entry',
      { action: 'delete', id: 'www' },
      { action: 'update', id: randomUUID() },
      { ...create(a('x', '192.0.2.1')), id: randomUUID() },
      { action: 'toString' },
      {},
    ];
    await expectRefused(set, 400, 'invalid_object', [
      { path: 'changes[1].record.ttl', validator: 'minimum' },
      { path: 'changes[2].record.data', validator: 'format' },
      { path: 'changes[3].records[2].data', validator: 'required' },
      { path: 'changes[4].records[1].data', validator: 'format' },
      { path: 'changes[5].action', validator: 'enum' },
      { path: 'changes[6]', validator: 'type' },
      { path: 'changes[7].id', validator: 'format' },
      { path: 'changes[8].record', validator: 'required' },
      { path: 'changes[9].id', validator: 'additionalProperties' },
      { path: 'changes[10].action', validator: 'enum' },
      { path: 'changes[11].action', validator: 'required' },
    ]);
  });

  it('9.4 names errors that depend on stored records', async () => {
    const { id } = await domain.newRecord(a('www', '192.0.2.1'));
    const set = [
      create(a('good', '192.0.2.1')),
      { action: 'update', id, record: { data: 'nonsense' } },
      { action: 'delete', id: randomUUID() },
    ];
    await expectRefused(set, 400, 'invalid_object', [
      { path: 'changes[1].record.data', validator: 'format' },
      { path: 'changes[2].id', validator: 'enum' },
    ]);
    await expectRefused([create(a('www', '192.0.2.1')), create(cname('www'))], 400, 'invalid_recordset_location');
  });

  it.each([
    ['no list', undefined, 'required'],
    ['another thing', { 0: 'entry' }, 'type'],
    ['an empty list', [], 'minimum'],
    ['1,001 entries', new Array<object>(1001).fill({ action: 'delete', id: randomUUID() }), 'maximum'],
    ['half a million', new Array<number>(500_000).fill(1), 'maximum'],
  ] as const)('9.1 a set of %s', (_, changes, validator) =>
    expectRefused(changes, 400, 'invalid_object', [{ path: 'changes', validator }]),
  );

  it('9.1 a set of 1,000 entries is one change (attack case 86)', async () => {
    const entries = Array.from({ length: 1000 }, (_, at) => create(a(`n${at}`, '192.0.2.1')));
    expect((await done(entries)).changes).toHaveLength(1000);
    const replace = { action: 'replace', name: domain.at('many'), type: 'TXT' };
    await done([{ ...replace, records: Array.from({ length: 300 }, (_, at) => ({ data: `text ${at}` })) }]);
    expect(await domain.records()).toHaveLength(1300);
  });

  it('9.1 an unknown field next to the list', () =>
    refusalOf(
      service.call('post', `/v1/domains/${domain.id}/changes`, { changes: [{}], dry_run: true }),
      400,
      'invalid_object',
    ));

  it('9.4 values of 1 MiB', async () => {
    const long = (octets: number): object => create({ name: domain.at('long'), type: 'TXT', data: 'x'.repeat(octets) });
    await expectRefused([long(2 ** 20)], 413, 'payload_too_large');
    await expectRefused([long(2 ** 20 - 1000)], 400, 'invalid_object', [
      { path: 'changes[0].record.data', validator: 'format' },
    ]);
  });

  it('9.4 records of another domain and of another tenant', async () => {
    const other = await newDomain(service);
    const foreign = await newDomain(service.as('tenant-b'));
    for (const owner of [other, foreign]) {
      const { id } = await owner.newRecord();
      await expectRefused([create(a('x', '192.0.2.1')), { action: 'delete', id }], 404, 'record_not_found', [
        { path: 'changes[1].id', validator: 'enum' },
      ]);
    }
    const path = `/v1/domains/${foreign.id}/changes`;
    await refusalOf(service.call('post', path, { changes: [create(a('x', '192.0.2.1'))] }), 404, 'domain_not_found');
  });

  it('9.4 the records of a replaced set are of its name and type', async () => {
    const records = [
      { name: domain.at('other'), data: '192.0.2.1' },
      { type: 'AAAA', data: '::1' },
    ];
    const set = [{ action: 'replace', name: domain.at('www'), type: 'A', records }];
    await expectRefused(set, 400, 'invalid_object', [
      { path: 'changes[0].records[0].name', validator: 'enum' },
      { path: 'changes[0].records[1].type', validator: 'enum' },
    ]);
    await expectRefused([{ ...set[0], type: 'NONE' }], 400, 'invalid_object', [
      { path: 'changes[0].type', validator: 'enum' },
    ]);
    await expectRefused([{ ...set[0], name: 'www' }], 400, 'invalid_object', [
      { path: 'changes[0].name', validator: 'format' },
    ]);
  });
});

describe('with limits (attack case 61)', () => {
  let limited: TestService;
  let small: TestDomain;

  beforeAll(async () => {
    limited = await startTestService({ DEFAULT__QUOTA_ZONE_RECORDS: '2', SERVICE_API__MAX_CHANGES: '3' });
    small = domainOf(limited, await newDomain(limited));
  });
  afterAll(() => limited.stop());

  const sendSmall = (changes: readonly object[]): Test =>
    limited.call('post', `/v1/domains/${small.id}/changes`, { changes });
  const address = (label: string): object => create({ name: small.at(label), type: 'A', data: '192.0.2.1' });

  it('9.2 a set stays within a quota that its creates alone exceed', async () => {
    const [one, other] = [
      await small.newRecord({ name: small.at('a') }),
      await small.newRecord({ name: small.at('b') }),
    ];
    const { errors } = await refusalOf(sendSmall([address('c')]), 413, 'over_quota');
    expect(errors).toBeUndefined();
    await bodyOf(sendSmall([address('c'), { action: 'delete', id: one.id }]));
    expect((await small.records()).map(({ name }) => name)).toEqual([other.name, small.at('c')]);
  });

  it('9.1 `max_changes` is the highest number of entries (attack case 86)', async () => {
    await refusalOf(sendSmall(['d', 'e', 'f', 'g'].map(address)), 400, 'invalid_object');
    await refusalOf(sendSmall(['d', 'e', 'f'].map(address)), 413, 'over_quota');
  });
});
