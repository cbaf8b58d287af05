import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, jest } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Sample, samplesIn, sumOf } from '../support/metrics.js';
import { runService, type ServiceProcess } from '../support/process.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { clientsOf, environmentOf } from '../support/service.js';
import { until } from '../support/until.js';
import { createAndList, standbyState } from './reading.js';
import { ownCluster } from './own-cluster.js';
import { REPLICATED_POSTGRES, type PostgresServer } from './replicated-postgres.js';

jest.setTimeout(120_000);

const DATABASE = 'reading';
const OTHER_DATABASE = 'other';
/** In milliseconds; a machine that is busy with other tests replays later. */
const MAX_STALENESS = '1000';
/** Silence is noticed within some seconds; in milliseconds. */
const LONGEST_READ = 10_000;

const cluster = ownCluster(DATABASE);
let readers: readonly [PostgresServer, PostgresServer];

beforeAll(async () => {
  if (!isInstalled(REPLICATED_POSTGRES)) return;
  await cluster.postgres.createDatabase(OTHER_DATABASE);
  // One replica always lags: a reader that does not wait for it misses recent changes.
  readers = [await cluster.postgres.addReader(), await cluster.postgres.addReader('recovery_min_apply_delay=50ms')];
});

const settingsAt = (readUrls: readonly string[], settings: Record<string, string> = {}) =>
  environmentOf(cluster.directory, {
    DATABASE__URL: cluster.urlOf(cluster.postgres.primaryPort),
    DATABASE__READ_URLS: readUrls.join(','),
    DATABASE__MAX_STALENESS: MAX_STALENESS,
    ...settings,
  });

async function start(servers: readonly PostgresServer[], settings?: Record<string, string>): Promise<ServiceProcess> {
  const urls = servers.map(({ port }) => cluster.urlOf(port));
  return cluster.start(settingsAt(urls, settings));
}

async function figures({ url }: ServiceProcess): Promise<Sample[]> {
  return samplesIn((await clientsOf(url).call('get', '/metrics')).text);
}

describe('18.9 standbys that are read', () => {
  itWith(REPLICATED_POSTGRES)('show each change that was answered before, whichever process has made it', async () => {
    const service = await start(readers, { SERVICE_API__WORKERS: '2' });
    const domains = await Promise.all([1, 2, 3, 4].map(() => newDomain(clientsOf(service.url))));
    const missed = await Promise.all(domains.map((domain) => createAndList(service, domain, 50)));
    expect(missed.flat()).toEqual([]);
    const shown = await figures(service);
    for (const { port } of readers)
      expect(sumOf(shown, 'zonewright_offloaded_reads_total', { source: `127.0.0.1:${port}` })).toBeGreaterThan(50);
    expect(await standbyState(service)).toBe('2 of 2 are read');
  });

  itWith(REPLICATED_POSTGRES)(
    'are skipped while replay is paused, and no reader misses a change meanwhile',
    async () => {
      const service = await start(readers, { DATABASE__MAX_STALENESS: '300' });
      const domain = await newDomain(clientsOf(service.url));
      for (const reader of readers) {
        await reader.pauseReplay();
        cluster.undo(() => reader.resumeReplay());
      }
      expect(await createAndList(service, domain, 20)).toEqual([]);
      await until(async () => (await standbyState(service)) === 'none of 2 is read; the primary is');
      const shown = await figures(service);
      expect(sumOf(shown, 'zonewright_standby_fallbacks_total', { reason: 'behind' })).toBeGreaterThan(0);
      expect(sumOf(shown, 'zonewright_offloaded_reads_total', { source: 'primary' })).toBeGreaterThan(30);
      expect(sumOf(shown, 'zonewright_standby_lag_seconds')).toBeGreaterThan(0.1);
      for (const reader of readers) await reader.resumeReplay();
      await until(async () => (await standbyState(service)) === '2 of 2 are read');
      expect(await createAndList(service, await newDomain(clientsOf(service.url)), 20)).toEqual([]);
    },
  );

  itWith(REPLICATED_POSTGRES)('that die or fall silent in the middle of a read are replaced by others', async () => {
    const service = await start(readers, { DEFAULT__QUOTA_ZONE_RECORDS: '100000' });
    const domain = await newDomain(clientsOf(service.url));
    const lines = Array.from({ length: 30_000 }, (_, at) => `r${at} 300 IN A 192.0.2.1`);
    await domain.import(`$ORIGIN ${domain.name}\n${lines.join('\n')}\n`);
    const ends = [() => readers[0].daemon.stop('SIGINT'), async () => cluster.undo(readers[1].silence())];
    for (const end of ends) {
      const reading = new AbortController();
      const answers = [1, 2, 3, 4].map(() => readUntil(reading.signal, service, domain));
      await delay(500);
      await end();
      // By then every reader has tried the stopped replica.
      await delay(4000);
      reading.abort();
      expect((await Promise.all(answers)).flat().filter(({ status }) => status !== 200)).toEqual([]);
    }
    expect(await standbyState(service)).toBe('none of 2 is read; the primary is');
    const slowest = await figures(service);
    expect(sumOf(slowest, 'zonewright_standby_fallbacks_total', { reason: 'lost' })).toBeGreaterThan(0);
    await readers[0].daemon.start();
    await until(async () => (await standbyState(service)) === '1 of 2 is read');
  });
});

