import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Scheduler } from '../../src/background/scheduler.js';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { DomainName } from '../../src/dns/name.js';
import { KeyVault } from '../../src/dnssec/keys/key-vault.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { SignedZones } from '../../src/publishing/transfers/signed-zones.js';
import { ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { PublicationRepository } from '../../src/publishing/pool/publication.repository.js';
import { SerialRecovery } from '../../src/publishing/pool/serial-recovery.js';
import { SerialRaisingService } from '../../src/zones/serials/serial-raising.service.js';
import { administrator } from '../../src/common/caller.js';
import { recordsOf } from '../publishing/read-copy.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { newPrivateKeyOf } from '../support/signed-model.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { storeRows } from '../support/store-rows.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const PRESENT = new AbortController().signal;
const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

const clock = new SteppedClock();
let service: AssembledService;
let logged: jest.SpiedFunction<Logger['error']>;
const WARNED: string[] = [];

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void WARNED.push(String(message)));
  // Other programs judge by their own clock.
  clock.instant = Date.now() * 1000 - HOUR;
  service = await assembleSigningService({ SERVICE_CENTRAL__SOA_MINIMUM: '1' }, clock);
});
afterAll(async () => {
  // Said some seconds later, it would be in the log of other tests.
  if (WARNED.some((line) => line.startsWith('Signing is delayed')))
    await until(() => WARNED.includes('Zones are signed again.'));
  await service.stop();
});
beforeEach(() => {
  logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  logged.mockRestore();
});

interface Shown {
  readonly state: string;
  readonly waits_for: string | null;
  readonly published_serial: number | null;
  readonly keys: readonly { readonly tag: number }[];
  readonly rollover: { readonly step: string } | null;
}

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;
const shown = (zone: TestDomain): Promise<Shown> => bodyOf<Shown>(service.call('get', pathOf(zone)));

async function passTime(seconds: number): Promise<void> {
  clock.instant += seconds * SECOND;
  await service.get(Scheduler).runNow('dnssec.due');
}

const signed = ({ id }: TestDomain): Promise<void> => service.get(SigningJobs).run(id, PRESENT);

async function enabledDomain(wish: object = {}): Promise<TestDomain> {
  const zone = await newDomain(service, freshName(), { ttl: 1 });
  await zone.import('www A 192.0.2.1\n*.wild TXT x\ndeep.er A 192.0.2.2\n');
  await bodyOf(service.call('put', pathOf(zone), { enabled: true, ...wish }));
  await signed(zone);
  return zone;
}

async function readyDomain(wish: object = {}): Promise<TestDomain> {
  const zone = await enabledDomain(wish);
  await until(async () => {
    await passTime(2);
    return (await shown(zone)).state === 'ready';
  });
  await signed(zone);
  return zone;
}

async function transferred(zone: TestDomain): Promise<string> {
  // Injection tokens are abstract classes.
  const source: ZoneSource = service.get(ZoneSource as never);
  const found = await source.find(DomainName.parse(zone.name));
  const copy = await source.axfr(found!, PRESENT);
  return genericText((await recordsOf(copy, zone.name)).slice(0, -1));
}

interface StoredKey {
  readonly id: string;
  readonly sealed: string;
}

/** The latest key of the zone gets another private part. */
function exchangeKey(zone: TestDomain, exchange: (key: StoredKey) => string): void {
  const [key] = lookInto(service.databaseFile, ({ rows }) =>
    rows<StoredKey>('SELECT id, sealed FROM zone_keys WHERE zone_id = ? ORDER BY created_at DESC, id DESC', zone.id),
  );
  storeRows(service.databaseFile, {}, `UPDATE zone_keys SET sealed = '${exchange(key!)}' WHERE id = '${key!.id}'`);
}

async function figure(name: string, labels: Record<string, string> = {}): Promise<number> {
  return sumOf(samplesIn((await service.call('get', '/metrics')).text), name, labels);
}

