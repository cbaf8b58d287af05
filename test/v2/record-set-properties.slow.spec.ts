import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Response, Test } from 'supertest';
import { bodyOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { ListedBody } from '../support/bodies.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { type RecordSetBody, RecordSets } from '../support/record-sets.js';
import { startTestService, type TestService } from '../support/service.js';
import type { ZoneBody } from '../support/v2.js';
import { holdsFor, times } from '../support/length.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ SERVICE_API__MAX_CHANGES: '100' });
});
afterAll(() => service.stop());

/** A zone, with all its views. */
interface Place {
  readonly zone: TestDomain;
  readonly sets: RecordSets;
}

interface Views {
  readonly serial: number;
  readonly records: readonly ListedBody[];
  readonly sets: readonly RecordSetBody[];
}

/** A request through one of the interfaces, which may be refused. */
interface Operation {
  readonly kind: string;
  readonly ask: (place: Place, views: Views) => Test | null;
  /** Postconditions of an accepted request. */
  readonly expected?: (answer: Response, before: Views, after: Views) => void;
}

const label = fc.constantFrom('a', 'A', 'b', 'c.d', '*.e');
const ttl = fc.constantFrom(null, 60, 300, 3600);
const description = fc.constantFrom(null, 'one', 'two');
const which = fc.nat({ max: 1000 });

const VALUES: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  AAAA: ['2001:db8::1', '2001:DB8:0::1', '2001:db8::2'],
  MX: ['10 mail.example.net.', '10 MAIL.example.net.', '20 mail.example.net.', '0 .'],
  TXT: ['"one"', 'two words', '"two" "strings"'],
  CNAME: ['a.example.net.', 'A.example.NET.', 'b.example.net.'],
};
const type = fc.constantFrom('A', 'A', 'AAAA', 'MX', 'TXT', 'CNAME');
/** A type with values of it, as version 2 writes them. */
const typed = type.chain((name) =>
  fc.tuple(fc.constant(name), fc.array(fc.constantFrom(...VALUES[name]!), { maxLength: 3 })),
);

function one<Entry>(entries: readonly Entry[], at: number): Entry | undefined {
  return entries[at % Math.max(1, entries.length)];
}

/** The fields of version 1. */
function valueOf(name: string, text: string): { readonly data: string; readonly priority?: number } {
  const [, priority, data] = name === 'MX' ? (/^(\d+) (.*)$/.exec(text) ?? []) : [];
  return data === undefined ? { data: text } : { data, priority: Number(priority) };
}

const textOf = ({ data, priority }: ListedBody): string => (priority === null ? data : `${String(priority)} ${data}`);

const createRecord = fc.tuple(label, typed, ttl, description).map(([at, [name, texts], own, said]): Operation => ({
  kind: 'v1 create',
  ask: ({ zone }) =>
    zone.create({
      name: zone.at(at),
      type: name,
      ttl: own,
      description: said,
      ...valueOf(name, texts[0] ?? VALUES[name]![0]!),
    }),
}));

const updateRecord = fc
  .tuple(which, label, ttl, description, fc.nat(3))
  .map(([at, to, own, said, what]): Operation => ({
    kind: 'v1 update',
    ask: ({ zone }, { records }) => {
      const record = one(records, at);
      if (record === undefined) return null;
      const text = one(VALUES[record.type]!, at + 1)!;
      const fields = [{ ttl: own }, { description: said }, { name: zone.at(to) }, valueOf(record.type, text)][what];
      return zone.update(record.id, fields);
    },
  }));

const deleteRecord = which.map((at): Operation => ({
  kind: 'v1 delete',
  ask: ({ zone }, { records }) => {
    const record = one(records, at);
    return record === undefined ? null : zone.delete(record.id);
  },
}));

const changes = (zone: TestDomain, entries: readonly object[]): Test =>
  service.call('post', `/v1/domains/${zone.id}/changes`, { changes: entries });

const replaceSet = fc.tuple(label, typed, ttl).map(([at, [name, texts], own]): Operation => ({
  kind: 'change set that replaces',
  ask: ({ zone }) => {
    const records = [...new Set(texts)].map((text) => ({ ...valueOf(name, text), ttl: own }));
    return changes(zone, [{ action: 'replace', name: zone.at(at), type: name, records }]);
  },
}));

