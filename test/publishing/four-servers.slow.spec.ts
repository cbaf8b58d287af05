import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { serialOf } from '../support/name-servers/name-servers.js';
import { itUnasked, itWith, missingPackages } from '../support/run-program.js';
import { Pool, until } from './pool.js';
import { FOUR_SERVERS, NAMES } from './software.js';

const EXAMPLE = new URL('../../examples/example.org.zone', import.meta.url);
/** Kills and larger domains are of `npm run test:publishing`; processes.slow.spec.ts kills the service in `npm run test:all`. */
const ROUNDS = Number(process.env.ZONEWRIGHT_PUBLISHING_ROUNDS ?? 0);
const RECORDS = Number(process.env.ZONEWRIGHT_PUBLISHING_RECORDS ?? 2000);
const LONGEST_ROUND = 60_000;
const CHANGES = 100;

const itOnFour = itWith(FOUR_SERVERS);
const itAtLength = ROUNDS === 0 ? itUnasked('npm run test:publishing') : itOnFour;

let pool: Pool;
beforeAll(async () => {
  const servers = missingPackages(FOUR_SERVERS.needs).length > 0 ? [] : NAMES;
  pool = await Pool.start({ directory: await mkdtemp(join(tmpdir(), 'zonewright-')), servers });
});
afterAll(() => pool.stop());

/** A domain that all servers have. */
async function publishedDomain(name?: string): Promise<TestDomain> {
  const domain = await newDomain(pool.clients, name);
  await pool.syncNsd();
  await pool.served(domain);
  return domain;
}

function addresses(count: number, from = 0): string {
  const lines = Array.from({ length: count }, (_, at) => `h${from + at} 300 A 198.18.${(at >> 8) & 255}.${at & 255}\n`);
  return lines.join('');
}

/** PowerDNS transfers whole zones, as docs/publishing.md has it. */
const WITH_IXFR = NAMES.filter((name) => name !== 'PowerDNS');

/** How the name servers were sent the domain since then. */
function answersSince(count: number, { name }: TestDomain): string[] {
  return pool.tap.transfers
    .slice(count)
    .filter(({ zone }) => zone === name)
    .map(({ asked, answered }) => `${asked} ${answered}`);
}

describe('BIND, Knot, NSD and PowerDNS (attack case 103)', () => {
  itOnFour('12.1, 12.2 have a new domain, and records of every type as the export has them', async () => {
    const domain = await publishedDomain('example.org.');
    await domain.import(await readFile(EXAMPLE));
    await pool.expectExport(domain);
  });

  itOnFour('12.1 receive a change, and serve it', async () => {
    const domain = await publishedDomain();
    const { id } = await domain.newRecord();
    await pool.expectExport(domain);
    await answerOf(domain.update(id, { data: '192.0.2.4', ttl: 60 }));
    await pool.expectExport(domain);
    await answerOf(domain.delete(id));
    await pool.expectExport(domain);
  });

  itOnFour(
    '12.2 receive a change of one record, and of many, by IXFR',
    async () => {
      const domain = await publishedDomain();
      await domain.import(addresses(RECORDS));
      await pool.served(domain);
      const before = pool.tap.transfers.length;
      await domain.newRecord();
      await pool.expectExport(domain);
      await domain.import(addresses(RECORDS / 4, RECORDS));
      await pool.expectExport(domain);
      const answers = answersSince(before, domain);
      const differences = answers.filter((answer) => answer === 'IXFR difference');
      expect(differences.length).toBeGreaterThanOrEqual(2 * WITH_IXFR.length);
      expect(new Set(answers)).toEqual(new Set(['IXFR difference', 'AXFR whole']));
    },
    LONGEST_ROUND,
  );

  itOnFour('12.2 have new contents when the ttl of the domain changes', async () => {
    const domain = await publishedDomain();
    await domain.newRecord();
    await answerOf(pool.clients.call('put', `/v1/domains/${domain.id}`, { ttl: 123 }));
    await pool.expectExport(domain);
  });

  itOnFour('12.1 drop a deleted domain, and take a new one of its name', async () => {
    const old = await publishedDomain('again.example.org.');
    await Promise.all(Array.from({ length: 20 }, (_, at) => old.newRecord({ name: old.at(`h${at}`) })));
    await pool.served(old);
    await answerOf(pool.clients.call('delete', `/v1/domains/${old.id}`));
    await pool.syncNsd();
    await until('again.example.org. is gone', async () =>
      (await serialsOf(old.name)).every((serial) => serial === null),
    );
    await pool.expectExport(await publishedDomain(old.name));
  });

  itOnFour('12.1 catch up with changes during their downtime', async () => {
    const domain = await publishedDomain();
    await Promise.all(pool.servers.map((server) => server.stop()));
    for (let at = 0; at < CHANGES; at++) await domain.newRecord({ name: domain.at(`h${at}`) });
    await Promise.all(pool.servers.map((server) => server.start()));
    await pool.expectExport(domain);
  });

  itOnFour('12.1 are notified again when a NOTIFY is lost', async () => {
    const domain = await publishedDomain();
    for (const { relay } of pool.servers) relay.loseNotifies(3);
    await domain.newRecord();
    await pool.served(domain);
    await pool.expectExport(domain);
  });

  itAtLength(
    '12.1, 12.3 have all acknowledged changes when the service is killed before NOTIFY',
    async () => {
      const domain = await publishedDomain();
      for (let round = 0; round < ROUNDS; round++) {
        for (const { relay } of pool.servers) relay.loseNotifies(Infinity);
        await domain.newRecord({ name: domain.at(`h${round}`) });
        await pool.killService();
        for (const { relay } of pool.servers) relay.loseNotifies(0);
        await pool.startService();
        await pool.expectExport(domain);
      }
    },
    ROUNDS * LONGEST_ROUND,
  );

  itAtLength(
    '12.1, 12.3 have all of a domain when the service is killed in the middle of its transfer',
    async () => {
      const domain = await publishedDomain();
      for (let round = 0; round < ROUNDS; round++) {
        pool.tap.stallAfter(20_000);
        await domain.import(addresses(RECORDS, round * RECORDS), '?mode=replace');
        await pool.tap.stalled();
        await pool.killService();
        pool.tap.release();
        await pool.startService();
        await pool.expectExport(domain);
      }
    },
    ROUNDS * LONGEST_ROUND,
  );
});

function serialsOf(zone: string): Promise<(number | null)[]> {
  return Promise.all(pool.servers.map(({ port }) => serialOf(port, zone)));
}
