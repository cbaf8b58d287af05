import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operatorFor } from '../../src/cli/operator.js';
import { ServiceError } from '../../src/common/service-error.js';
import { readRecordContent } from '../../src/records/record-content.js';
import { RecordChanges } from '../../src/records/changes/record-changes.js';
import type { RecordOperation } from '../../src/records/changes/record-operation.js';
import type { ChangeHook } from '../../src/zones/changes/change-hook.js';
import { type AssembledService, assembleTestService } from '../support/assembled-service.js';
import { audit, contentsOf } from '../support/audit.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { ALL_TYPES } from '../support/master-file.js';
import { holdsFor, times } from '../support/length.js';

let service: AssembledService;
let changes: RecordChanges;
let zone: TestDomain;

beforeAll(async () => {
  service = await assembleTestService({});
  changes = service.get(RecordChanges);
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const CALLER = operatorFor('tenant-a');

/** `label type data`, with a priority first in the data of MX. */
function contentOf(label: string, type: string, value: string, ttl: number | null = null) {
  const [priority, data] = type === 'MX' ? [Number(value.split(' ')[0]), value.split(' ')[1]!] : [null, value];
  const name = label === '@' ? zone.name : zone.at(label);
  return readRecordContent(ALL_TYPES, { name, type, data, priority, ttl });
}

const create = (label: string, type: string, value: string, ttl: number | null = null): RecordOperation => ({
  action: 'create',
  content: contentOf(label, type, value, ttl),
});
const apply = (...operations: RecordOperation[]) => changes.apply(zone.id, CALLER, operations);
const stored = async (): Promise<string[]> =>
  (await zone.records()).map(({ name, type, priority, data }) => [name, type, priority, data].join(' ')).sort();
const recordAt = async (label: string): Promise<RecordBody> =>
  (await zone.records()).find(({ name }) => name === zone.at(label))!;

describe('a list of operations', () => {
  it('is one change: one serial, a journal row for each record, answers in the order sent', async () => {
    await apply(create('a', 'A', '192.0.2.1'), create('a', 'A', '192.0.2.2', 60));
    const { id } = await recordAt('a');
    const done = await apply(
      create('b', 'A', '192.0.2.1'),
      { action: 'update', id, fields: { ttl: 300 } },
      { action: 'replace', ownerKey: contentOf('c', 'A', '192.0.2.1').ownerKey, type: 'A', contents: [] },
    );
    expect(done.operations).toMatchObject([
      { action: 'create', record: { name: zone.at('b') } },
      { action: 'update', record: { id, ttl: 300 } },
      { action: 'replace', records: [] },
    ]);
    expect((await zone.now()).serial).toBe(done.serial);
    const rows = journalOf(service.databaseFile, zone.id).slice(-2);
    expect(rows).toMatchObject([
      { action: 'record.create', serial: done.serial },
      { action: 'record.update', serial: done.serial },
    ]);
  });

  it('swaps the values of two records, and of three in a ring', async () => {
    await apply(...['a', 'b', 'c'].map((label, at) => create(label, 'A', `192.0.2.${String(at)}`)));
    const [a, b, c] = [await recordAt('a'), await recordAt('b'), await recordAt('c')];
    const rename = ({ id }: RecordBody, { name, data }: RecordBody): RecordOperation => ({
      ...{ action: 'update', id, fields: { name, data } },
    });
    await apply(rename(a, b), rename(b, c), rename(c, a));
    expect([await recordAt('a'), await recordAt('b'), await recordAt('c')].map(({ id }) => id)).toEqual([
      c.id,
      a.id,
      b.id,
    ]);
  });

  it('removes a record and makes its like anew', async () => {
    await apply(create('a', 'A', '192.0.2.1'));
    const { id } = await recordAt('a');
    await apply(create('a', 'A', '192.0.2.1'), { action: 'delete', id });
    expect((await recordAt('a')).id).not.toBe(id);
  });

  it('puts a DNAME where names were that go', async () => {
    await apply(create('x.sub', 'A', '192.0.2.1'), create('y.sub', 'A', '192.0.2.1'));
    const [x, y] = [await recordAt('x.sub'), await recordAt('y.sub')];
    const dname = create('sub', 'DNAME', 'example.net.');
    await expect(apply(dname, { action: 'delete', id: x.id })).rejects.toMatchObject({ code: 'invalid_location' });
    await apply(dname, { action: 'delete', id: x.id }, { action: 'delete', id: y.id });
    expect(await stored()).toEqual([`sub.${zone.name} DNAME  example.net.`]);
  });

  it('the set keeps the smallest ttl of the remaining records', async () => {
    await apply(...[60, 60, 300].map((ttl, at) => create('a', 'A', `192.0.2.${String(at)}`, ttl)));
    const [first, second] = await zone.records();
    await apply({ action: 'delete', id: first!.id });
    await apply({ action: 'update', id: second!.id, fields: { ttl: null } });
  });

  it('a dry run answers and stores nothing; a list without difference moves no serial', async () => {
    await apply(create('a', 'A', '192.0.2.1'));
    const before = contentsOf(service.databaseFile);
    const tried = await changes.apply(zone.id, CALLER, [create('b', 'A', '192.0.2.1')], { isDryRun: true });
    expect(tried.operations).toMatchObject([{ record: { name: zone.at('b') } }]);
    const { ownerKey, ...content } = contentOf('a', 'A', '192.0.2.1');
    const same = { action: 'replace', ownerKey, type: 'A', contents: [{ ownerKey, ...content }] } as const;
    expect((await apply(same)).serial).toBe((await zone.now()).serial);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('is refused with each faulty operation, and nothing is stored', async () => {
    await apply(create('a', 'CNAME', 'example.net.'));
    const before = contentsOf(service.databaseFile);
    const list = [create('a', 'A', '192.0.2.1'), create('b', 'A', '192.0.2.1'), create('@', 'CNAME', 'example.net.')];
    await expect(apply(...list)).rejects.toMatchObject({ faults: [{ index: 0 }, { index: 2 }] });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });
});

describe('changes that arrive together', () => {
  it('see each other, and a refused one affects no other', async () => {
    const answers = await Promise.allSettled([
      apply(create('a', 'A', '192.0.2.1')),
      apply(create('a', 'A', '192.0.2.1')),
      apply(create('a', 'CNAME', 'example.net.')),
      apply(create('b', 'A', '192.0.2.1')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual([`a.${zone.name} A  192.0.2.1`, `b.${zone.name} A  192.0.2.1`]);
  });

  it('may all be of one record', async () => {
    await apply(create('a', 'TXT', 'one'));
    const { id } = await recordAt('a');
    const answers = await Promise.allSettled([
      apply({ action: 'update', id, fields: { name: zone.at('b') } }),
      apply({ action: 'update', id, fields: { data: 'two' } }),
      apply({ action: 'delete', id }),
      apply({ action: 'update', id, fields: { data: 'three' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(await zone.records()).toEqual([]);
  });

  it('run alone when one of them fails', async () => {
    const broken: ChangeHook<unknown> = { write: () => Promise.reject(new Error('broken')) };
    const answers = await Promise.allSettled([
      apply(create('a', 'A', '192.0.2.1')),
      changes.apply(zone.id, CALLER, [create('b', 'A', '192.0.2.1')], { hook: broken }),
      apply(create('c', 'A', '192.0.2.1')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual([`a.${zone.name} A  192.0.2.1`, `c.${zone.name} A  192.0.2.1`]);
  });

  it('each see the zone after earlier changes', async () => {
    const { serial } = await zone.now();
    const isFirst: ChangeHook<unknown> = {
      admit: (before) => {
        if (before.serial !== serial) throw new ServiceError('change_not_allowed', 'another serial');
      },
    };
    const answers = await Promise.allSettled(
      ['a', 'b', 'c'].map((label) =>
        changes.apply(zone.id, CALLER, [create(label, 'A', '192.0.2.1')], { hook: isFirst }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});

/** Conflicting records, and concurrent operation lists on them. */
const LABELS = ['@', 'a', 'b', 'x.a'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  CNAME: ['a.example.net.', 'b.example.net.'],
  MX: ['0 .', '10 m.example.net.', '20 m.example.net.'],
  DNAME: ['a.example.net.'],
};
const anyValue = fc
  .constantFrom('A', 'A', 'CNAME', 'MX', 'DNAME')
  .chain((type) => fc.tuple(fc.constant(type), fc.constantFrom(...VALUES[type]!)));
const anyTtl = fc.constantFrom(null, 60, 300);
const anyOperation = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'update', 'delete', 'replace'),
  label: fc.constantFrom(...LABELS),
  value: anyValue,
  ttl: anyTtl,
  at: fc.nat(),
});

it('any lists, some concurrent, keep all data consistent', async () => {
  await holdsFor(
    fc.array(fc.array(fc.array(anyOperation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }), {
      minLength: 5,
      maxLength: 10,
    }),
    async (rounds) => {
      zone = await newDomain(service);
      for (const lists of rounds) {
        const ids = (await zone.records()).map(({ id }) => id);
        const answers = await Promise.allSettled(
          lists.map((list) =>
            apply(
              ...list.map(({ kind, label, value: [type, value], ttl, at }): RecordOperation => {
                const id = ids[at % Math.max(1, ids.length)] ?? 'none';
                if (kind === 'update')
                  return { action: 'update', id, fields: { name: contentOf(label, type, value).name, ttl } };
                if (kind === 'delete') return { action: 'delete', id };
                const content = contentOf(label, type, value, ttl);
                if (kind === 'create') return { action: 'create', content };
                return {
                  action: 'replace',
                  ownerKey: content.ownerKey,
                  type,
                  contents: at % 3 === 0 ? [] : [content],
                };
              }),
            ),
          ),
        );
        for (const answer of answers)
          if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(ServiceError);
      }
      audit(service.databaseFile);
    },
    { numRuns: times(10, 30) },
  );
});