const changeMany = fc.tuple(which, label, typed).map(([at, to, [name, texts]]): Operation => ({
  kind: 'change set that deletes and creates',
  ask: ({ zone }, { records }) => {
    const gone = records.filter((_, place) => (place + at) % 3 === 0);
    const created = texts.map((text) => ({
      action: 'create',
      record: { name: zone.at(to), type: name, ...valueOf(name, text) },
    }));
    const entries = [...gone.map(({ id }) => ({ action: 'delete', id })), ...created];
    return entries.length === 0 ? null : changes(zone, entries);
  },
}));

const createSet = fc.tuple(label, typed, ttl, description).map(([at, [name, texts], own, said]): Operation => ({
  kind: 'v2 create',
  ask: ({ sets }) => sets.create({ name: sets.at(at), type: name, records: texts, ttl: own, description: said }),
  expected: ({ body }, _, after) => {
    const { id } = body as RecordSetBody;
    expect(after.sets.find((set) => set.id === id)).toMatchObject({
      type: name,
      records: [...new Set(texts)],
      ttl: own,
      description: said,
      version: 1,
      updated_at: null,
    });
  },
}));

const updateSet = fc
  .tuple(which, fc.record({ texts: fc.array(which, { maxLength: 3 }), ttl, description }, { requiredKeys: [] }))
  .map(([at, { texts, ...said }]): Operation => ({
    kind: 'v2 update',
    ask: ({ sets }, views) => {
      const set = one(views.sets, at);
      const records = set && texts?.map((text) => one(VALUES[set.type]!, text)!);
      return set === undefined ? null : sets.update(set.id, { ...said, ...(records && { records }) });
    },
    expected: ({ body }, before, after) => {
      const { id, records } = body as RecordSetBody;
      const was = before.sets.find((set) => set.id === id)!;
      const is = after.sets.find((set) => set.id === id)!;
      expect({ ttl: is.ttl, description: is.description }).toEqual({
        ttl: was.ttl,
        description: was.description,
        ...said,
      });
      expect(is.records).toEqual(records);
      if (texts === undefined) expect(is.records).toEqual(was.records);
      else
        expect([...is.records].sort()).toEqual([...new Set(texts.map((text) => one(VALUES[is.type]!, text)!))].sort());
    },
  }));

const sendBack = which.map((at): Operation => ({
  kind: 'v2 update as read',
  ask: ({ sets }, views) => {
    const set = one(views.sets, at);
    if (set === undefined) return null;
    const { name, type: itsType, records, ttl: own, description: said } = set;
    return sets.update(set.id, { name, type: itsType, records, ttl: own, description: said });
  },
  expected: (_, before, after) => expect(after).toEqual(before),
}));

const deleteSet = which.map((at): Operation => ({
  kind: 'v2 delete',
  ask: ({ sets }, views) => {
    const set = one(views.sets, at);
    return set === undefined ? null : sets.delete(set.id);
  },
  expected: ({ body }, _, after) => {
    const { id } = body as RecordSetBody;
    expect(after.sets.some((set) => set.id === id)).toBe(false);
  },
}));

const operation = fc.oneof(
  { weight: 5, arbitrary: createRecord },
  { weight: 4, arbitrary: updateRecord },
  { weight: 2, arbitrary: deleteRecord },
  { weight: 2, arbitrary: replaceSet },
  { weight: 2, arbitrary: changeMany },
  { weight: 5, arbitrary: createSet },
  { weight: 5, arbitrary: updateSet },
  { weight: 2, arbitrary: sendBack },
  { weight: 2, arbitrary: deleteSet },
);

