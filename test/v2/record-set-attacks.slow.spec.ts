import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { BODIES, REFUSED, type Sent, SHA1, STORED } from '../records/attack-cases.js';
import { answerOf, bodyOf, expectStatus } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type RecordSetBody, RecordSets } from '../support/record-sets.js';
import { startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';

/** The list of hostile and unlucky input, in every other way in which a record can be written. */

let service: TestService;
let zone: TestDomain;
let sets: RecordSets;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
  sets = new RecordSets(service, zone);
});

interface Record extends Sent {
  readonly name: string;
}

/** A way of writing one record. */
interface Way {
  readonly status: number;
  /** Whether version 2 can express the record. */
  readonly canSay: (sent: Sent) => boolean;
  /** Prepares required records; may be refused for the reason under test. */
  readonly prepare?: (record: Record) => Promise<Response>;
  readonly write: (record: Record, prepared: Response | undefined) => Test;
}

const changes = (entry: object): Test => service.call('post', `/v1/domains/${zone.id}/changes`, { changes: [entry] });

/** The version 2 form: priority first. Non-text values stay unchanged. */
function textOf({ data, priority }: Sent): unknown {
  const isSaid = typeof priority === 'number' || typeof priority === 'boolean';
  return typeof data === 'string' && isSaid ? `${String(priority)} ${data}` : data;
}

function setOf({ data: _, priority: __, ...fields }: Record, records: unknown): object {
  return { ...fields, records };
}

/** In a text, `"10"` and `[10]` are 10; and version 2 takes a ttl of 0 (behaviour 4.4). */
const isForVersion2 = ({ priority, ttl }: Sent): boolean =>
  typeof priority !== 'string' && !Array.isArray(priority) && ttl !== 0;

const WAYS: readonly [way: string, Way][] = [
  [
    'a change set that creates',
    { status: 200, canSay: () => true, write: (record) => changes({ action: 'create', record }) },
  ],
  [
    'a change set that replaces',
    {
      status: 200,
      canSay: () => true,
      write: ({ name, type, ...record }) => changes({ action: 'replace', name, type, records: [record] }),
    },
  ],
  [
    'POST of a record set',
    {
      status: 202,
      canSay: isForVersion2,
      write: (record) => sets.create(setOf(record, [textOf(record)])),
    },
  ],
  [
    'PUT of a record set',
    {
      status: 202,
      canSay: isForVersion2,
      prepare: async ({ name, type }) => sets.create({ name, type }),
      write: (record, prepared) => {
        const { name: _, type: __, ...fields } = setOf(record, [textOf(record)]) as { name: string; type: unknown };
        return sets.update((prepared!.body as RecordSetBody).id, fields);
      },
    },
  ],
];

let labels = 0;

/** Uses a separate name unless the name is under test. */
function inZone({ name, ...sent }: Sent): Record {
  return { ...sent, name: (name ?? `r${String(++labels)}.@`).replace('@', zone.name) };
}

async function expectStored(way: Way, sent: Sent): Promise<void> {
  const record = inZone(sent);
  const prepared = await way.prepare?.(record);
  await answerOf(way.write(record, prepared), way.status);
  const { name, type, data, priority = null, ttl = null } = record;
  const [shown] = (await zone.records()).slice(-1);
  expect(shown).toMatchObject({ name, type, data, priority, ttl });
  const found = await sets.list(`?name=${encodeURIComponent(name)}&type=${String(type)}`);
  const { description = null } = record;
  const set = { name, type, ttl, description, records: [textOf(record)] };
  expect(found.recordsets).toContainEqual(expect.objectContaining(set));
}

async function expectRefused(way: Way, sent: Sent): Promise<void> {
  const record = inZone(sent);
  const prepared = await way.prepare?.(record);
  const before = contentsOf(service.databaseFile);
  const answer = prepared === undefined || prepared.status === 201 ? await way.write(record, prepared) : prepared;
  expectStatus(answer, 400);
  expect(contentsOf(service.databaseFile)).toEqual(before);
  if (prepared?.status === 201) await answerOf(sets.delete((prepared.body as RecordSetBody).id), 202);
}

describe.each(WAYS)('through %s', (_way, way) => {
  it.each(STORED)('5.1 to 5.8 case %i is stored as it is: %s', async (_number, _what, records) => {
    for (const sent of records.filter(way.canSay)) await expectStored(way, sent);
  });

  it.each(REFUSED)('5.1 to 5.8 case %i is refused and leaves nothing: %s', async (_number, _what, records) => {
    for (const sent of records.filter(way.canSay)) await expectRefused(way, sent);
  });
});