describe('a key that does not belong to the published one', () => {
  itWithJudges(
    '23.6: signs nothing that is published: the domain is halted and stays as it was, and changes are accepted',
    async () => {
      const zone = await readyDomain({ single_key: false });
      await bodyOf(service.call('post', `${pathOf(zone)}/rollovers`, { key: 'zsk' }));
      await signed(zone);
      const { privateKey } = await newPrivateKeyOf(13);
      exchangeKey(zone, ({ id }) => service.get(KeyVault).seal(privateKey, { id, zoneId: zone.id }).sealed);
      const before = await transferred(zone);
      const halts = await figure('zonewright_dnssec_halts_total');
      await until(async () => {
        await passTime(2);
        await signed(zone);
        return (await shown(zone)).state === 'halted';
      });
      const { waits_for: waitsFor, rollover } = await shown(zone);
      expect(rollover).toMatchObject({ step: 'swap' });
      expect(waitsFor).toMatch(/^an operator must act: the signature of .* is wrong$/);
      expect(logged.mock.calls.flat()).toContainEqual(expect.stringContaining(`Zone ${zone.id}: signing halted`));
      await zone.newRecord({ name: zone.at('after') });
      await signed(zone);
      expect(await transferred(zone)).toBe(before);
      expect(await faultsOf(zone.name, before)).toEqual([]);
      await service.get(Scheduler).runNow('dnssec.figures');
      expect(await figure('zonewright_dnssec_zones', { state: 'halted' })).toBeGreaterThan(0);
      expect(await figure('zonewright_dnssec_halts_total')).toBe(halts + 1);
      // Nor is anything else published that the key has signed.
      await bodyOf(service.call('post', `${pathOf(zone)}/resign`));
      await signed(zone);
      expect(await shown(zone)).toMatchObject({ state: 'halted' });
      expect(await transferred(zone)).toBe(before);
    },
  );

  it('23.7: a key that differs from the stored one also halts the domain', async () => {
    const zone = await readyDomain({ single_key: false });
    await bodyOf(service.call('post', `${pathOf(zone)}/rollovers`, { key: 'zsk' }));
    await signed(zone);
    exchangeKey(zone, ({ sealed }) => {
      const octets = Buffer.from(sealed, 'base64');
      octets[40] = (octets[40] ?? 0) ^ 1;
      return octets.toString('base64');
    });
    await until(async () => {
      await passTime(2);
      await signed(zone);
      return (await shown(zone)).state === 'halted';
    });
    expect((await shown(zone)).waits_for).toContain('is damaged');
  });
});

it('23.8: a fault found before a domain is ready halts it, and no DS is requested', async () => {
  const zone = await enabledDomain();
  const of = `WHERE zone_id = '${zone.id}'`;
  storeRows(
    service.databaseFile,
    {},
    `UPDATE signed_sets SET signatures = (SELECT signatures FROM signed_sets ${of} AND type = 2) ${of} AND type = 16`,
  );
  await until(async () => {
    await passTime(2);
    return (await shown(zone)).state === 'halted';
  });
  expect((await shown(zone)).waits_for).toContain(`*.wild.${zone.name} TXT has a signature`);
  await bodyOf(service.call('post', `${pathOf(zone)}/resign`));
  await until(async () => {
    await passTime(2);
    return (await shown(zone)).state === 'ready';
  });
});

describe('a clock that was set', () => {
  it('23.6: a clock in the past stops signing until corrected, and leaves nothing for the operator to do', async () => {
    const zone = await readyDomain();
    const before = await transferred(zone);
    const refused = await figure('zonewright_dnssec_failed_runs_total', { reason: 'clock' });
    clock.instant -= 2 * HOUR;
    await zone.newRecord({ name: zone.at('early') });
    await expect(signed(zone)).rejects.toThrow(/The clock of this machine is behind/);
    expect(await transferred(zone)).toBe(before);
    expect(await shown(zone)).toMatchObject({ state: 'ready' });
    expect(await figure('zonewright_dnssec_failed_runs_total', { reason: 'clock' })).toBeGreaterThan(refused);
    clock.instant += 2 * HOUR;
    await signed(zone);
    expect(await transferred(zone)).toContain(`${zone.at('early')} `);
    expect(await shown(zone)).toMatchObject({ state: 'ready' });
  });

  it('23.6: ahead of that of the database signs nothing either', async () => {
    const zone = await readyDomain();
    const before = await transferred(zone);
    setAhead(2 * HOUR);
    await zone.newRecord({ name: zone.at('late') });
    await expect(signed(zone)).rejects.toThrow(/The clocks differ/);
    expect(await transferred(zone)).toBe(before);
    setAhead(0);
    await signed(zone);
    expect(await transferred(zone)).toContain(`${zone.at('late')} `);
  });

  for (const { set, by } of [
    { set: 'ahead', by: 48 * HOUR },
    { set: 'back', by: -2 * HOUR },
  ])
    itWithJudges(
      `23.6, 23.9: ${set} advances no rollover and no domain, and delays statements about the parent`,
      async () => {
        const [rolled, left] = [await readyDomain(), await readyDomain()];
        const say = (zone: TestDomain, ds: string) => service.call('post', `${pathOf(zone)}/parent`, { ds, ttl: 3600 });
        await bodyOf(service.call('put', pathOf(left), { enabled: false }));
        await bodyOf(say(left, 'removed'));
        await bodyOf(service.call('post', `${pathOf(rolled)}/rollovers`, { key: 'csk' }));
        await until(async () => {
          await signed(rolled);
          await passTime(2);
          return (await shown(rolled)).rollover?.step === 'swap';
        });
        await bodyOf(say(rolled, 'published'));
        const states = async (): Promise<unknown> => [(await shown(rolled)).rollover, (await shown(left)).state];
        const before = await states();

        setAhead(by);
        for (let look = 0; look < 5; look += 1) await passTime(2);
        expect(await states()).toEqual(before);
        await refusalOf(say(rolled, 'published'), 503, 'unavailable');

        setAhead(0);
        await passTime(3500);
        expect(await states()).toEqual(before);
        await passTime(100);
        await until(async () => {
          await passTime(2);
          await signed(rolled);
          return (await shown(rolled)).rollover === null && (await shown(left)).state === 'insecure';
        });
        expect(await faultsOf(rolled.name, await transferred(rolled))).toEqual([]);
      },
    );

  itWithJudges('23.6: after a clock in the future is corrected, a request re-signs everything', async () => {
    const zone = await readyDomain();
    clock.instant += 30 * 24 * HOUR;
    await zone.newRecord({ name: zone.at('future') });
    await signed(zone);
    clock.instant -= 30 * 24 * HOUR;
    await expect(signed(zone)).rejects.toThrow(/The clock of this machine is behind/);
    expect(await faultsOf(zone.name, await transferred(zone))).not.toEqual([]);
    await bodyOf(service.call('post', `${pathOf(zone)}/resign`));
    await signed(zone);
    expect(await faultsOf(zone.name, await transferred(zone))).toEqual([]);
  });

  it('23.6: forward beyond the signature lifetime re-signs everything', async () => {
    const zone = await readyDomain();
    const { published_serial: before } = await shown(zone);
    clock.instant += 40 * 24 * HOUR;
    await signed(zone);
    expect((await shown(zone)).published_serial).toBeGreaterThan(before ?? 0);
    const times = [...(await signedExport(zone)).matchAll(/RRSIG\t\S+ \d+ \d+ \d+ (\d{14}) (\d{14})/g)];
    const now = new Date(clock.instant / 1000).toISOString().slice(0, 19).replace(/\D/g, '');
    expect(times.length).toBeGreaterThan(5);
    expect(times.filter(([, end = '', begin = '']) => end < now || begin > now)).toEqual([]);
    clock.instant -= 40 * 24 * HOUR;
    await bodyOf(service.call('post', `${pathOf(zone)}/resign`));
    await signed(zone);
  });
});

