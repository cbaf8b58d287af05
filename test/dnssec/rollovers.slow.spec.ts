import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import type { RecordBody } from '../support/bodies.js';
import { faultsOf, itWithJudges } from '../support/dnssec-judges.js';
import { isNewDsAwaited } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

// Machines that have other work take their time.
jest.setTimeout(240_000);

const PRESENT = new AbortController().signal;
const SECOND = 1_000_000;
/** TTLs of zone, longest record and DS, in seconds; the DNSKEY set has that of the zone. */
const TTL = { zone: 3600, longest: 7200, ds: 86_400 };
/** A step is looked at no later than that after its time, in seconds. */
const LATE = 150;

const clock = new SteppedClock();
let service: AssembledService;
beforeAll(async () => {
  // Other programs judge by their own clock.
  clock.instant = Date.now() * 1000 - 8 * DAY;
  service = await assembleSigningService({}, clock);
});
afterAll(() => service.stop());

interface Shown {
  readonly state: string;
  readonly algorithm: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly keys: readonly { readonly tag: number; readonly algorithm: string }[];
  readonly rollover: {
    readonly id: string;
    readonly key: string;
    readonly algorithm: string;
    readonly emergency: boolean;
    readonly step: string;
    readonly since: string;
  } | null;
}

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;
const shown = (zone: TestDomain): Promise<Shown> => bodyOf<Shown>(service.call('get', pathOf(zone)));
const roll = (zone: TestDomain, wish: object): Promise<Shown> =>
  bodyOf<Shown>(service.call('post', `${pathOf(zone)}/rollovers`, wish));

/** Advances the time and runs due background work. */
async function passTime(seconds: number): Promise<void> {
  clock.instant += seconds * SECOND;
  await service.get(Scheduler).runNow('dnssec.due');
}

/** Until this finishes, the check finds that the publication lags behind the keys. */
function signed({ id }: TestDomain): Promise<void> {
  return service.get(SigningJobs).run(id, PRESENT);
}

async function readyZone(wish: object): Promise<TestDomain> {
  const zone = await newDomain(service, freshName(), { ttl: TTL.zone });
  await zone.import(`www ${TTL.longest} A 192.0.2.1\n* TXT wild\nsub NS ns1.example.net.\n`);
  await answerOf(service.call('put', pathOf(zone), { enabled: true, ...wish }));
  await until(async () => {
    await passTime(LATE);
    return (await shown(zone)).state === 'ready';
  });
  return zone;
}

/** Published records as lines. */
async function publishedLines(zone: TestDomain): Promise<string[]> {
  const { text } = await answerOf(service.call('get', `/v1/domains/${zone.id}/export?signed=true`));
  return text.split('\n').filter((line) => line !== '');
}

/** The algorithms of keys and of signatures: where caches have a key of one, they must have signatures of it. */
class Caches {
  private readonly seen: { readonly at: number; readonly keys: Set<string>; readonly signatures: Set<string> }[] = [];

  look(lines: readonly string[]): void {
    const keys = lines.flatMap((line) => / IN DNSKEY \d+ 3 (\d+) /.exec(line.replace(/\s+/g, ' '))?.[1] ?? []);
    const bySet = new Map<string, Set<string>>();
    for (const line of lines) {
      const [, owner, type, algorithm] = /^(\S+) .*\bRRSIG (\S+) (\d+) /.exec(line.replace(/\s+/g, ' ')) ?? [];
      if (owner === undefined || type === undefined || algorithm === undefined || isOfKeys(type)) continue;
      const place = `${owner} ${type}`;
      bySet.set(place, (bySet.get(place) ?? new Set()).add(algorithm));
    }
    const [first = new Set<string>(), ...others] = bySet.values();
    const signatures = new Set([...first].filter((one) => others.every((set) => set.has(one))));
    this.seen.push({ at: clock.instant, keys: new Set(keys), signatures });
    const since = (seconds: number) => this.seen.filter(({ at }) => at > clock.instant - seconds * SECOND);
    for (const { keys: cached } of since(TTL.zone))
      for (const { signatures: made } of since(TTL.longest))
        expect([...cached].filter((algorithm) => !made.has(algorithm))).toEqual([]);
  }
}

