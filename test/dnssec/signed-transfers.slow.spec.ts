import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { Scheduler } from '../../src/background/scheduler.js';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { DomainName } from '../../src/dns/name.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { type Copy, type PublishedZone, ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { applyDifference, textOf } from '../publishing/apply-difference.js';
import { anyChange, type RandomChange, removeZone } from '../support/random-changes.js';
import { recordsOf } from '../publishing/read-copy.js';
import { answerOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { isNewDsAwaited } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { assembleSigningService } from '../support/signing-service.js';
import { storeRows } from '../support/store-rows.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

const PRESENT = new AbortController().signal;

let service: AssembledService;
let source: ZoneSource;

beforeAll(async () => {
  service = await assembleSigningService({ SERVICE_CENTRAL__SOA_MINIMUM: '1' });
  // Injection tokens are abstract classes.
  source = service.get(ZoneSource as never);
});
afterAll(() => service.stop());

interface State {
  readonly serial: number;
  readonly records: readonly ResourceRecord[];
}

async function published(zone: TestDomain): Promise<PublishedZone> {
  const found = await source.find(DomainName.parse(zone.name));
  if (found === null) throw new Error('unknown zone');
  return found;
}

async function look(zone: TestDomain): Promise<State> {
  const copy = await source.axfr(await published(zone), PRESENT);
  return { serial: copy.serial, records: (await recordsOf(copy, zone.name)).slice(0, -1) };
}

async function since(zone: TestDomain, serial: number): Promise<Copy | null> {
  return source.ixfr(await published(zone), serial, PRESENT);
}

async function signedDomain(denial: string, lines = ''): Promise<TestDomain> {
  const zone = await newDomain(service);
  if (lines !== '') await zone.import(lines);
  const { body } = await answerOf(service.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true, denial }));
  expect(body).toMatchObject({ enabled: true, state: 'signing', denial, algorithm: 'ECDSAP256SHA256' });
  await service.get(SigningJobs).run(zone.id, PRESENT);
  expect((await look(zone)).records.some(({ type }) => type === Type.DNSKEY)).toBe(true);
  return zone;
}

describe.each(['nsec', 'nsec3'])('%s', (denial) => {
  itWithJudges(
    '23.4, 23.6: full and incremental transfers are signed correctly',
    async () => {
      const counts = { exact: 0, whole: 0 };
      await holdsFor(
        fc.array(anyChange, { minLength: 10, maxLength: 30 }),
        async (changes) => {
          const zone = await signedDomain(
            denial,
            Array.from({ length: 12 }, (_, at) => `h${at} A 192.0.2.${at}\n`).join(''),
          );
          await follow(zone, changes, counts);
          await removeZone(service, zone);
        },
        { numRuns: times(3, 20), endOnFailure: true },
      );
      expect(counts.exact).toBeGreaterThan(counts.whole);
    },
    120_000,
  );
});

async function follow(
  zone: TestDomain,
  changes: readonly RandomChange[],
  counts: { exact: number; whole: number },
): Promise<void> {
  let states = [await look(zone)];
  for (const { ask, kind } of changes) {
    await ask(
      service,
      zone,
      states.map(({ serial }) => serial),
    );
    const state = await look(zone);
    const before = states.at(-1);
    if (state.serial === before?.serial) {
      expect(state.records.map(textOf)).toEqual(before.records.map(textOf));
      continue;
    }
    states = [...states, state].slice(-8);
    expect([kind, ...(await faultsOf(zone.name, genericText(state.records)))]).toEqual([kind]);
    if (before !== undefined) counts[(await since(zone, before.serial)) === null ? 'whole' : 'exact'] += 1;
    for (const earlier of states.slice(0, -1)) {
      const difference = await since(zone, earlier.serial);
      if (difference === null) continue;
      expect(difference.serial).toBe(state.serial);
      const leads = applyDifference(earlier.records, await recordsOf(difference, zone.name));
      expect(leads).toEqual(state.records.map(textOf).sort());
    }
  }
}

/** Runs due background work. */
async function passTime(): Promise<void> {
  await service.get(Scheduler).runNow('dnssec.due');
}

interface ShownDnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly keys: readonly { readonly tag: number }[];
  readonly rollover: { readonly id: string; readonly step: string } | null;
  readonly published_serial: number | null;
}

