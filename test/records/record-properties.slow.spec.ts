import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { audit, contentsOf } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type ModelRecord, RecordModel, type Verdict } from '../support/model.js';
import { startTestService, type TestService } from '../support/service.js';
import { holdsFor, times } from '../support/length.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('arbitrary input', () => {
  let domain: TestDomain;
  let record: RecordBody;

  beforeAll(async () => {
    domain = await newDomain(service);
    record = await bodyOf(
      domain.create({ name: domain.at('www'), type: 'MX', data: 'mail.example.org.', priority: 10 }),
    );
  });

  const anyValue = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '.', '@', '*', '\\', '"', '\0', '\n', 'a'.repeat(70_000), 1e308, -0, 2 ** 53),
  );
  const sometimes = (...sound: unknown[]): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...sound) }, { weight: 1, arbitrary: anyValue });

  /** Bodies that are records to a degree: sound fields, fields of any value, fields that do not exist. */
  const anyBody = (): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 1, arbitrary: anyValue },
      {
        weight: 4,
        arbitrary: fc.record(
          {
            name: sometimes(domain.at('www'), domain.at('*'), domain.at('_s._tcp'), domain.name),
            type: sometimes('A', 'MX', 'TXT', 'SRV', 'CNAME', 'SSHFP'),
            data: sometimes('192.0.2.1', 'mail.example.org.', '0 0 sip.example.org.', 'text', '.'),
            priority: sometimes(null, 0, 10),
            ttl: sometimes(null, 60),
            description: sometimes(null, 'text'),
            id: sometimes(record.id),
            version: sometimes(1),
            [String(Math.random())]: anyValue,
          },
          { requiredKeys: [] },
        ),
      },
    );

  it.each<[string, (body: unknown) => ReturnType<TestDomain['create']>]>([
    ['4.1 to 5.8 a create', (body) => domain.create(JSON.stringify(body))],
    ['6.2 an update', (body) => domain.update(record.id, JSON.stringify(body))],
    ['7.1 a domain', (body) => service.call('post', '/v1/domains', JSON.stringify(body))],
    ['7.1 a domain’s update', (body) => service.call('put', `/v1/domains/${domain.id}`, JSON.stringify(body))],
  ])('%s is accepted or refused, and a refusal leaves nothing', async (_, send) => {
    await holdsFor(
      anyBody(),
      async (body) => {
        const before = contentsOf(service.databaseFile);
        const answer = await send(body);
        expect({ body, sent: answer.body, isExpected: [200, 400, 409].includes(answer.status) }).toMatchObject({
          isExpected: true,
        });
        if (answer.status !== 200) expect(contentsOf(service.databaseFile)).toEqual(before);
      },
      { numRuns: times(60, 250) },
    );
  });

  it('6.4 any query is answered or refused', async () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('A', '10', domain.at('www'), record.id));
    const anyQuery = fc.dictionary(
      fc.oneof(fc.constantFrom('limit', 'marker', 'name', 'type', 'data'), fc.string()),
      anyText,
      { maxKeys: 4 },
    );
    await holdsFor(
      anyQuery,
      async (query) => {
        const pairs = Object.entries(query).map((pair) =>
          pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='),
        );
        const { status } = await domain.list(`?${pairs.join('&')}`);
        expect([200, 400]).toContain(status);
      },
      { numRuns: times(60, 250) },
    );
  });
});

/** A few values of a few types, in several spellings, right and wrong. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2'],
  AAAA: ['::1', '0:0::1', '::2'],
  CNAME: ['a.example.org.', 'A.example.ORG.', 'b.example.org.', 'a'],
  MX: ['m.example.org.', 'M.example.org.', '.'],
  TXT: ['x', '"x"', '"x" "y"', ''],
  SRV: ['0 1 h.example.org.', '0 1 H.example.org.', '0 1 .'],
  NS: ['ns.example.net.', 'NS.example.net.'],
};

const NAME = /^([a-z]+\.)+$/i;
const ROOT_OR_NAME = /^(\.|([a-z]+\.)+)$/i;
const matching = (pattern: RegExp) => (data: string) => (pattern.test(data) ? data.toLowerCase() : null);

/** The canonical form of such a value; `null`: invalid. */
const SAME_AS: Readonly<Record<string, (data: string) => string | null>> = {
  A: matching(/^192\.0\.2\.[12]$/),
  AAAA: (data) => ({ '::1': '1', '0:0::1': '1', '::2': '2' })[data] ?? null,
  CNAME: matching(ROOT_OR_NAME),
  MX: matching(ROOT_OR_NAME),
  TXT: (data) => (data === '' ? null : data.replace(/^"x"$/, 'x')),
  SRV: matching(/^0 1 (\.|([a-z]+\.)+)$/i),
  NS: matching(NAME),
};

