import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest } from '@jest/globals';
import { Pool } from '../publishing/pool.js';
import { FOUR_SERVERS, NAMES } from '../publishing/software.js';
import { followingBy } from '../support/alias-service.js';
import { answerOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { itWith, missingPackages, run } from '../support/run-program.js';
import { until } from '../support/until.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';

const PROGRAMS = { name: 'unbound and four name servers', needs: { ...FOUR_SERVERS.needs, ...UNBOUND.needs } };
const itOnFour = itWith(PROGRAMS);
const CHANGES = times(5, 1000);
jest.setTimeout(times(120_000, 3_600_000));
const PARENT = 'targets.example.';
/** Of no zone here: unbound validates nothing that has no anchor above it. */
const ANCHOR = 'unused.example. DS 60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a';

let pool: Pool;
let resolver: ValidatingResolver | undefined;
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  const resolverPort = await freePort();
  const isMissing = missingPackages(PROGRAMS.needs).length > 0;
  const settings = {
    ...DNSSEC_ON,
    ...followingBy(`127.0.0.1:${resolverPort}`),
    SERVICE_CENTRAL__SOA_MINIMUM: '1',
  };
  pool = await Pool.start({ directory, servers: isMissing ? [] : NAMES, settings });
  if (isMissing) return;
  const servers = [`127.0.0.1@${pool.server('BIND').port}`];
  const zones = [PARENT.slice(0, -1)];
  resolver = await ValidatingResolver.start({ directory, anchor: ANCHOR, zones, servers, port: resolverPort });
});
afterAll(async () => {
  await resolver?.stop();
  await pool.stop();
});

async function addressOn(port: number, { name }: TestDomain): Promise<string> {
  const { stdout } = await run('dig', ['@127.0.0.1', '-p', String(port), '+short', '+tries=1', '+time=2', name, 'A']);
  return stdout.trim();
}

describe('24.3 behind unbound', () => {
  itOnFour('24.3, 24.1 four name servers have each address of a changing target, signed', async () => {
    const target = await newDomain(pool.clients.as('tenant-b'), PARENT, { ttl: 1 });
    const host = await target.newRecord({ name: target.at('lb'), data: '192.1.0.0', ttl: 1 });
    const domain = await newDomain(pool.clients, freshName(), { ttl: 1 });
    await domain.newRecord({ name: domain.name, type: 'ALIAS', data: target.at('lb'), ttl: 1 });
    await pool.syncNsd();
    await answerOf(pool.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }));
    for (let change = 1; change <= CHANGES; change += 1) {
      const address = `192.1.${change >> 8}.${change & 0xff}`;
      await answerOf(target.update(host.id, { data: address }));
      for (const { port } of pool.servers) await until(async () => (await addressOn(port, domain)) === address);
    }
    for (const { port } of pool.servers) {
      const { stdout } = await run('dig', ['@127.0.0.1', '-p', String(port), '+dnssec', '+short', domain.name, 'A']);
      expect(stdout).toMatch(/^A 13 3 1 /m);
    }
  });
});
