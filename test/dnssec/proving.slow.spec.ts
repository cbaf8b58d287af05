import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import type { RecordBody } from '../support/bodies.js';
import { DnssecInTime, dnssecPath } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';

jest.setTimeout(240_000);

const SECOND = 1_000_000;
/** TTLs in seconds: before and after a change made shortly before signing. */
const TTL = { former: 7200, present: 60 };
/** Before the domain is signed, in seconds. */
const EARLIER = 600;

const clock = new SteppedClock();
let service: AssembledService;
let time: DnssecInTime;

beforeAll(async () => {
  service = await assembleSigningService({ SERVICE_CENTRAL__SOA_MINIMUM: '1' }, clock);
  time = new DnssecInTime(service, clock);
});
afterAll(() => service.stop());

/** How long it takes from a change until the domain is ready that was changed before it is signed, in seconds. */
async function untilReady(zone: TestDomain, change: () => Promise<unknown>): Promise<number> {
  await change();
  const since = clock.instant;
  clock.instant += EARLIER * SECOND;
  await answerOf(service.call('put', dnssecPath(zone), { enabled: true }));
  const { waits_for } = await time.reach(zone, (shown) => shown.waits_for?.startsWith('caches') === true, 1);
  expect(waits_for).toMatch(/ until \S+, because former TTLs were longer$/);
  await time.reach(zone, ({ state }) => state === 'ready', 300);
  return (clock.instant - since) / SECOND;
}

function zoneWithTtl(ttl: number): Promise<TestDomain> {
  return newDomain(service, freshName(), { ttl });
}

describe('23.2 a domain whose ttls were lowered before it is signed', () => {
  it.each([
    [
      'of a record',
      async (): Promise<[TestDomain, () => Promise<unknown>]> => {
        const zone = await zoneWithTtl(TTL.present);
        await zone.import(`www ${TTL.former} A 192.0.2.1\n`);
        const { records } = await bodyOf<{ records: RecordBody[] }>(zone.list('?type=A'));
        return [zone, () => answerOf(zone.update(records[0]!.id, { ttl: TTL.present }))];
      },
    ],
    [
      'of a deleted record',
      async (): Promise<[TestDomain, () => Promise<unknown>]> => {
        const zone = await zoneWithTtl(TTL.present);
        await zone.import(`www ${TTL.former} A 192.0.2.1\n`);
        const { records } = await bodyOf<{ records: RecordBody[] }>(zone.list('?type=A'));
        return [zone, () => answerOf(zone.delete(records[0]!.id))];
      },
    ],
    [
      'of the domain',
      async (): Promise<[TestDomain, () => Promise<unknown>]> => {
        const zone = await zoneWithTtl(TTL.former);
        return [zone, () => answerOf(service.call('put', `/v1/domains/${zone.id}`, { ttl: TTL.present }))];
      },
    ],
  ])('waits for the former one, %s', async (_, prepare) => {
    const [zone, change] = await prepare();
    const waited = await untilReady(zone, change);
    expect(waited).toBeGreaterThanOrEqual(TTL.former);
    expect(waited).toBeLessThan(TTL.former + EARLIER);
  });
});
