import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { AUDIT_ON, auditPages } from '../support/audit-entries.js';
import type { AssembledService } from '../support/assembled-service.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, WITH_POWERDNS } from '../support/powerdns.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const PRESENT = new AbortController().signal;
const SECOND = 1_000_000;
/** A step is looked at no later than that after its time, in seconds. */
const LATE = 150;

const clock = new SteppedClock();
let service: AssembledService;
let powerdns: PowerDnsClient;
let zone: TestDomain;

beforeAll(async () => {
  service = await assembleSigningService({ ...WITH_POWERDNS, ...AUDIT_ON }, clock);
  powerdns = new PowerDnsClient(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service, freshName(), { ttl: 60 });
  await zone.newRecord();
});

type Body = Readonly<Record<string, unknown>>;

interface Shown {
  readonly state: string;
  readonly rollover: { readonly step: string } | null;
}

const paths = (): string[] => [`/v1/domains/${zone.id}/dnssec`, `/v2/zones/${zone.id}/dnssec`];
const shown = (): Promise<Shown> => bodyOf<Shown>(service.call('get', `/v1/domains/${zone.id}/dnssec`));
const ask = (method: 'put' | 'post', body: object, rest = ''): Promise<unknown> =>
  answerOf(service.call(method, `/v1/domains/${zone.id}/dnssec${rest}`, body));

async function pass(seconds: number): Promise<void> {
  clock.instant += seconds * SECOND;
  await service.get(Scheduler).runNow('dnssec.due');
}

async function reach(state: string): Promise<void> {
  await until(async () => {
    await pass(LATE);
    return (await shown()).state === state;
  });
}

/** All that any interface shows of the signing of the zone. */
async function state(): Promise<Body> {
  return {
    ...{ v1: await shown(), domain: await zone.now(), powerdns: await powerdns.zone(zone.name) },
    keys: await powerdns.json('get', `/zones/${zone.name}/cryptokeys`),
    audit: (await auditPages(service, 'limit=1000')).flat(),
  };
}

async function expectNeutral(): Promise<void> {
  await service.get(SigningJobs).run(zone.id, PRESENT);
  const before = await state();
  for (const path of paths()) {
    const read = await bodyOf<Body>(service.call('get', path));
    expect(await bodyOf(service.call('put', path, read))).toEqual(read);
    const { enabled, algorithm, denial, single_key, state: at } = read;
    await answerOf(service.call('put', path, { enabled, algorithm, denial, single_key, state: at }));
  }
  for (const key of before.keys as Body[]) {
    await powerdns.answer('put', `/zones/${zone.name}/cryptokeys/${String(key.id)}`, key, 204);
    const { active, published } = key;
    await powerdns.answer('put', `/zones/${zone.name}/cryptokeys/${String(key.id)}`, { active, published }, 204);
  }
  const { rrsets, ...fields } = before.powerdns as Body & { rrsets: unknown };
  await powerdns.answer('put', `/zones/${zone.name}`, fields, 204);
  await powerdns.answer('put', `/zones/${zone.name}`, { ...fields, rrsets }, 204);
  expect(await state()).toEqual(before);
}

describe('how a domain is signed', () => {
  it('1.15, 23.1 is sent back in each state without a change', async () => {
    const seen = [(await shown()).state];
    await expectNeutral();
    await ask('put', { enabled: true, denial: 'nsec3' });
    await reach('ready');
    await expectNeutral();
    await ask('post', { ds: 'published' }, '/parent');
    seen.push((await shown()).state);
    await expectNeutral();
    await ask('put', { enabled: false });
    seen.push((await shown()).state);
    await expectNeutral();
    expect(seen).toEqual(['insecure', 'secure', 'leaving']);
    await ask('put', { enabled: true });
    expect((await shown()).state).toBe('ready');
  });

  it.each([
    { single_key: true, key: 'csk' },
    { single_key: false, key: 'zsk' },
    { single_key: false, key: 'ksk' },
  ])('1.15, 21.11 is sent back in each step of a rollover without a change: %j', async ({ single_key, key }) => {
    await ask('put', { enabled: true, single_key });
    await reach('ready');
    await ask('post', { ds: 'published' }, '/parent');
    await ask('post', { key }, '/rollovers');
    const steps = new Set<string>();
    for (let step = (await shown()).rollover?.step; step !== undefined && step !== 'remove';) {
      if (!steps.has(step)) await expectNeutral();
      steps.add(step);
      await pass(3600);
      if (step === 'swap' && key !== 'zsk') break;
      step = (await shown()).rollover?.step;
    }
    expect(steps.size).toBeGreaterThan(1);
  });
});