type Step =
  | { readonly kind: 'create'; readonly record: ModelRecord }
  | { readonly kind: 'update'; readonly at: number; readonly fields: Partial<ModelRecord> }
  | { readonly kind: 'delete'; readonly at: number };

const anyName = fc.constantFrom(
  '@',
  'a.@',
  'A.@',
  'b.@',
  '*.@',
  '_s._tcp.@',
  'child.@',
  'w.child.@',
  'www.example.net.',
);
const anyPriority = fc.constantFrom(null, null, 0, 10);
const anyTtl = fc.constantFrom(null, 60);
const anyDescription = fc.constantFrom(null, 'text');
const anyRecord: fc.Arbitrary<ModelRecord> = fc.constantFrom(...Object.keys(DATA)).chain((type) =>
  fc.record({
    name: type === 'SRV' ? fc.constantFrom('_s._tcp.@', '_S._tcp.@', 'a.@') : anyName,
    type: fc.constant(type),
    data: fc.constantFrom(...DATA[type]!),
    priority: type === 'MX' || type === 'SRV' ? fc.constantFrom(0, 0, 10, null) : fc.constantFrom(null, null, null, 0),
    ttl: anyTtl,
    description: anyDescription,
  }),
);
const anyFields: fc.Arbitrary<Partial<ModelRecord>> = fc.oneof(
  { weight: 1, arbitrary: anyRecord },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        name: anyName,
        data: fc.constantFrom(...Object.values(DATA).flat()),
        priority: anyPriority,
        ttl: anyTtl,
        description: anyDescription,
      },
      { requiredKeys: [] },
    ),
  },
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create' as const), record: anyRecord }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update' as const), at: fc.nat(), fields: anyFields }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) },
);

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** The service and the model with equal requests. */
class SideBySide {
  private readonly model: RecordModel;
  private serial: number;

  private constructor(private readonly domain: TestDomain) {
    this.serial = domain.serial;
    this.model = new RecordModel(domain.name, domain.at('child'), (type, data) => SAME_AS[type]?.(data) ?? null);
  }

  static async start(): Promise<SideBySide> {
    const domain = await newDomain(service);
    await newDomain(service, domain.at('child'));
    return new SideBySide(domain);
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'create') await this.create(this.placed(step.record));
    if (step.kind === 'update') await this.update(this.idAt(step.at), this.placed(step.fields));
    if (step.kind === 'delete') await this.delete(this.idAt(step.at));
  }

  async compare(): Promise<void> {
    const listed = (await this.domain.records()).map(
      ({ id, version, name, type, data, priority, ttl, description }) => ({
        ...{ id, version, name, type, data, priority, ttl, description },
      }),
    );
    expect(listed).toEqual(this.model.records);
  }

  private async create(record: ModelRecord): Promise<void> {
    const answer = await this.domain.create(record);
    await this.settle(this.model.create(record), answer.body, 1);
  }

  private async update(id: string, fields: Partial<ModelRecord>): Promise<void> {
    const before = this.model.find(id);
    const answer = await this.domain.update(id, fields);
    await this.settle(this.model.update(id, fields), answer.body, (before?.version ?? 0) + 1);
  }

  private async delete(id: string): Promise<void> {
    const isThere = this.model.find(id) !== undefined;
    const { status } = await this.domain.delete(id);
    expect(status).toBe(isThere ? 200 : 404);
    if (isThere) this.model.remove(id);
    await this.expectSerialMoved(isThere);
  }

  private async settle(verdict: Verdict, body: { id: string; type: string }, version: number): Promise<void> {
    if (typeof verdict === 'string') expect(body.type).toBe(verdict);
    else {
      expect(body).toMatchObject(verdict.record);
      this.model.put({ ...verdict.record, id: body.id, version });
    }
    await this.expectSerialMoved(typeof verdict !== 'string' && verdict.isServedAnew);
  }

  private async expectSerialMoved(isExpected: boolean): Promise<void> {
    const { serial } = await this.domain.now();
    expect(serial > this.serial).toBe(isExpected);
    this.serial = serial;
  }

  private placed<T extends Partial<ModelRecord>>(fields: T): T {
    return fields.name === undefined ? fields : { ...fields, name: fields.name.replace('@', this.domain.name) };
  }

  /** One of the records, or now and then none. */
  private idAt(at: number): string {
    const { records } = this.model;
    return records[at % (records.length + 1)]?.id ?? NOWHERE;
  }
}

describe('the service and a model of its rules', () => {
  it('4 to 6 agree about any sequence of creates, updates and deletes', async () => {
    await holdsFor(
      fc.array(anyStep, { minLength: 40, maxLength: 80 }),
      async (steps) => {
        const both = await SideBySide.start();
        for (const [at, step] of steps.entries()) {
          await both.take(step);
          if (at % 10 === 9) await both.compare();
        }
        await both.compare();
      },
      { numRuns: times(4, 8) },
    );
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