it('23.2, 23.3, 23.4: from the first signature to unsigned again, valid at each step', async () => {
  const zone = await newDomain(service, freshName(), { ttl: 1 });
  const path = `/v1/domains/${zone.id}/dnssec`;
  const ask = async (method: 'get' | 'put' | 'post', body?: object, at = path): Promise<ShownDnssec> =>
    (await answerOf(service.call(method, at, body))).body as ShownDnssec;
  const typesAtApex = async (): Promise<number[]> => {
    const { records } = await look(zone);
    return records.filter(({ owner }) => owner.equals(DomainName.parse(zone.name))).map(({ type }) => type);
  };
  expect(await ask('put', { enabled: true })).toMatchObject({ state: 'signing' });
  const early = await service.call('post', `${path}/parent`, { ds: 'published' });
  expect([early.status, early.body]).toEqual([409, expect.objectContaining({ type: 'dnssec_conflict' })]);
  await until(async () => {
    await passTime();
    return (await ask('get')).state === 'ready';
  });
  await service.get(SigningJobs).run(zone.id, PRESENT);
  expect(await typesAtApex()).toEqual(expect.arrayContaining([Type.CDS, Type.CDNSKEY]));
  const refused = await zone.create({ name: zone.name, type: 'CDS', data: '0 0 0 00' });
  expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ type: 'dnssec_conflict' })]);
  expect(await ask('post', { ds: 'published' }, `${path}/parent`)).toMatchObject({ state: 'secure', waits_for: null });
  const kept = await service.call('delete', `/v1/domains/${zone.id}`);
  expect([kept.status, kept.body]).toEqual([409, expect.objectContaining({ type: 'dnssec_conflict' })]);
  expect(await ask('put', { enabled: false })).toMatchObject({ enabled: true, state: 'leaving' });
  await service.get(SigningJobs).run(zone.id, PRESENT);
  const leaving = await look(zone);
  const cds = leaving.records.filter(({ type }) => type === Type.CDS).map(({ rdata }) => [...rdata]);
  expect(cds).toEqual([[0, 0, 0, 0, 0]]);
  expect((await ask('post', { ds: 'removed', ttl: 1 }, `${path}/parent`)).waits_for).toContain('caches');
  // A change re-signs the zone and keeps the pending waits.
  await answerOf(zone.create({ name: zone.at('late'), type: 'A', data: '192.0.2.9' }));
  await service.get(SigningJobs).run(zone.id, PRESENT);
  await until(async () => {
    await passTime();
    return (await ask('get')).state === 'insecure';
  });
  const after = await look(zone);
  expect(after.serial).toBeGreaterThan(leaving.serial);
  expect([...new Set(after.records.map(({ type }) => type))].sort()).toEqual([1, 2, 6]);
});

it('23.1: one request signs a domain, another one unsigns it', async () => {
  const zone = await signedDomain('nsec', 'www A 192.0.2.1\n');
  const path = `/v1/domains/${zone.id}/dnssec`;
  const { body } = await answerOf(service.call('get', path));
  expect(body).toMatchObject({ enabled: true, published_serial: (await look(zone)).serial });
  const keys = (body as { keys: { tag: number; dnskey: string }[]; ds: string[] }).keys;
  expect(keys).toHaveLength(1);
  expect((body as { ds: string[] }).ds.map((ds) => ds.split(' ').slice(0, 3).join(' '))).toEqual(
    [2, 4].map((digest) => `${keys[0]?.tag} 13 ${digest}`),
  );
  const before = await look(zone);
  await answerOf(service.call('put', path, { enabled: false }));
  const after = await look(zone);
  expect(after.serial).toBeGreaterThan(before.serial);
  expect(after.records.map(({ type }) => type).sort()).toEqual([1, 2, 6].sort());
});