/** The clock of this machine is set; that of the database stays right. */
function setAhead(by: number): void {
  clock.instant += by - service.databaseClock.lag;
  service.databaseClock.lag = by;
}

async function signedExport({ id }: TestDomain): Promise<string> {
  return (await service.call('get', `/v1/domains/${id}/export?signed=true`)).text;
}

itWithJudges('12.4, 23.4: a set that cannot be read is left out of the domain and of the chain', async () => {
  const zone = await readyDomain({ denial: 'nsec3' });
  const { id } = await zone.newRecord({ name: zone.at('broken') });
  await signed(zone);
  storeRows(service.databaseFile, {}, `UPDATE records SET rdata = 'c0' WHERE id = '${id}'`);
  await zone.newRecord({ name: zone.at('next'), type: 'TXT', data: '"x"' });
  await bodyOf(service.call('post', `${pathOf(zone)}/resign`));
  await signed(zone);
  const text = await transferred(zone);
  expect(text).not.toContain(zone.at('broken'));
  expect(await faultsOf(zone.name, text)).toEqual([]);
});

itWithJudges('12.3, 23.5: a serial that jumps is signed', async () => {
  const zone = await readyDomain();
  const { serial } = await zone.now();
  await service
    .get(SerialRaisingService)
    .raiseAbove(zone.id, (serial + 2 ** 30) % 2 ** 32, administrator('test', 'test'));
  await signed(zone);
  const raised = (await zone.now()).serial;
  expect((raised - serial) >>> 0).toBeGreaterThan(2 ** 30 - 1);
  const text = await transferred(zone);
  expect(await faultsOf(zone.name, text)).toEqual([]);
  expect(text.split('\n')[0]).toContain(`TYPE${Type.SOA} `);
});

it('12.3, 23.5: a name server that is ahead of a domain with a DS halts it, as after a restore, and raises no serial', async () => {
  const leaders = new SerialRecovery(
    service.get(PublicationRepository),
    service.get(SerialRaisingService),
    service.get<SignedZones>(SignedZones as never),
  );
  const [zone, unproven] = [await readyDomain(), await enabledDomain()];
  const before = await transferred(zone);
  const lead = async (domain: TestDomain): Promise<readonly number[]> => {
    const { serial } = await domain.now();
    leaders.note({ zoneId: domain.id, serial: serial + 1_000_000, server: '192.0.2.53:53' });
    await leaders.raiseNext();
    return [serial, (await domain.now()).serial];
  };
  const [was, is] = await lead(zone);
  expect(is).toBe(was);
  expect(await shown(zone)).toMatchObject({
    state: 'halted',
    waits_for: expect.stringContaining('name server 192.0.2.53:53 has serial'),
  });
  expect(await transferred(zone)).toBe(before);
  const [low = 0, high] = await lead(unproven);
  expect(high).toBeGreaterThan(low + 1_000_000);
  await service.get(SerialRaisingService).raiseAbove(zone.id, was! + 1_000_000, administrator('test', 'test'));
  await bodyOf(service.call('post', `${pathOf(zone)}/resign`));
  await signed(zone);
  expect(await shown(zone)).toMatchObject({ state: 'ready' });
});