/** The state in all interfaces, compared with each other. */
async function viewsOf({ zone, sets }: Place): Promise<Views> {
  const { serial } = await zone.now();
  const records = await zone.records();
  const list = await sets.list('?limit=1000');
  const own = await sets.all();
  expect(list.metadata).toEqual({ total_count: list.recordsets.length });
  expect(list.recordsets[0]!.records[0]).toContain(` ${String(serial)} `);
  expect(await bodyOf<ZoneBody>(service.call('get', `/v2/zones/${zone.id}`))).toMatchObject({
    serial,
    status: 'ACTIVE',
  });
  const served = own.filter((set) => set.records.length > 0);
  expect(new Map(served.map((set) => [keyOf(set), { records: set.records, ttl: set.ttl }]))).toEqual(setsOf(records));
  expect(new Set(own.map(keyOf)).size).toBe(own.length);
  return { serial, records, sets: own };
}

const keyOf = ({ name, type: its }: { readonly name: string; readonly type: string }): string =>
  `${name.toLowerCase()} ${its}`;

function shownOf({ records, ttl: own, description: said }: RecordSetBody): object {
  return { records, ttl: own, description: said };
}

/** The records of version 1, which come in the order of their creation, as the sets that version 2 must make of them. */
function setsOf(records: readonly ListedBody[]): Map<string, object> {
  const grouped = new Map<string, ListedBody[]>();
  for (const record of records) grouped.set(keyOf(record), [...(grouped.get(keyOf(record)) ?? []), record]);
  return new Map(
    [...grouped].map(([key, ofSet]) => {
      const ttls = ofSet.flatMap((record) => (record.ttl === null ? [] : [record.ttl]));
      const smallest = ttls.length > 0 ? Math.min(...ttls) : null;
      return [key, { records: ofSet.map(textOf), ttl: smallest }];
    }),
  );
}

/** Fields whose change raises the serial. */
function contentOf({ records }: Views): object {
  return records.map(({ id, name, data, priority, ttl: own, description: said }) => [
    id,
    name,
    data,
    priority,
    own,
    said,
  ]);
}

/** A set that was there before and after is the same one, and its version grows with its contents. */
function expectSameSets(before: Views, after: Views): void {
  for (const set of after.sets) {
    const was = before.sets.find((other) => keyOf(other) === keyOf(set));
    if (was === undefined) continue;
    expect(set).toMatchObject({ id: was.id, created_at: was.created_at });
    const oldest = after.records.find((record) => keyOf(record) === keyOf(set));
    if (oldest !== undefined) expect([was.description, oldest.description]).toContain(set.description);
    if (JSON.stringify(shownOf(set)) !== JSON.stringify(shownOf(was))) expect(set.version).toBeGreaterThan(was.version);
  }
}