describe.each([
  { key: 'csk', single: true },
  { key: 'ksk', single: false },
  { key: 'zsk', single: false },
])('a rollover of the $key', ({ key, single }) => {
  itWithJudges(
    '23.9: replaces one key by another, with valid signatures throughout',
    async () => {
      const zone = await newDomain(service, freshName(), { ttl: 1 });
      await zone.import('www A 192.0.2.1\n* TXT wild\nsub NS ns1.example.net.\n');
      const path = `/v1/domains/${zone.id}/dnssec`;
      const shown = async (): Promise<ShownDnssec> => (await answerOf(service.call('get', path))).body as ShownDnssec;
      await answerOf(service.call('put', path, { enabled: true, single_key: single }));
      await until(async () => {
        await passTime();
        return (await shown()).state === 'ready';
      });
      const before = (await shown()).keys.map(({ tag }) => tag);
      await answerOf(service.call('post', `${path}/rollovers`, { key }));
      const again = await service.call('post', `${path}/rollovers`, { key });
      expect([again.status, again.body]).toEqual([409, expect.objectContaining({ type: 'dnssec_conflict' })]);
      const [steps, serials] = [new Set<string>(), new Set<number>()];
      await until(async () => {
        const { rollover, waits_for } = await shown();
        if (rollover === null) return true;
        steps.add(rollover.step);
        if (isNewDsAwaited(waits_for))
          await answerOf(service.call('post', `${path}/parent`, { ds: 'published', ttl: 1 }));
        await passTime();
        const { serial, records } = await look(zone);
        if (!serials.has(serial))
          expect([rollover.step, ...(await faultsOf(zone.name, genericText(records)))]).toEqual([rollover.step]);
        serials.add(serial);
        return false;
      });
      expect([...steps]).toEqual(['publish', 'swap', 'remove']);
      const after = (await shown()).keys.map(({ tag }) => tag);
      expect(after).toHaveLength(before.length);
      expect(after.filter((tag) => !before.includes(tag))).toHaveLength(1);
      const { state } = await shown();
      expect(state).toBe(key === 'zsk' ? 'ready' : 'secure');
      expect(await service.get(SignedZoneCheck).faultsOf(zone.id, true)).toEqual([]);
    },
    120_000,
  );
});

it('23.9: a rollover can be stopped before the new key signs', async () => {
  const zone = await newDomain(service, freshName(), { ttl: 1 });
  const path = `/v1/domains/${zone.id}/dnssec`;
  await answerOf(service.call('put', path, { enabled: true }));
  const shown = async (): Promise<ShownDnssec> => (await answerOf(service.call('get', path))).body as ShownDnssec;
  await until(async () => {
    await passTime();
    return (await shown()).state === 'ready';
  });
  const before = await shown();
  const { body } = await answerOf(service.call('post', `${path}/rollovers`, { key: 'csk' }));
  const { rollover } = body as ShownDnssec;
  await answerOf(service.call('delete', `${path}/rollovers/${rollover?.id}`));
  expect(await shown()).toMatchObject({ rollover: null, keys: before.keys, ds: before.ds });
});

it('23.7: private keys are stored encrypted, and shown nowhere', async () => {
  const zone = await signedDomain('nsec');
  const { body } = await answerOf(service.call('get', `/v1/domains/${zone.id}/dnssec`));
  expect(JSON.stringify(body)).not.toMatch(/private|sealed/i);
  const [stored] = lookInto(service.databaseFile, ({ rows }) =>
    rows<{ sealed: string }>('SELECT sealed FROM zone_keys WHERE zone_id = ?', zone.id),
  );
  const octets = Buffer.from(stored?.sealed ?? '', 'base64');
  expect(octets.length).toBeGreaterThan(100);
  expect(() => createPrivateKey({ key: octets, format: 'der', type: 'pkcs8' })).toThrow();
});

it('23.8: a fault in the publication is found within a day and re-signed', async () => {
  const zone = await signedDomain('nsec', 'www A 192.0.2.1\n');
  const check = service.get(SignedZoneCheck);
  expect(await check.faultsOf(zone.id, true)).toEqual([]);
  const of = `WHERE zone_id = '${zone.id}'`;
  storeRows(
    service.databaseFile,
    {},
    `UPDATE signed_sets SET signatures = (SELECT signatures FROM signed_sets ${of} AND type = 2) ${of} AND type = 1`,
  );
  storeRows(service.databaseFile, {}, `UPDATE zone_signing SET checked_at = 0 ${of}`);
  expect(await check.faultsOf(zone.id, true)).toContainEqual(
    expect.stringContaining(`www.${zone.name} A has a signature`),
  );
  const before = await look(zone);
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  await service.get(Scheduler).runNow('dnssec.checks');
  expect(logged.mock.calls).toEqual([[expect.stringContaining(`www.${zone.name} A has a signature`)]]);
  logged.mockRestore();
  await service.get(SigningJobs).run(zone.id, PRESENT);
  expect(await check.faultsOf(zone.id, true)).toEqual([]);
  expect((await look(zone)).serial).toBeGreaterThan(before.serial);
});

