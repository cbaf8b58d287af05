import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { contentsOf, PowerDnsClient, records, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';
import { times } from '../support/length.js';

const CLIENTS = 8;
const ROUNDS = times(12, 100);

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService(WITH_POWERDNS);
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());

/** Runs the rounds of each client sequentially, all clients concurrently. */
async function together(work: (at: number, round: number) => Promise<unknown>): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    for (let round = 0; round < ROUNDS; round += 1) await work(at, round);
  });
  await Promise.all(clients);
}

describe('eight clients that PATCH one zone at the same time', () => {
  it('21.6 lose nothing of sets of their own', async () => {
    const zone = await client.newZone();
    await together((at, round) =>
      client.patch(
        zone.id,
        replaced(`c${at}-${round}.${zone.name}`, 'A', [`192.0.2.${at + 1}`, `192.0.2.${round + 101}`]),
      ),
    );
    const { rrsets, serial } = await client.zone(zone.id);
    expect(rrsets.filter(({ type }) => type === 'A')).toHaveLength(CLIENTS * ROUNDS);
    expect(rrsets.every(({ type, records: all }) => type !== 'A' || all.length === 2)).toBe(true);
    expect(serial).toBeGreaterThan(zone.serial);
    audit(service.databaseFile);
  });

  it('21.6 lose nothing of one set by EXTEND and PRUNE', async () => {
    const zone = await client.newZone();
    const name = `all.${zone.name}`;
    const one = (changetype: string, at: number, round: number) => ({
      ...{ name, type: 'TXT', ttl: 60, changetype, records: records([`"${at} ${round}"`]) },
    });
    await together(async (at, round) => {
      await client.patch(zone.id, one('EXTEND', at, round));
      if (round % 2 === 1) await client.patch(zone.id, one('PRUNE', at, round));
    });
    const contents = contentsOf(await client.rrset(zone.id, name, 'TXT'));
    expect(new Set(contents).size).toBe(contents.length);
    expect(contents).toHaveLength((CLIENTS * ROUNDS) / 2);
    audit(service.databaseFile);
  });

  it('21.6 make no record twice where they replace the same set', async () => {
    const zone = await client.newZone();
    const name = `same.${zone.name}`;
    await together((at, round) =>
      client.patch(zone.id, replaced(name, 'A', [`192.0.2.${at + 1}`, `192.0.2.${round + 101}`])),
    );
    const contents = contentsOf(await client.rrset(zone.id, name, 'A'));
    expect(new Set(contents).size).toBe(2);
    expect(contents).toHaveLength(2);
    audit(service.databaseFile);
  });
});