/** Statuses of exports and lists until the signal, each within bounded time. */
async function readUntil(
  end: AbortSignal,
  service: ServiceProcess,
  { id }: TestDomain,
): Promise<{ status: number; path: string }[]> {
  const answers: { status: number; path: string }[] = [];
  const search = `/v1/domains/${id}/records?data=192.0.2.9`;
  while (!end.aborted)
    for (const path of [`/v1/domains/${id}/check`, search]) {
      const begun = performance.now();
      const { status } = await clientsOf(service.url).call('get', path);
      answers.push({ status, path });
      expect(performance.now() - begun).toBeLessThan(LONGEST_READ);
    }
  return answers;
}

describe('18.9 servers that are no standbys of the database', () => {
  const refusals = {
    'a primary': {
      url: () => cluster.urlOf(cluster.postgres.primaryPort),
      why: 'which is a primary: name standbys that follow the server of [database] url, and none that takes changes',
    },
    'another database': {
      url: () => cluster.postgres.urlAt(readers[0].port, OTHER_DATABASE),
      why: 'which follows another database: name standbys of the server of [database] url, with the same database and schema',
    },
    'a database that it does not have': {
      url: () => cluster.postgres.urlAt(readers[0].port, 'missing'),
      why: 'which refuses (database "missing" does not exist): name it with a user, a password and a database that it knows',
    },
  };
  for (const [what, { url, why }] of Object.entries(refusals))
    itWith(REPLICATED_POSTGRES)(`keep the service from starting: ${what}`, async () => {
      const { code, stderr } = await runService(cluster.directory, settingsAt([url()]));
      const { host } = new URL(url());
      const line = `zonewright: cannot read from the standby ${host} of [database] read_urls, ${why}\n`;
      expect({ code, stderr }).toEqual({ code: 1, stderr: line });
    });

  itWith(REPLICATED_POSTGRES)('are rejected with SQLite', async () => {
    const env = {
      ...settingsAt([cluster.urlOf(readers[0].port)]),
      ZONEWRIGHT_DATABASE__URL: 'sqlite::memory:',
    };
    const { code, stderr } = await runService(cluster.directory, env);
    const line =
      'zonewright: [database] read_urls names standbys of PostgreSQL, and [database] url is SQLite: leave read_urls empty,' +
      ' or name the primary as url\n';
    expect({ code, stderr }).toEqual({ code: 1, stderr: line });
  });
});