const isOfKeys = (type: string): boolean => ['DNSKEY', 'CDS', 'CDNSKEY'].includes(type);

async function recordsWithTtl(zone: TestDomain): Promise<RecordBody[]> {
  const { body } = await answerOf(zone.list());
  return (body as { records: RecordBody[] }).records;
}

interface Walk {
  readonly steps: readonly string[];
  /** In seconds. */
  readonly lasted: Readonly<Record<string, number>>;
}

/** Continues until the rollover is finished, and confirms the DS when the rollover waits for it. */
async function walk(zone: TestDomain, { judged = [] as readonly string[] } = {}): Promise<Walk> {
  const caches = new Caches();
  const begun = new Map<string, number>();
  for (let judgedLast = ''; ;) {
    await signed(zone);
    const { rollover, waits_for: waitsFor } = await shown(zone);
    const lines = await publishedLines(zone);
    caches.look(lines);
    expect([rollover?.step, ...(await service.get(SignedZoneCheck).faultsOf(zone.id, true))]).toEqual([rollover?.step]);
    if (rollover === null) break;
    const { step } = rollover;
    if (!begun.has(step)) begun.set(step, instantOf(rollover.since));
    const end = /until (\S+)$/.exec(waitsFor ?? '')?.[1];
    if (isNewDsAwaited(waitsFor)) {
      await answerOf(service.call('post', `${pathOf(zone)}/parent`, { ds: 'published', ttl: TTL.ds }));
    } else if (end === undefined) {
      await passTime(1);
    } else {
      if (judged.includes(step) && judgedLast !== step)
        expect([step, ...(await faultsOf(zone.name, `${lines.join('\n')}\n`))]).toEqual([step]);
      judgedLast = step;
      await passTime((instantOf(end) - clock.instant) / SECOND - 1);
      expect((await shown(zone)).rollover?.step).toBe(step);
      caches.look(await publishedLines(zone));
      await passTime(2);
      await passTime(61);
    }
  }
  const starts = [...begun.values(), clock.instant];
  const lasted = [...begun.keys()].map((step, at) => [step, ((starts[at + 1] ?? 0) - (starts[at] ?? 0)) / SECOND]);
  return { steps: [...begun.keys()], lasted: Object.fromEntries(lasted) as Record<string, number> };
}

const instantOf = (text: string): number => Date.parse(`${text.slice(0, 23)}Z`) * 1000;

function expectAbout(lasted: number | undefined, seconds: number): void {
  expect(lasted).toBeGreaterThanOrEqual(seconds);
  expect(lasted).toBeLessThan(seconds + 2 * LATE);
}

describe.each([
  { from: 'RSASHA256', to: 'ECDSAP256SHA256', single: true },
  { from: 'ECDSAP256SHA256', to: 'ED25519', single: false },
])('a rollover from $from to $to', ({ from, to, single }) => {
  itWithJudges('23.9: wherever caches have a key of an algorithm, all that they have is signed with it', async () => {
    const zone = await readyZone({ algorithm: from, single_key: single });
    const before = await shown(zone);
    const { rollover } = await roll(zone, { key: 'algorithm', algorithm: to });
    expect(rollover).toMatchObject({ key: 'algorithm', algorithm: to, emergency: false, step: 'sign' });
    const { steps, lasted } = await walk(zone, { judged: ['publish', 'swap'] });
    expect(steps).toEqual(['sign', 'publish', 'swap', 'remove', 'unsign']);
    expectAbout(lasted.sign, TTL.longest);
    expectAbout(lasted.publish, TTL.zone);
    expectAbout(lasted.swap, TTL.ds);
    expectAbout(lasted.remove, TTL.zone);
    expectAbout(lasted.unsign, 0);
    const after = await shown(zone);
    expect(after).toMatchObject({ state: 'secure', algorithm: to, rollover: null });
    expect(after.keys.map(({ algorithm }) => algorithm)).toEqual(before.keys.map(() => to));
    const lines = await publishedLines(zone);
    expect(await faultsOf(zone.name, `${lines.join('\n')}\n`)).toEqual([]);
  });
});

