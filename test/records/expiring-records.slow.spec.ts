import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { formatInstant } from '../../src/common/clock.js';
import { answerOf, bodyOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit, contentsOf } from '../support/audit.js';
import type { DiffBody, RecordBody } from '../support/bodies.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { type JournalEntry, journalOf } from '../support/journal.js';
import { RecordSets } from '../support/record-sets.js';
import { type Settings, startTestService, type TestService } from '../support/service.js';
import { startTokenService } from '../support/token-service.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { until } from '../support/until.js';
import { holdsFor, times } from '../support/length.js';

const EXPIRING: Settings = { SERVICE_API__EXPIRING_RECORDS: 'True' };
const SECOND = 1_000_000;

let clock: SteppedClock;
let service: AssembledService;
let domain: TestDomain;
beforeAll(async () => {
  clock = new SteppedClock();
  service = await assembleTestService({ clock, settings: EXPIRING });
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

/** The displayed time `seconds` from now. */
const inSeconds = (seconds: number): string => formatInstant(clock.instant + seconds * SECOND);
const pass = (seconds: number): void => void (clock.instant += seconds * SECOND);
const serialOf = async (zone: TestDomain): Promise<number> => (await zone.now()).serial;
const namesIn = async (zone: TestDomain): Promise<string[]> => (await zone.records()).map(({ name }) => name).sort();
const untilLeft = (zone: TestDomain, count: number): Promise<void> =>
  until(async () => (await zone.records()).length === count, 10_000);
const deletionsIn = (zone: TestDomain): JournalEntry[] =>
  journalOf(service.databaseFile, zone.id).filter(({ action }) => action === 'record.delete');
const changes = (zone: TestDomain, ...entries: object[]) =>
  service.call('post', `/v1/domains/${zone.id}/changes`, { changes: entries });

describe('without the option', () => {
  let plain: TestService;
  beforeAll(async () => {
    plain = await startTestService();
  });
  afterAll(() => plain.stop());

  it('14.5, 4.1 expires_at is an unknown field with any value, and is not shown', async () => {
    const zone = await newDomain(plain);
    const record = await zone.newRecord();
    expect(record).not.toHaveProperty('expires_at');
    expect((await zone.records())[0]).not.toHaveProperty('expires_at');
    const unknown = [{ path: 'expires_at', validator: 'additionalProperties' }] as const;
    for (const expires_at of ['2100-01-01T00:00:00Z', null, 5, {}]) {
      const before = contentsOf(plain.databaseFile);
      const fields = { name: zone.at('a'), type: 'A', data: '192.0.2.1', expires_at };
      expectRefusal(await zone.create(fields), { status: 400, type: 'invalid_object', faults: unknown });
      const update = await zone.update(record.id, { expires_at });
      expectRefusal(update, { status: 400, type: 'invalid_object', faults: unknown });
      const entry = { action: 'create', record: fields };
      const set = plain.call('post', `/v1/domains/${zone.id}/changes`, { changes: [entry] });
      const { errors } = await refusalOf(set, 400, 'invalid_object');
      expect(errors).toMatchObject([{ path: 'changes[0].record.expires_at', validator: 'additionalProperties' }]);
      expect(contentsOf(plain.databaseFile)).toEqual(before);
    }
  });
});

describe('the time of a record', () => {
  it('14.5 is set, moved and cleared, and shown wherever the record is', async () => {
    const created = await domain.newRecord({ expires_at: '2027-01-31T01:00:00+01:00' });
    expect(created.expires_at).toBe('2027-01-31T00:00:00.000000');
    const before = await serialOf(domain);
    const moved = await bodyOf(domain.update(created.id, { expires_at: inSeconds(60) }));
    expect(moved).toEqual({ ...created, expires_at: inSeconds(60), updated_at: moved.updated_at });
    expect(await serialOf(domain)).toBeGreaterThan(before);
    expect(await bodyOf(domain.get(created.id))).toEqual(moved);
    expect(await domain.records()).toMatchObject([{ ...moved, version: 2 }]);
    expect((await bodyOf(domain.update(created.id, { ttl: 60 }))).expires_at).toBe(inSeconds(60));
    expect((await bodyOf(domain.update(created.id, { expires_at: null }))).expires_at).toBeNull();

    const path = `/v1/domains/${domain.id}`;
    const diff = (await bodyOf<DiffBody>(service.call('get', `${path}/diff?from=${domain.serial}`))).diff;
    expect(diff).toMatchObject([{ action: 'create', after: { id: created.id, expires_at: null } }]);
    const { history } = await bodyOf<{ history: { before: RecordBody | null; after: RecordBody | null }[] }>(
      service.call('get', `${path}/history`),
    );
    const times = history.map(({ before: was, after: is }) => [was?.expires_at, is?.expires_at]);
    expect(times.slice(0, 4)).toEqual([
      [inSeconds(60), null],
      [inSeconds(60), inSeconds(60)],
      [created.expires_at, inSeconds(60)],
      [undefined, created.expires_at],
    ]);
  });

  it('14.5, 10.1 is part of the entity tag', async () => {
    const { id } = await domain.newRecord();
    const { etag = '' } = (await answerOf(domain.get(id))).headers;
    const later = await answerOf(domain.update(id, { expires_at: inSeconds(9) }).set('If-Match', etag));
    expect(later.headers.etag).not.toBe(etag);
    expectRefusal(await domain.update(id, { expires_at: null }).set('If-Match', etag), {
      status: 412,
      type: 'precondition_failed',
    });
  });

  it.each([
    ['an invalid time', 'tomorrow', 'format'],
    ['a day without a time', '2027-01-31', 'format'],
    ['a nonexistent day', '2027-02-30T00:00:00Z', 'format'],
    ['a number', 1_800_000_000, 'format'],
    ['an object', { at: '2027-01-31T00:00:00Z' }, 'format'],
    ['a list', ['2027-01-31T00:00:00Z'], 'format'],
    ['a time too far in the future', '9999-01-01T00:00:00Z', 'maximum'],
    ['a time that is over', '2026-11-20T08:29:59.999999Z', 'minimum'],
  ] as const)('14.5 is not %s', async (_, expires_at, validator) => {
    const record = await domain.newRecord();
    const before = contentsOf(service.databaseFile);
    const faults = [{ path: 'expires_at', validator }];
    const fields = { name: domain.at('other'), type: 'A', data: '192.0.2.1', expires_at };
    expectRefusal(await domain.create(fields), { status: 400, type: 'invalid_object', faults });
    expectRefusal(await domain.update(record.id, { expires_at }), { status: 400, type: 'invalid_object', faults });
    const replace = {
      action: 'replace',
      name: domain.at('www'),
      type: 'A',
      records: [{ data: '192.0.2.3', expires_at }],
    };
    expectStatus(await changes(domain, replace), 400);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('14.5, 9.1 is set by the records of a replaced set, and kept where they omit it', async () => {
    await domain.newRecord({ expires_at: inSeconds(60) });
    const replace = (...records: object[]) =>
      changes(domain, { action: 'replace', name: domain.at('www'), type: 'A', records });
    const before = await serialOf(domain);
    await answerOf(replace({ data: '192.0.2.3', expires_at: inSeconds(60) }));
    expect(await serialOf(domain)).toBe(before);
    await answerOf(replace({ data: '192.0.2.3' }, { data: '192.0.2.4', expires_at: inSeconds(30) }));
    const times = async () => (await domain.records()).map(({ expires_at }) => expires_at);
    expect(await times()).toEqual([inSeconds(60), inSeconds(30)]);
    await answerOf(replace({ data: '192.0.2.3', expires_at: null }, { data: '192.0.2.4' }));
    expect(await times()).toEqual([null, inSeconds(30)]);
  });

  it('14.5, 13.2 stays with records that version 2 keeps in a set', async () => {
    await domain.newRecord({ expires_at: inSeconds(60) });
    const sets = new RecordSets(service, domain);
    const { recordsets } = await bodyOf<{ recordsets: { id: string; type: string }[] }>(
      service.call('get', `${sets.path}?type=A`),
    );
    const path = `${sets.path}/${recordsets[0]!.id}`;
    await answerOf(service.call('put', path, { records: ['192.0.2.4', '192.0.2.3'], ttl: 600 }), 202);
    const records = (await domain.records()).map(({ data, ttl, expires_at }) => [data, ttl, expires_at]);
    expect(records.sort()).toEqual([
      ['192.0.2.3', null, inSeconds(60)],
      ['192.0.2.4', 600, null],
    ]);
  });

  it('14.5, 15.4 is kept by imports, and missing in exports', async () => {
    await domain.newRecord({ expires_at: inSeconds(60) });
    const exported = await domain.export();
    expect(linesOfExport(exported)).toContain(`${domain.at('www')} 3600 A 192.0.2.3`);
    expect(await domain.import(exported, '?mode=replace')).toMatchObject({ unchanged: 1, updated: 0, removed: 0 });
    await domain.import('www 60 A 192.0.2.3\n');
    expect(await domain.records()).toMatchObject([{ ttl: 60, expires_at: inSeconds(60) }]);
    const many = Array.from({ length: 6000 }, (_, at) => `h${at} A 192.0.2.1\n`).join('');
    await domain.import(`www 90 A 192.0.2.3\n${many}`);
    expect((await domain.records())[0]).toMatchObject({ ttl: 90, expires_at: inSeconds(60) });
  });

  it('14.5, 14.2 needs a token that may delete the record', async () => {
    const holders = await startTokenService(EXPIRING);
    try {
      const owner = await holders.newToken();
      const zone = await newDomain(owner);
      const { id } = await zone.newRecord();
      const expires_at = '2100-01-01T00:00:00Z';
      const path = `/v1/domains/${zone.id}/records/${id}`;
      const limitedTo = (...actions: string[]) => holders.newToken({ restrictions: { actions } });
      const updater = await limitedTo('update');
      await refusalOf(updater.call('put', path, { expires_at }), 401, 'access_denied');
      await answerOf((await limitedTo('update', 'delete')).call('put', path, { expires_at }));
      await answerOf(updater.call('put', path, { ttl: 60 }));
      await answerOf(updater.call('put', path, { expires_at: null }));
      const fields = { name: zone.at('new'), type: 'A', data: '192.0.2.9', expires_at };
      await answerOf((await limitedTo('create')).call('post', `/v1/domains/${zone.id}/records`, fields));
    } finally {
      await holders.stop();
    }
  });
});

describe('a record whose time is over', () => {
  it('14.5 is removed by the service as any change would, once, and others stay', async () => {
    const [first, second] = [
      await domain.newRecord({ expires_at: inSeconds(10) }),
      await domain.newRecord({ name: domain.at('two'), expires_at: inSeconds(10) }),
    ];
    await domain.newRecord({ name: domain.at('later'), expires_at: inSeconds(60) });
    await domain.newRecord({ name: domain.at('stays') });
    const { id: moved } = await domain.newRecord({ name: domain.at('moved'), expires_at: inSeconds(10) });
    await answerOf(domain.update(moved, { expires_at: null }));
    const before = await serialOf(domain);
    pass(9.999999);
    expect(await namesIn(domain)).toHaveLength(5);
    pass(0.000001);
    await untilLeft(domain, 3);
    expect(await namesIn(domain)).toEqual(['later', 'moved', 'stays'].map((label) => domain.at(label)));
    expect(await serialOf(domain)).toBeGreaterThan(before);

    const deletions = deletionsIn(domain);
    expect(deletions.map(({ record_id }) => record_id).sort()).toEqual([first.id, second.id].sort());
    expect(new Set(deletions.map(({ change_id }) => change_id)).size).toBe(1);
    expect(deletions).toMatchObject(
      deletions.map(() => ({ tenant_id: 'admin', user_name: 'expiry', token_id: null, after: null })),
    );
    expect(deletions[0]?.request_id).toMatch(/^expiry-/);
    await refusalOf(domain.get(first.id), 404, 'record_not_found');
  });

  it('14.5, 8.3 makes room in the quotas', async () => {
    const limited = await assembleTestService({
      clock,
      settings: { ...EXPIRING, DEFAULT__QUOTA_ZONE_RECORDS: '1', SERVICE_API__CHANGES_PER_MINUTE: '4' },
    });
    try {
      const zone = await newDomain(limited.as('tenant-a'));
      await zone.newRecord({ expires_at: inSeconds(5) });
      const other = { name: zone.at('other'), type: 'A', data: '192.0.2.4' };
      await refusalOf(zone.create(other), 413, 'over_quota');
      pass(5);
      await untilLeft(zone, 0);
      await answerOf(zone.create(other));
      audit(limited.databaseFile);
    } finally {
      await limited.stop();
    }
  });

  it('14.5, 10.2 does not change the answer that a key has', async () => {
    const fields = { name: domain.at('once'), type: 'A', data: '192.0.2.1', expires_at: inSeconds(5) };
    const key = randomUUID();
    const ask = () => domain.create(fields).set('Idempotency-Key', key);
    const first = await answerOf(ask());
    pass(5);
    await untilLeft(domain, 0);
    const again = await answerOf(ask());
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await domain.records()).toEqual([]);
  });

  it('14.5, 11.3 does not return by a revert; other records keep their times', async () => {
    const brief = await domain.newRecord({ name: domain.at('brief'), expires_at: inSeconds(5) });
    const long = await domain.newRecord({ name: domain.at('long'), expires_at: inSeconds(500) });
    const extended = await domain.newRecord({ name: domain.at('extended'), expires_at: inSeconds(5) });
    const serial = await serialOf(domain);
    await answerOf(domain.update(extended.id, { expires_at: null, description: 'longer' }));
    await answerOf(domain.delete(long.id));
    pass(5);
    await untilLeft(domain, 1);
    const path = `/v1/domains/${domain.id}/revert`;
    const { changes: made } = await bodyOf<{ changes: { record: RecordBody }[] }>(
      service.call('post', path, { serial }),
    );
    expect(made.map(({ record }) => record.id).sort()).toEqual([long.id, extended.id].sort());
    const now = Object.fromEntries((await domain.records()).map((record) => [record.id, record]));
    expect(now[brief.id]).toBeUndefined();
    expect(now[long.id]).toMatchObject({ expires_at: long.expires_at });
    expect(now[extended.id]).toMatchObject({ expires_at: null, description: null });
    const again = await bodyOf<{ changes: unknown[] }>(service.call('post', path, { serial }));
    expect(again.changes).toEqual([]);
  });

  it('14.5 is removed in changes of at most 500', async () => {
    const lines = Array.from({ length: 1203 }, (_, at) => ({
      action: 'create',
      record: { name: domain.at(`h${at}`), type: 'A', data: '192.0.2.1', expires_at: inSeconds(5) },
    }));
    for (let at = 0; at < lines.length; at += 1000) await answerOf(changes(domain, ...lines.slice(at, at + 1000)));
    pass(5);
    await untilLeft(domain, 0);
    const ofChange = new Map<string, number>();
    for (const { change_id } of deletionsIn(domain)) ofChange.set(change_id, (ofChange.get(change_id) ?? 0) + 1);
    const sizes = [...ofChange.values()];
    expect(sizes.reduce((sum, size) => sum + size)).toBe(lines.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(sizes.length).toBeLessThanOrEqual(4);
  });
});

describe('the end of records', () => {
  const record = fc.record({
    label: fc.constantFrom('a', 'b', 'c.a', '*'),
    content: fc.constantFrom(
      { type: 'A', data: '192.0.2.1' },
      { type: 'A', data: '192.0.2.2' },
      { type: 'TXT', data: '"text"' },
      { type: 'MX', data: 'mail.example.net.', priority: 10 },
      { type: 'NS', data: 'ns.example.net.' },
    ),
    ttl: fc.constantFrom(null, 60, 600),
    ends: fc.boolean(),
  });
  const zones = fc.array(fc.array(record, { minLength: 1, maxLength: 8 }), { minLength: 10, maxLength: 10 });

  it('14.5 leaves the result of a deletion, for any records', async () => {
    await holdsFor(
      zones,
      async (cases) => {
        const pairs: [expired: TestDomain, deleted: TestDomain, left: number][] = [];
        for (const records of cases) {
          const [expired, deleted] = [await newDomain(service), await newDomain(service)];
          const ending: object[] = [];
          let left = 0;
          for (const { label, content, ttl, ends } of records) {
            const fields = (zone: TestDomain) => ({ ...content, name: zone.at(label), ttl });
            const expires_at = ends ? inSeconds(30) : null;
            const made = await expired.create({ ...fields(expired), expires_at });
            const same = await deleted.create(fields(deleted));
            expect(same.status).toBe(made.status);
            if (made.status !== 200) continue;
            if (ends) ending.push({ action: 'delete', id: (same.body as RecordBody).id });
            else left += 1;
          }
          if (ending.length > 0) await answerOf(changes(deleted, ...ending));
          pairs.push([expired, deleted, left]);
        }
        pass(30);
        for (const [expired, , left] of pairs) await untilLeft(expired, left);
        for (const [expired, deleted] of pairs) {
          const shown = async (zone: TestDomain) => ({
            lines: linesOfExport(await zone.export())
              .map((line) => line.replaceAll(zone.name, '@'))
              .slice(1),
            actions: journalOf(service.databaseFile, zone.id).map(({ action }) => action),
            changes: new Set(journalOf(service.databaseFile, zone.id).map(({ change_id }) => change_id)).size,
          });
          expect(await shown(expired)).toEqual(await shown(deleted));
        }
        audit(service.databaseFile);
      },
      { numRuns: times(1, 4) },
    );
  });
});