describe('one set of data', () => {
  it('13.1 all views agree after any operations through version 1, version 2 and change sets', async () => {
    const kinds = new Map<string, { accepted: number; refused: number }>();
    await holdsFor(
      fc.array(operation, { minLength: 10, maxLength: 30, size: 'max' }),
      async (operations) => {
        const zone = await newDomain(service);
        const place = { zone, sets: new RecordSets(service, zone) };
        let views = await viewsOf(place);
        for (const { kind, ask, expected } of operations) {
          const request = ask(place, views);
          if (request === null) continue;
          const stored = contentsOf(service.databaseFile);
          const answer = await request;
          const counted = kinds.get(kind) ?? { accepted: 0, refused: 0 };
          kinds.set(kind, counted);
          if (answer.status >= 300) {
            counted.refused += 1;
            expect([400, 409]).toContain(answer.status);
            expect(contentsOf(service.databaseFile)).toEqual(stored);
            continue;
          }
          counted.accepted += 1;
          const after = await viewsOf(place);
          expected?.(answer, views, after);
          expectSameSets(views, after);
          const hasChanged = JSON.stringify(contentOf(after)) !== JSON.stringify(contentOf(views));
          expect({ kind, moved: after.serial !== views.serial }).toEqual({ kind, moved: hasChanged });
          views = after;
        }
        const lines = linesOfExport(await zone.export()).length;
        expect(lines).toBe(2 + views.records.length);
        await service.call('delete', `/v1/domains/${zone.id}`);
      },
      { numRuns: times(10, 20) },
    );
    for (const [kind, { accepted }] of kinds) expect({ kind, isSeen: accepted > 0 }).toEqual({ kind, isSeen: true });
    audit(service.databaseFile);
  });

  it('13.2 a set sent back as it was read, whole or in part, changes nothing', async () => {
    const zone = await newDomain(service);
    const sets = new RecordSets(service, zone);
    const record = fc.record({ data: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3'), ttl, description });
    const fields = fc.subarray(['name', 'type', 'records', 'ttl', 'description'] as const);
    await holdsFor(
      fc.tuple(fc.array(record, { maxLength: 3 }), fields),
      async ([records, sent]) => {
        await changes(zone, [
          {
            action: 'replace',
            name: zone.at('www'),
            type: 'A',
            records: [...new Map(records.map((one) => [one.data, one])).values()],
          },
        ]).expect(200);
        const [set = await sets.make({ records: [], ttl: 60, description: 'none' })] = await sets.all();
        const before = contentsOf(service.databaseFile);
        const answer = await sets.update(set.id, Object.fromEntries(sent.map((field) => [field, set[field]])));
        expect(answer.status).toBe(set.records.length > 0 ? 202 : 200);
        expect(contentsOf(service.databaseFile)).toEqual(before);
        expect(await sets.now(set)).toEqual({ ...set, status: 'ACTIVE', action: 'NONE' });
      },
      { numRuns: times(30, 100) },
    );
  });
});

describe('arbitrary requests', () => {
  const anyValue = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '.', '@', '*', '\\', '"', '\0', '\n', 'a'.repeat(70_000), 1e308, -0, 2 ** 53, []),
  );
  const sometimes = (...sound: unknown[]): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...sound) }, { weight: 1, arbitrary: anyValue });

  it.each(['create', 'update'] as const)(
    '4.1 to 5.8 %s is accepted or refused, and a refusal leaves nothing',
    async (way) => {
      const zone = await newDomain(service);
      const sets = new RecordSets(service, zone);
      const { id } = await sets.make({ name: sets.at('mx'), type: 'MX', records: ['10 mail.example.org.'] });
      const texts = fc.array(sometimes('192.0.2.1', '10 mail.example.org.', '0 .', '0 0 0 .', 'text', '.'), {
        maxLength: 3,
      });
      const anyBody = fc.oneof(
        { weight: 1, arbitrary: anyValue },
        {
          weight: 4,
          arbitrary: fc.record(
            {
              name: sometimes(sets.at('www'), sets.at('*'), sets.at('_s._tcp'), sets.at('mx'), zone.name),
              type: sometimes('A', 'MX', 'TXT', 'SRV', 'CNAME', 'NS', 'SOA'),
              records: fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: anyValue }),
              ttl: sometimes(null, 60),
              description: sometimes(null, 'text'),
              [String(Math.random())]: anyValue,
            },
            { requiredKeys: [] },
          ),
        },
      );
      await holdsFor(
        anyBody,
        async (body) => {
          const before = contentsOf(service.databaseFile);
          const text = JSON.stringify(body);
          const answer = await (way === 'create' ? sets.create(text) : sets.update(id, text));
          const isExpected = [200, 201, 202, 400, 409].includes(answer.status);
          expect({ body, sent: answer.body as unknown, isExpected }).toMatchObject({ isExpected: true });
          if (answer.status >= 300) expect(contentsOf(service.databaseFile)).toEqual(before);
        },
        { numRuns: times(60, 250) },
      );
      audit(service.databaseFile);
    },
  );

  it('6.4 any query is answered or refused', async () => {
    const zone = await newDomain(service);
    const sets = new RecordSets(service, zone);
    const { id } = await sets.make();
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('A', '10', '*', '*1*', sets.at('www'), id, 'name', 'asc'),
    );
    const names = ['limit', 'marker', 'name', 'type', 'data', 'ttl', 'status', 'description', 'sort_key', 'sort_dir'];
    const anyQuery = fc.dictionary(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, fc.string()),
      anyText,
      { maxKeys: 4 },
    );
    await holdsFor(
      anyQuery,
      async (query) => {
        const pairs = Object.entries(query).map((pair) =>
          pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='),
        );
        for (const path of [sets.path, '/v2/recordsets']) {
          const { status } = await service.call('get', `${path}?${pairs.join('&')}`);
          expect([200, 400]).toContain(status);
        }
      },
      { numRuns: times(50, 200) },
    );
  });
});
