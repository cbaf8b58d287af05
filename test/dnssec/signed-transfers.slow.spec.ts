import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Type } from '../../src/dns/dnssec/codes.js';
import { DomainName } from '../../src/dns/name.js';
import type { ResourceRecord } from '../../src/dns/message/resource-record.js';
import { type Copy, type PublishedZone, ZoneSource } from '../../src/publishing/copies/zone-source.js';
import { applyDifference, textOf } from '../publishing/apply-difference.js';
import { anyChange, type RandomChange, removeZone } from '../publishing/random-changes.js';
import { recordsOf } from '../publishing/read-copy.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { until } from '../support/until.js';

const SETTINGS = {
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_DNSSEC__ENABLED: 'True',
  SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};
const PRESENT = new AbortController().signal;

let service: AssembledService;
let source: ZoneSource;

beforeAll(async () => {
  service = await assembleTestService({ settings: SETTINGS });
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
  if (found === null) throw new Error('there is no such zone');
  return found;
}

async function look(zone: TestDomain): Promise<State> {
  const copy = await source.whole(await published(zone), PRESENT);
  return { serial: copy.serial, records: (await recordsOf(copy, zone.name)).slice(0, -1) };
}

async function since(zone: TestDomain, serial: number): Promise<Copy | null> {
  return source.since(await published(zone), serial, PRESENT);
}

async function signedDomain(denial: string, lines = ''): Promise<TestDomain> {
  const zone = await newDomain(service);
  if (lines !== '') await zone.import(lines);
  const { body } = await answerOf(service.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true, denial }));
  expect(body).toMatchObject({ enabled: true, state: 'signing', denial, algorithm: 'ECDSAP256SHA256' });
  await until(async () => (await look(zone)).records.some(({ type }) => type === Type.DNSKEY));
  return zone;
}

describe.each(['nsec', 'nsec3'])('%s', (denial) => {
  itWithJudges(
    '23.4, 23.6: what is transferred is signed as it must be, whole and from change to change',
    async () => {
      const counts = { exact: 0, whole: 0 };
      await holdsFor(
        fc.array(anyChange, { minLength: 10, maxLength: 30 }),
        async (changes) => {
          const zone = await signedDomain(denial, Array.from({ length: 12 }, (_, at) => `h${at} A 192.0.2.${at}\n`).join(''));
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
    for (const earlier of states.slice(0, -1)) {
      const difference = await since(zone, earlier.serial);
      if (difference === null) {
        counts.whole += 1;
        continue;
      }
      expect(difference.serial).toBe(state.serial);
      const leads = applyDifference(earlier.records, await recordsOf(difference, zone.name));
      expect(leads).toEqual(state.records.map(textOf).sort());
      counts.exact += 1;
    }
  }
}

it('23.1: a domain is signed by one request, and not any more by another one', async () => {
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