describe('an emergency', () => {
  it('23.9: the old key does not wait for its cached signatures; the DS of the new key may be set immediately', async () => {
    const zone = await readyZone({});
    const [old] = (await shown(zone)).keys;
    const { ds, keys, rollover } = await roll(zone, { key: 'csk', emergency: true });
    expect(rollover).toMatchObject({ key: 'csk', emergency: true, step: 'publish' });
    expect(new Set(ds.map((text) => Number(text.split(' ')[0])))).toEqual(new Set(keys.map(({ tag }) => tag)));
    const { steps, lasted } = await walk(zone);
    expect(steps).toEqual(['publish', 'swap', 'remove']);
    expectAbout(lasted.publish, TTL.zone);
    expectAbout(lasted.swap, TTL.ds);
    const after = await shown(zone);
    expect(after.keys.map(({ tag }) => tag)).not.toContain(old?.tag);
    expect(after.ds).toHaveLength(2);
  });

  it('23.9: of a ZSK, it ends as soon as everything is signed anew', async () => {
    const zone = await readyZone({ single_key: false });
    await roll(zone, { key: 'zsk', emergency: true });
    const hurried = (await walk(zone)).lasted;
    expectAbout(hurried.swap, 0);
    await roll(zone, { key: 'zsk' });
    expectAbout((await walk(zone)).lasted.swap, TTL.longest);
  });
});

/** More sets than one transaction makes due. */
const MANY = Array.from({ length: 700 }, (_, at) => `n${at} A 192.0.2.1\n`).join('');

describe('a large zone', () => {
  const dueSets = ({ id }: TestDomain): number =>
    lookInto(service.databaseFile, ({ rows }) =>
      Number(
        rows<{ due: number }>('SELECT COUNT(*) AS due FROM signed_sets WHERE zone_id = ? AND due_at = 0', id)[0]?.due,
      ),
    );

  it('18.16, 23.9: of a ZSK, makes the sets due in several transactions, and leaves no old signature', async () => {
    const zone = await readyZone({ single_key: false });
    await zone.import(MANY);
    await signed(zone);
    await roll(zone, { key: 'zsk' });
    const portions: number[] = [];
    const watching = setInterval(() => portions.push(dueSets(zone)), 5);
    const { steps } = await walk(zone);
    clearInterval(watching);
    expect(steps).toEqual(['publish', 'swap', 'remove']);
    const [first = 0] = portions.filter((due) => due > 0);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(1000);
  });

  it('18.16, 23.9: an algorithm that is stopped before its keys are published leaves no signature', async () => {
    const zone = await readyZone({});
    await zone.import(MANY);
    await signed(zone);
    const { rollover } = await roll(zone, { key: 'algorithm', algorithm: 'ED25519' });
    await signed(zone);
    await passTime(1);
    await signed(zone);
    expect((await publishedLines(zone)).some((line) => isByEd25519(line))).toBe(true);
    await answerOf(service.call('delete', `${pathOf(zone)}/rollovers/${rollover?.id}`));
    await signed(zone);
    expect((await publishedLines(zone)).some((line) => isByEd25519(line))).toBe(false);
    expect(await service.get(SignedZoneCheck).faultsOf(zone.id, true)).toEqual([]);
  });
});

const isByEd25519 = (line: string): boolean => /RRSIG\s+\S+\s+15\s/.test(line);

describe('cache contents', () => {
  it('23.9: is waited for with the ttls that were sent, also where they are shorter by now', async () => {
    const zone = await readyZone({ single_key: false });
    await roll(zone, { key: 'zsk' });
    await signed(zone);
    const short = { zone: 60, longest: 120 };
    await answerOf(service.call('put', `/v1/domains/${zone.id}`, { ttl: short.zone }));
    for (const { id, ttl } of await recordsWithTtl(zone))
      await answerOf(zone.update(id, { ttl: ttl === null ? null : short.longest }));
    const { lasted } = await walk(zone);
    expectAbout(lasted.publish, TTL.zone);
    // The longest was cut when this began, and the DNSKEY set's time has passed since.
    expect(lasted.swap).toBeGreaterThanOrEqual(TTL.longest - TTL.zone - 2 * LATE);
    expectAbout(lasted.remove, short.zone);
  });

  it('23.4, 23.9: CDS of other zones are signed by the new keys like other records', async () => {
    const zone = await readyZone({ single_key: false });
    const signal = { name: zone.at('_dsboot.example.net._signal'), type: 'CDS' };
    await zone.newRecord({ ...signal, data: `60485 13 2 ${'ab'.repeat(32)}` });
    await signed(zone);
    await roll(zone, { key: 'zsk' });
    // Each step looks at all that is published.
    expect((await walk(zone)).steps).toEqual(['publish', 'swap', 'remove']);
  });
});

