import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import { newGeneration, SignedSetsCleanup } from '../../src/dnssec/state/generations.js';
import { answerOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { generationsOf } from './generations.js';

const PRESENT = new AbortController().signal;
const NAMES = 300;
const HOUR = DAY / 24;

const clock = new SteppedClock();
let service: AssembledService;
beforeAll(async () => {
  service = await assembleSigningService({}, clock);
});
afterAll(() => service.stop());

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;

async function signedDomain(): Promise<TestDomain> {
  const domain = await newDomain(service);
  await domain.import(Array.from({ length: NAMES }, (_, at) => `n${at} A 192.0.2.1\n`).join(''));
  await answerOf(service.call('put', pathOf(domain), { enabled: true }));
  await service.get(SigningJobs).run(domain.id, PRESENT);
  return domain;
}

function publishedGenerationOf({ id }: TestDomain): number {
  const sql = 'SELECT generation FROM zone_signing WHERE zone_id = ?';
  return lookInto(service.databaseFile, ({ rows }) =>
    Number(rows<{ generation: number | string }>(sql, id)[0]?.generation),
  );
}

/** As a process leaves it that is killed when it has signed all of a domain. */
function leftByKilled({ id }: TestDomain): number {
  const generation = newGeneration(0, clock.now());
  const others = 'owner_key, type, chain_key, ttl, digest, rdatas, signatures, signed_by, expires_at, due_at';
  executeIn(
    service.databaseFile,
    `INSERT INTO signed_sets (zone_id, generation, ${others})` +
      ` SELECT zone_id, ${generation}, ${others} FROM signed_sets WHERE zone_id = '${id}'`,
  );
  return generation;
}

it('23.8: results of an obsolete signing run are deleted with the run', async () => {
  const domain = await signedDomain();
  const isBeingSigned = (): boolean => generationsOf(domain, service.databaseFile).length > 1;
  for (let round = 0; round < 5; round += 1) {
    await answerOf(service.call('post', `${pathOf(domain)}/resign`));
    await until(isBeingSigned);
    await answerOf(service.call('post', `${pathOf(domain)}/resign`));
    await service.get(SigningJobs).run(domain.id, PRESENT);
  }
  expect(generationsOf(domain, service.databaseFile)).toEqual([publishedGenerationOf(domain)]);
  expect(await service.get(SignedZoneCheck).faultsOf(domain.id, true)).toEqual([]);
});

it('23.6: leftovers of a killed process are deleted after a day, not while it may still work', async () => {
  const domain = await signedDomain();
  const left = leftByKilled(domain);
  const published = publishedGenerationOf(domain);
  await service.get(SignedSetsCleanup).run(PRESENT);
  expect(new Set(generationsOf(domain, service.databaseFile))).toEqual(new Set([published, left]));
  clock.instant += DAY + HOUR;
  await service.get(SignedSetsCleanup).run(PRESENT);
  expect(generationsOf(domain, service.databaseFile)).toEqual([publishedGenerationOf(domain)]);
  expect(await service.get(SignedZoneCheck).faultsOf(domain.id, true)).toEqual([]);
});

it('23.3: an unsigned domain keeps no DNSSEC rows', async () => {
  const domain = await signedDomain();
  leftByKilled(domain);
  await answerOf(service.call('put', pathOf(domain), { enabled: false }));
  await service.get(SignedSetsCleanup).run(PRESENT);
  expect(generationsOf(domain, service.databaseFile)).toEqual([]);
});
