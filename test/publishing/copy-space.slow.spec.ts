import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { ZoneCopies } from '../../src/publishing/transfers/zone-copies.js';
import { type Copy, ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { linesOf } from './read-copy.js';

const MIB = 2 ** 20;
const SPACE_MIB = 4;
const ZONES = 5;
/** Exceeds 1 MiB as a transfer, and so is spooled. */
const RECORDS = 3000;
const PRESENT = new AbortController().signal;

let service: AssembledService;

beforeAll(async () => {
  service = await assembleTestService({
    settings: {
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      SERVICE_MDNS__COPY_SPACE: String(SPACE_MIB),
      SERVICE_API__MAX_BODY_SIZE: '10 MiB',
    },
  });
});
afterAll(() => service.stop());

async function largeDomain(): Promise<TestDomain> {
  const domain = await newDomain(service);
  const text = `"${'x'.repeat(250)}" "${'y'.repeat(150)}"`;
  await domain.import(Array.from({ length: RECORDS }, (_, at) => `t${at} TXT ${text}\n`).join(''));
  return domain;
}

async function copyOf({ name }: TestDomain): Promise<Copy> {
  // Injection tokens are abstract classes.
  const source = service.get<ZoneSource>(ZoneSource as never);
  const zone = await source.find(DomainName.parse(name));
  return source.axfr(zone!, PRESENT);
}

const taken = (): number => service.get(ZoneCopies).size.onDisk;

it('12.1 cached transfers take at most copy_space of the disk, without those being sent', async () => {
  const domains: TestDomain[] = [];
  for (let made = 0; made < ZONES; made += 1) domains.push(await largeDomain());
  const copies: Copy[] = [];
  for (const domain of domains) copies.push(await copyOf(domain));
  expect(taken()).toBeGreaterThan(SPACE_MIB * MIB);
  for (const [at, copy] of copies.entries()) {
    expect(await linesOf(copy, domains[at]!.name)).toHaveLength(RECORDS + 2);
    copy.release();
  }
  expect(taken()).toBeLessThanOrEqual(SPACE_MIB * MIB);
  expect(taken()).toBeGreaterThan((SPACE_MIB - 2) * MIB);
  for (const domain of domains) {
    (await copyOf(domain)).release();
    expect(taken()).toBeLessThanOrEqual(SPACE_MIB * MIB);
  }
});
