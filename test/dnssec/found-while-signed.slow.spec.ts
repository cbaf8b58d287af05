import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { ZoneFinder } from '../../src/publishing/transfers/zone-finder.js';
import { ZoneRenderer } from '../../src/publishing/transfers/zone-renderer.js';
import { answerOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { assembleSigningService } from '../support/signing-service.js';

const PRESENT = new AbortController().signal;
const PUBLICATIONS = times(40, 1000);

let service: AssembledService;
beforeAll(async () => {
  service = await assembleSigningService();
});
afterAll(() => service.stop());

it('23.4: a domain that is signed anew all the time is found with the SOA of its serial, and transferred', async () => {
  const domain = await newDomain(service);
  await sign(domain);
  const path = pathOf(domain);
  const faults = await faultsWhile(domain, async () => {
    await answerOf(service.call('post', `${path}/resign`));
    await service.get(SigningJobs).run(domain.id, PRESENT);
  });
  expect(faults).toEqual([]);
});

it('23.4: a domain alternately signed and unsigned has the SOA of its serial, and is transferred', async () => {
  const domain = await newDomain(service);
  const faults = await faultsWhile(domain, async () => {
    await sign(domain);
    await answerOf(service.call('put', pathOf(domain), { enabled: false }));
    await service.get(SigningJobs).run(domain.id, PRESENT);
  });
  expect(faults).toEqual([]);
});

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;

async function sign(domain: TestDomain): Promise<void> {
  await answerOf(service.call('put', pathOf(domain), { enabled: true }));
  await service.get(SigningJobs).run(domain.id, PRESENT);
}

/** Faults of a domain during repeated publications. */
async function faultsWhile(domain: TestDomain, publish: () => Promise<void>): Promise<string[]> {
  const over = new AbortController();
  const looking = Promise.all(Array.from({ length: 4 }, () => faultsSeen(domain, over.signal)));
  for (let publication = 0; publication < PUBLICATIONS; publication += 1) await publish();
  over.abort();
  return (await looking).flat();
}

/** Checks until the signal aborts and collects faults. */
async function faultsSeen(domain: TestDomain, over: AbortSignal): Promise<string[]> {
  const faults: string[] = [];
  while (!over.aborted) faults.push(...(await look(domain).catch((error: unknown) => [String(error)])));
  return faults;
}

async function look({ id, name }: TestDomain): Promise<string[]> {
  const zone = await service.get(ZoneFinder).find(DomainName.parse(name));
  if (zone === null) return ['it is not found'];
  const copy = await service.get(ZoneRenderer).render(id, PRESENT);
  copy.giveUp();
  const { serial } = SOA.values(zone.soa);
  return serial === zone.serial ? [] : [`${zone.serial} is found with the SOA of ${serial}`];
}
