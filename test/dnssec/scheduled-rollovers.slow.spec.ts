import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { AUDIT_ON, type AuditPageBody } from '../support/audit-entries.js';
import { DnssecInTime, dnssecPath, type ShownDnssec } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';

jest.setTimeout(240_000);

const NAME_SERVER = 'ns1.example.net.';
const TTL = 600;
/** In days. */
const LIFETIMES = { zsk: 20, csk: 30, ksk: 37 };

interface Scheduled extends ShownDnssec {
  readonly keys: readonly { readonly tag: number; readonly role: string; readonly rollover_at: string | null }[];
}

interface Calendar {
  readonly rollovers: readonly {
    readonly domain_id: string;
    readonly domain: string;
    readonly key: string;
    readonly tag: number;
    readonly at: string;
    readonly step: string | null;
  }[];
  readonly links: { readonly next?: string };
}

const clock = new SteppedClock();
let service: AssembledService;
let time: DnssecInTime;
/** Secure, with a CSK. */
let secure: TestDomain;
/** Ready, with a KSK and a ZSK: no parent has its DS. */
let ready: TestDomain;
let begin: number;

beforeAll(async () => {
  service = await assembleSigningService(
    {
      SERVICE_CENTRAL__NAME_SERVERS: NAME_SERVER,
      SERVICE_CENTRAL__SOA_MINIMUM: '1',
      ...AUDIT_ON,
      SERVICE_DNSSEC__ZSK_LIFETIME: String(LIFETIMES.zsk),
      SERVICE_DNSSEC__CSK_LIFETIME: String(LIFETIMES.csk),
      SERVICE_DNSSEC__KSK_LIFETIME: String(LIFETIMES.ksk),
    },
    clock,
  );
  time = new DnssecInTime(service, clock);
  begin = clock.instant;
  const parent = await newDomain(service, freshName(), { ttl: TTL });
  secure = await newDomain(service, `child.${parent.name}`, { ttl: TTL });
  await parent.newRecord({ name: secure.name, type: 'NS', data: NAME_SERVER });
  ready = await newDomain(service, freshName(), { ttl: TTL });
  await answerOf(service.call('put', dnssecPath(secure), { enabled: true }));
  await answerOf(service.call('put', dnssecPath(ready), { enabled: true, single_key: false }));
  await time.reach(secure, ({ state }) => state === 'secure');
  await time.reach(ready, ({ state }) => state === 'ready');
});
afterAll(() => service.stop());

const shown = (domain: TestDomain): Promise<Scheduled> => bodyOf<Scheduled>(service.call('get', dnssecPath(domain)));
const calendar = (query = ''): Promise<Calendar> =>
  bodyOf<Calendar>(service.call('get', `/v1/dnssec/rollovers${query}`));
const instantOf = (at: string): number => Date.parse(`${at.slice(0, 23)}Z`) * 1000;

/** Moves the clock to a day since the first signing, keeps signatures valid, and lets the schedule run. */
async function reachDay(day: number): Promise<void> {
  const end = begin + day * DAY;
  while (clock.instant < end) {
    clock.instant = Math.min(end, clock.instant + 5 * DAY);
    for (const domain of [secure, ready]) await time.sign(domain);
    await time.pass(0);
  }
  await service.get(Scheduler).runNow('dnssec.rollovers');
}

async function finish(domain: TestDomain): Promise<void> {
  await time.reach(domain, ({ rollover }) => rollover === null, 3600);
}

describe('keys with a lifetime', () => {
  it('23.17 are listed by the time of their rollover', async () => {
    const { rollovers, links } = await calendar();
    expect(links.next).toBeUndefined();
    const entries = rollovers.map(({ domain_id: id, domain, key, step }) => ({ id, domain, key, step }));
    expect(entries).toEqual([
      { id: ready.id, domain: ready.name, key: 'zsk', step: null },
      { id: secure.id, domain: secure.name, key: 'csk', step: null },
      { id: ready.id, domain: ready.name, key: 'ksk', step: null },
    ]);
    for (const { key, at } of rollovers) {
      const days = (instantOf(at) - begin) / DAY;
      expect(Math.round(days)).toBe(LIFETIMES[key as keyof typeof LIFETIMES]);
    }
    const { keys } = await shown(secure);
    expect(keys).toMatchObject([{ tag: rollovers[1]!.tag, rollover_at: rollovers[1]!.at }]);
    const first = await calendar('?limit=2');
    expect(first.rollovers).toEqual(rollovers.slice(0, 2));
    const marker = new URL(first.links.next!).searchParams.get('marker')!;
    expect(await calendar(`?limit=2&marker=${marker}`)).toMatchObject({ rollovers: rollovers.slice(2) });
    await refusalOf(service.call('get', '/v1/dnssec/rollovers?marker=x'), 400, 'invalid_object');
    await refusalOf(service.call('get', '/v1/dnssec/rollovers?limit=201'), 400, 'invalid_object');
  });

  it('23.17 are rolled when they have reached it, and not before', async () => {
    await reachDay(LIFETIMES.zsk - 1);
    expect((await shown(ready)).rollover).toBeNull();
    await reachDay(LIFETIMES.zsk + 1);
    expect(await shown(ready)).toMatchObject({ rollover: { key: 'zsk', step: 'publish', emergency: false } });
    expect((await shown(secure)).rollover).toBeNull();
    const [first] = (await calendar()).rollovers;
    expect(first).toMatchObject({ domain: ready.name, key: 'zsk', step: 'publish' });
    const old = (await shown(ready)).keys.find(({ tag }) => tag === first!.tag);
    expect(old?.rollover_at).toBeNull();
    const { audit } = await bodyOf<AuditPageBody>(
      service.call('get', `/admin/audit?domain_id=${ready.id}&action=dnssec.roll`),
    );
    expect(audit).toMatchObject([{ action: 'dnssec.roll', actor: { user: 'signer' }, details: { key: 'zsk' } }]);
    await finish(ready);
    await reachDay(LIFETIMES.zsk + 3);
    expect((await shown(ready)).rollover).toBeNull();
  });

  it('23.17 of the DS are rolled in secure domains only', async () => {
    await reachDay(LIFETIMES.csk + 1);
    expect(await shown(secure)).toMatchObject({ rollover: { key: 'csk', step: 'publish' } });
    await finish(secure);
    expect((await shown(secure)).state).toBe('secure');
    await reachDay(LIFETIMES.ksk + 1);
    // Its KSK is due, but no parent has its DS.
    expect(await shown(ready)).toMatchObject({ state: 'ready', rollover: null });
  });
});
