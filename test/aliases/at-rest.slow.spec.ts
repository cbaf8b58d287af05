import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { type AliasService, startAliasService } from '../support/alias-service.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { processorTime } from '../support/processor-time.js';
import { until } from '../support/until.js';

const ALIASES = times(5000, 100_000);
const TARGETS = ALIASES / 100;
const OF_DOMAIN = 5000;
const MEASURED_MS = times(5000, 120_000);
/** Of a core, more than without ALIAS records. */
const SHARE = 0.05;
/** In milliseconds: the last addresses are stored, and garbage of the imports is collected. */
const SETTLING = 10_000;
const LONGEST_SETTLING = 600_000;

let service: AliasService;
beforeAll(async () => {
  service = await startAliasService({
    SERVICE_API__CHANGES_PER_MINUTE: '0',
    SERVICE_ALIAS__MIN_INTERVAL: '30',
    DEFAULT__QUOTA_ZONES: '1000',
    DEFAULT__QUOTA_ZONE_RECORDS: '1000000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '1000000',
    DEFAULT__QUOTA_API_EXPORT_SIZE: '1000000',
  });
});
afterAll(() => service.stop());

async function shareNow(milliseconds = MEASURED_MS): Promise<number> {
  const [before, begun] = [processorTime(), performance.now()];
  await delay(milliseconds);
  return (processorTime() - before) / (performance.now() - begun);
}

async function states(): Promise<number> {
  const { text } = await answerOf(
    service.plain('get', '/metrics').set('X-Auth-Project-ID', 'admin').set('X-Roles', 'admin'),
  );
  return Number(/^zonewright_alias_targets\{state="resolved"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

it(`24.3 ALIAS records at rest take less than ${SHARE * 100} % of a core`, async () => {
  service.resolver.ttl = 3600;
  const without = await shareNow();
  for (let at = 0; at < TARGETS; at += 1) service.resolver.say(`t${at}.targets.example.`, [`192.0.2.${at % 256}`]);
  for (let from = 0; from < ALIASES; from += OF_DOMAIN) {
    const domain = await newDomain(service);
    const lines = Array.from(
      { length: OF_DOMAIN },
      (_, at) => `h${at} ALIAS t${(from + at) % TARGETS}.targets.example.\n`,
    );
    await domain.import(lines.join(''));
    const last = domain.at(`h${OF_DOMAIN - 1}`);
    const hasAddress = async (): Promise<boolean> =>
      (
        await bodyOf<{ records: unknown[] }>(
          service.call('get', `/v1/domains/${domain.id}/records?name=${last}&type=A`),
        )
      ).records.length === 1;
    await until(hasAddress, 300_000);
  }
  await until(async () => (await states()) === TARGETS, 300_000);
  await until(async () => (await shareNow(SETTLING)) - without < SHARE, LONGEST_SETTLING);
  const asked = service.resolver.asked.length;
  const share = (await shareNow()) - without;
  process.stderr.write(
    `${ALIASES} ALIAS records of ${TARGETS} targets: ${(100 * share).toFixed(2)} % of a core more than without, ${service.resolver.asked.length - asked} queries\n`,
  );
  expect(share).toBeLessThan(SHARE);
}, 1_800_000);