describe('stopped', () => {
  it('23.9: an algorithm is dropped immediately before its keys are published', async () => {
    const zone = await readyZone({});
    const before = await shown(zone);
    const { rollover } = await roll(zone, { key: 'algorithm', algorithm: 'ED25519' });
    await passTime(1);
    await answerOf(service.call('delete', `${pathOf(zone)}/rollovers/${rollover?.id}`));
    await until(async () => {
      await passTime(1);
      await signed(zone);
      return !(await publishedLines(zone)).some(isByEd25519);
    });
    expect(await shown(zone)).toMatchObject({ rollover: null, keys: before.keys, ds: before.ds });
    expect(await service.get(SignedZoneCheck).faultsOf(zone.id, true)).toEqual([]);
  });

  it('23.9: after that the new keys go as old ones do, and once the DS is asked for nothing stops', async () => {
    const zone = await readyZone({});
    const before = await shown(zone);
    const { rollover } = await roll(zone, { key: 'algorithm', algorithm: 'ED25519' });
    const remove = (id: string | undefined) => service.call('delete', `${pathOf(zone)}/rollovers/${id}`);
    const reach = (step: string) =>
      until(async () => {
        await signed(zone);
        // Less than any step takes, so that no step is missed.
        await passTime(TTL.zone / 4);
        return (await shown(zone)).rollover?.step === step;
      });
    await reach('publish');
    await signed(zone);
    expect((await bodyOf<Shown>(remove(rollover?.id))).rollover).toMatchObject({ step: 'remove' });
    expect((await walk(zone)).steps).toEqual(['remove', 'unsign']);
    expect(await shown(zone)).toMatchObject({
      algorithm: 'ECDSAP256SHA256',
      keys: before.keys,
      ds: before.ds,
    });

    const again = await roll(zone, { key: 'algorithm', algorithm: 'ED25519' });
    await reach('swap');
    await refusalOf(remove(again.rollover?.id), 409, 'dnssec_conflict');
  });
});

it('23.9: rejects invalid options, and a second rollover', async () => {
  const zone = await readyZone({});
  const path = `${pathOf(zone)}/rollovers`;
  const refused = (body: object, status: number, type: string) =>
    refusalOf(service.call('post', path, body), status, type);
  await refused({ key: 'algorithm' }, 400, 'invalid_object');
  await refused({ key: 'algorithm', algorithm: 'RSASHA1' }, 400, 'invalid_object');
  await refused({ key: 'algorithm', algorithm: 'ED25519', emergency: true }, 400, 'invalid_object');
  await refused({ key: 'csk', algorithm: 'ED25519' }, 400, 'invalid_object');
  await refused({ key: 'csk', emergency: 'yes' }, 400, 'invalid_object');
  await refused({ key: 'algorithm', algorithm: 'ECDSAP256SHA256' }, 409, 'dnssec_conflict');
  await refused({ key: 'zsk' }, 409, 'dnssec_conflict');
  await refusalOf(service.call('delete', `${path}/${randomUUID()}`), 409, 'dnssec_conflict');
  await roll(zone, { key: 'algorithm', algorithm: 'ED25519' });
  await refused({ key: 'algorithm', algorithm: 'RSASHA256' }, 409, 'dnssec_conflict');
  await refused({ key: 'csk', emergency: true }, 409, 'dnssec_conflict');
});

it('23.9: waits for the old TTLs after TTLs were shortened', async () => {
  const zone = await readyZone({});
  await answerOf(service.call('put', `/v1/domains/${zone.id}`, { ttl: 60 }));
  await signed(zone);
  await roll(zone, { key: 'csk' });
  const { lasted } = await walk(zone);
  expectAbout(lasted.publish, TTL.zone);
  // By then they have forgotten it.
  await roll(zone, { key: 'csk' });
  expectAbout((await walk(zone)).lasted.publish, 60);
});
