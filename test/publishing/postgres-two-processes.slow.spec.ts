import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { domainOf, newDomain } from '../support/domain.js';
import { itWith, missingPackages } from '../support/run-program.js';
import { Pool, type SecondService } from './pool.js';
import { serversOf } from './software.js';

const SERVERS = ['BIND', 'Knot', 'NSD'] as const;
const PROGRAMS = serversOf(SERVERS);
const CHANGES = 20;
/** Configured one by one, where other suites have the catalog. */
const ZONE = 'two.example.org';

let pool: Pool;
let second: SecondService;
beforeAll(async () => {
  const servers = missingPackages(PROGRAMS.needs).length > 0 ? [] : SERVERS;
  pool = await Pool.start({ directory: await mkdtemp(join(tmpdir(), 'zonewright-')), servers, zones: [ZONE] });
  second = await pool.startSecondService();
});
afterAll(() => pool.stop());

describe('two processes on one PostgreSQL', () => {
  itWith(PROGRAMS)('12.1, 12.3 publish changes of either process, and continue when one is killed', async () => {
    const domain = await newDomain(pool.clients, `${ZONE}.`);
    const same = domainOf(second.clients, domain);
    await Promise.all(
      Array.from({ length: CHANGES }, (_, at) =>
        (at % 2 === 0 ? domain : same).newRecord({ name: domain.at(`h${at}`) }),
      ),
    );
    await pool.expectExport(domain);

    const [server] = pool.servers;
    const told = server!.relay.notifies.length;
    await same.newRecord({ name: domain.at('last') });
    await pool.expectExport(domain);
    // One NOTIFY, and at most one more where the other process found it unanswered.
    expect(server!.relay.notifies.length - told).toBeLessThanOrEqual(2);

    await pool.killService();
    pool.tap.leadTo(second.port);
    await same.newRecord({ name: domain.at('later') });
    await pool.expectExport(same);
  });
});