it('23.7: a recreated domain has its earlier keys', async () => {
  const zone = await signedDomain('nsec');
  const keysOf = async ({ id }: TestDomain): Promise<readonly number[]> =>
    ((await answerOf(service.call('get', `/v1/domains/${id}/dnssec`))).body as ShownDnssec).keys.map(({ tag }) => tag);
  const tags = await keysOf(zone);
  await removeZone(service, zone);
  const again = await newDomain(service, zone.name);
  await answerOf(service.call('put', `/v1/domains/${again.id}/dnssec`, { enabled: true }));
  expect(await keysOf(again)).toEqual(tags);
});

it('23.2, 23.4: a domain is not ready, and asks for no DS, while caches may have it without signatures', async () => {
  const zone = await signedDomain('nsec3');
  await passTime();
  const { body } = await answerOf(service.call('get', `/v1/domains/${zone.id}/dnssec`));
  expect(body).toMatchObject({ state: 'proving', waits_for: expect.stringMatching(/name server|caches/) });
  expect((await look(zone)).records.filter(({ type }) => type === Type.CDS || type === Type.CDNSKEY)).toEqual([]);
});

it('23.1: rejects unsupported signing requests', async () => {
  const zone = await signedDomain('nsec');
  const path = `/v1/domains/${zone.id}/dnssec`;
  const refusalOf = async (body: object): Promise<unknown[]> => {
    const { status, body: refusal } = await service.call('put', path, body);
    return [status, (refusal as { type: string }).type];
  };
  expect(await refusalOf({ enabled: true, algorithm: 'ED25519' })).toEqual([409, 'dnssec_conflict']);
  expect(await refusalOf({ enabled: true, single_key: false })).toEqual([409, 'dnssec_conflict']);
  expect(await refusalOf({ enabled: true, algorithm: 'RSASHA1' })).toEqual([400, 'invalid_object']);
  expect(await refusalOf({ enabled: 'yes' })).toEqual([400, 'invalid_object']);
  expect(await refusalOf({})).toEqual([400, 'invalid_object']);
  const stranger = await service.as('tenant-z').call('get', path);
  expect(stranger.status).toBe(404);
});

it('23.3: a domain with a DS is deleted after confirmation', async () => {
  const zone = await signedDomain('nsec');
  const of = `WHERE zone_id = '${zone.id}'`;
  storeRows(service.databaseFile, {}, `UPDATE zone_signing SET state = 'secure' ${of}`);
  const path = `/v1/domains/${zone.id}`;
  expect((await service.call('delete', path)).status).toBe(409);
  expect((await service.call('delete', `${path}?force=true`)).status).toBe(200);
});

itWithJudges('23.1: NSEC is replaced by NSEC3 under one serial, and back', async () => {
  const zone = await signedDomain('nsec', 'www A 192.0.2.1\ndeep.er A 192.0.2.2\n');
  for (const denial of ['nsec3', 'nsec']) {
    const { serial } = await look(zone);
    await answerOf(service.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true, denial }));
    await service.get(SigningJobs).run(zone.id, PRESENT);
    const state = await look(zone);
    expect(state.serial).toBeGreaterThan(serial);
    const [kept, gone] = denial === 'nsec' ? [Type.NSEC, Type.NSEC3] : [Type.NSEC3, Type.NSEC];
    const types = new Set(state.records.map(({ type }) => type));
    expect([types.has(kept), types.has(gone)]).toEqual([true, false]);
    expect(await faultsOf(zone.name, genericText(state.records))).toEqual([]);
    await zone.newRecord({ name: zone.at(denial) });
    expect(await faultsOf(zone.name, genericText((await look(zone)).records))).toEqual([]);
  }
});

it('23.5, 23.8: new signatures have a serial of their own, and the next change is later than both', async () => {
  const zone = await signedDomain('nsec', 'www A 192.0.2.1\n');
  const { serial } = await zone.now();
  const before = await look(zone);
  await answerOf(service.call('post', `/v1/domains/${zone.id}/dnssec/resign`));
  await service.get(SigningJobs).run(zone.id, PRESENT);
  const renewed = await look(zone);
  expect(renewed.serial).toBeGreaterThan(before.serial);
  expect((await zone.now()).serial).toBe(serial);
  await zone.newRecord({ name: zone.at('next') });
  const changed = await zone.now();
  expect(changed.serial).toBeGreaterThan(renewed.serial);
  expect((await look(zone)).serial).toBe(changed.serial);
});