describe('record sets', () => {
  it.each(BODIES)('4.1 case 38: the body %.40j', async (body) => {
    const { id } = await sets.make();
    const before = contentsOf(service.databaseFile);
    for (const answer of [await sets.create(body), await sets.update(id, body)]) expectStatus(answer, 400);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it.each([
    { records: [['192.0.2.1']] },
    { records: [{ '192.0.2.1': 1 }] },
    { records: { 0: '192.0.2.1', length: 1 } },
    { records: [null] },
    { records: Array<string>(1001).fill('192.0.2.1') },
    { records: ['192.0.2.1'], managed: true },
    { records: ['192.0.2.1'], status: 'ACTIVE' },
    { records: ['192.0.2.1'], __proto__x: 1 },
    { records: ['\ud800'] },
    { records: ['192.0.2.1\0'] },
    { records: [''] },
    { records: ['192.0.2.1'], ttl: 1.5 },
    { records: ['192.0.2.1'], ttl: [60] },
    { records: ['192.0.2.1'], description: 'x'.repeat(161) },
    { records: ['192.0.2.1'], description: '\0' },
  ])('4.1 case 38: the fields %.60j', async (fields) => {
    const before = contentsOf(service.databaseFile);
    expectStatus(await sets.create({ name: sets.at('www'), type: 'A', ...fields }), 400);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('5.7 case 24: a child zone keeps its names to itself', async () => {
    const child = await newDomain(service, sets.at('child'));
    for (const name of [child.name, child.at('www'), child.at('*'), child.at('b.a')])
      for (const records of [['192.0.2.1'], []])
        await v2RefusalOf(sets.create({ name, type: 'A', records }), 400, 'invalid_recordset_location');
    await sets.make({ name: child.name, type: 'NS', records: ['ns.example.net.'] });
    await sets.make({ name: sets.at('childless') });
  });

  it('5.6 case 25: a CNAME and others keep apart', async () => {
    const cname = (label: string, target = 'www.example.org.'): object => ({
      name: label === '@' ? zone.name : sets.at(label),
      type: 'CNAME',
      records: [target],
    });
    await answerOf(sets.create(cname('alias')), 202);
    await sets.make({ name: sets.at('addr') });
    for (const refused of [
      cname('@'),
      cname('addr'),
      cname('alias', 'other.example.org.'),
      { name: sets.at('alias'), type: 'A', records: ['192.0.2.1'] },
    ])
      await v2RefusalOf(sets.create(refused), 400, 'invalid_recordset_location');
    const alias = (await sets.all()).find(({ type }) => type === 'CNAME')!;
    expect(await bodyOf(sets.update(alias.id, { records: ['other.example.org.'] }), 202)).toMatchObject({
      records: ['other.example.org.'],
    });
    await v2RefusalOf(sets.update(alias.id, { records: ['a.example.org.', 'b.example.org.'] }), 400, 'bad_request');
  });

  it('5.11 case 29: a null MX next to another', async () => {
    const mx = (records: string[]): object => ({ name: zone.name, type: 'MX', records });
    await v2RefusalOf(sets.create(mx(['10 mail.example.org.', '0 .'])), 400, 'invalid_recordset_location');
    const { id } = await bodyOf<RecordSetBody>(sets.create(mx(['10 mail.example.org.'])), 202);
    await v2RefusalOf(sets.update(id, { records: ['10 mail.example.org.', '0 .'] }), 400, 'invalid_recordset_location');
    await answerOf(sets.update(id, { records: ['0 .'] }), 202);
  });

  it('4.4 a set that no message holds is refused', async () => {
    const text = Array<string>(16)
      .fill(`"${'x'.repeat(255)}"`)
      .join(' ');
    const records = Array.from({ length: 17 }, (_, at) => `"${String(at)}" ${text}`);
    const before = contentsOf(service.databaseFile);
    await v2RefusalOf(sets.create({ name: sets.at('www'), type: 'TXT', records }), 400, 'invalid_object', [
      ['records'],
    ]);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('3.1 case 37: an update cannot touch identity', async () => {
    const set = await sets.make();
    const id = '00000000-0000-4000-8000-000000000000';
    for (const fields of [{ id }, { zone_id: id }, { project_id: 'thief' }, { version: 99 }, { created_at: 'x' }])
      await v2RefusalOf(sets.update(set.id, fields), 400, 'invalid_object', [Object.keys(fields)]);
    expect(await sets.now(set)).toMatchObject({ version: 1, project_id: 'tenant-a' });
  });

  it.each([
    ['A', '192.0.2.1'],
    ['AAAA', '2001:DB8::0:1'],
    ['MX', '10 Mail.Example.ORG.'],
    ['CNAME', 'WWW.example.org.'],
    ['TXT', '"two" "strings; \\"escaped\\" \\195\\182"'],
    ['SRV', '10 1 5060 SIP.example.org.'],
    ['NS', 'NS1.example.org.'],
    ['PTR', 'a\\.b.example.org.'],
    ['SPF', 'v=spf1 -all'],
    ['SSHFP', `1 1 ${SHA1.toUpperCase()}`],
  ])('13.2 case 40: %s reads back octet for octet, and changes nothing when it is sent back', async (type, text) => {
    const name = sets.at(type === 'SRV' ? '_Sip._TCP' : 'StAbLe');
    const sent = { name, type, records: [text], ttl: 10, description: 'ünïcödé' };
    const { id } = await sets.make(sent);
    const first = await bodyOf<RecordSetBody>(sets.get(id));
    expect(first).toMatchObject(sent);
    const before = contentsOf(service.databaseFile);
    const { records, ttl, description } = first;
    await answerOf(sets.update(id, { name, type, records, ttl, description }), 202);
    expect(contentsOf(service.databaseFile)).toEqual(before);
    expect((await sets.get(id)).text).toBe(JSON.stringify(first));
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
