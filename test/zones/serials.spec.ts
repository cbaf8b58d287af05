import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorFor } from '../../src/cli/operator.js';
import { SerialRaisingService } from '../../src/zones/serials/serial-raising.service.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { type AssembledService, assembleTestService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain } from '../support/domain.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { lookInto } from '../support/stored.js';
import { type Client, databaseFileIn, removeTestData, startTestService, type TestService } from '../support/service.js';

const SECOND = 1_000_000;
const MODULUS = 2 ** 32;

/** It stands still, so that every change pushes a serial ahead of the time. */
const clock = new SteppedClock();
let service: AssembledService;

beforeAll(async () => {
  service = await assembleTestService({ clock });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

/** Changes a domain `changes` times, deletes it, and returns its last served serial. */
async function burn(client: Client, domain: DomainBody, changes: number): Promise<number> {
  let { serial } = domain;
  for (let ttl = 1; ttl <= changes; ttl++)
    ({ serial } = await bodyOf<DomainBody>(client.call('put', `/v1/domains/${domain.id}`, { ttl })));
  expect((await answerOf(client.call('delete', `/v1/domains/${domain.id}`))).status).toBe(200);
  return serial;
}

/** How far a serial is above another (RFC 1982). */
function lead(serial: number, over: number): number {
  return (serial - over + MODULUS) % MODULUS;
}

describe('the serial of a recreated domain', () => {
  it('12.3 exceeds the last one after a burst, for any creator and spelling of the name', async () => {
    const name = freshName();
    const last = await burn(service, await newDomain(service, name), 25);
    const again = await newDomain(service.as('another-tenant'), name.toUpperCase());
    expect(lead(again.serial, last)).toBeGreaterThan(0);
    expect(lead(again.serial, last)).toBeLessThan(10);
  });

  it('12.3 goes on growing from one life to the next', async () => {
    const name = freshName();
    let last = 0;
    for (let life = 0; life < 4; life++) {
      const domain = await newDomain(service, name);
      if (life > 0) expect(lead(domain.serial, last)).toBeGreaterThan(0);
      if (life > 0) expect(lead(domain.serial, last)).toBeLessThan(10);
      last = await burn(service, domain, 3);
    }
  });

  it('12.3 is the time where that is ahead', async () => {
    const name = freshName();
    await burn(service, await newDomain(service, name), 5);
    clock.instant += 3600 * SECOND;
    expect((await newDomain(service, name)).serial).toBe(clock.instant / SECOND);
  });

  it('12.3 stays above it where the clock went back', async () => {
    const name = freshName();
    const last = await burn(service, await newDomain(service, name), 1);
    clock.instant -= 3600 * SECOND;
    expect(lead((await newDomain(service, name)).serial, last)).toBeLessThan(10);
    clock.instant += 3600 * SECOND;
  });

  it('12.3 is above it where 32 bits end', async () => {
    const before = clock.instant;
    clock.instant = (MODULUS - 3) * SECOND;
    const name = freshName();
    const last = await burn(service, await newDomain(service, name), 5);
    expect(last).toBe(2);
    const again = await newDomain(service, name);
    expect(lead(again.serial, last)).toBeGreaterThan(0);
    expect(lead(again.serial, last)).toBeLessThan(10);
    clock.instant = before;
  });

  it('12.3 is stored as it was answered', async () => {
    const name = freshName();
    await burn(service, await newDomain(service, name), 12);
    const { id, serial } = await newDomain(service, name);
    const stored = lookInto(service.databaseFile, ({ rows }) => rows('SELECT serial FROM zones WHERE id = ?', id));
    expect(stored).toEqual([{ serial }]);
  });

  it('17.4 is raised with those of all domains after a restore of an older database', async () => {
    const name = freshName();
    const last = await burn(service, await newDomain(service, name), 1);
    await service.get(SerialRaisingService).raiseAll(5000, operatorFor('admin'));
    expect(lead((await newDomain(service, name)).serial, last)).toBeGreaterThan(5000);
  });
});

describe('over two services on one database', () => {
  let directory: string;
  let services: TestService[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-serials-'));
    services = [await startTestService({}, directory), await startTestService({}, directory)];
  });
  afterAll(async () => {
    for (const one of services) await one.stop();
    audit(databaseFileIn(directory));
    await removeTestData(directory);
  });

  it('12.3 one process recreates a domain that the other deletes above its last serial, also in a race', async () => {
    const [one, other] = services as [TestService, TestService];
    const name = freshName();
    for (let round = 0; round < 20; round++) {
      const [first, second] = round % 2 === 0 ? [one, other] : [other, one];
      const domain = await newDomain(first, name);
      const { serial } = await bodyOf<DomainBody>(first.call('put', `/v1/domains/${domain.id}`, { ttl: 60 + round }));
      const fields = { name, email: 'hostmaster@example.org' };
      const [, raced] = await Promise.all([
        answerOf(first.call('delete', `/v1/domains/${domain.id}`)),
        second.call('post', '/v1/domains', fields),
      ]);
      const again =
        raced.status === 200
          ? (raced.body as unknown as DomainBody)
          : await bodyOf<DomainBody>(second.call('post', '/v1/domains', fields));
      expect(lead(again.serial, serial)).toBeGreaterThan(0);
      expect(lead(again.serial, serial)).toBeLessThan(100);
      await answerOf(second.call('delete', `/v1/domains/${again.id}`));
    }
  });
});
