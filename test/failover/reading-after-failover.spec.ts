import { beforeAll, describe, expect, jest } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import type { ServiceProcess } from '../support/process.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { clientsOf, environmentOf } from '../support/service.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { createAndList, standbyState } from './reading.js';
import { ownCluster } from './own-cluster.js';
import { askPostgres, follow, REPLICATED_POSTGRES, type PostgresServer } from './replicated-postgres.js';

jest.setTimeout(240_000);

/** The service repeats the warning about a standby once a minute, and a busy machine has it warn of a delay before. */
const NEXT_WARNING = 70_000;

const DATABASE = 'reading';

const cluster = ownCluster(DATABASE);

beforeAll(async () => {
  if (!isInstalled(REPLICATED_POSTGRES)) return;
  await askPostgres(cluster.postgres.primaryPort, 'GRANT pg_read_all_stats TO zonewright');
});

async function start(readers: readonly number[]): Promise<ServiceProcess> {
  const settings = {
    DATABASE__URL: cluster.urlOf(cluster.postgres.primaryPort, cluster.postgres.standbyPort),
    DATABASE__READ_URLS: readers.map((port) => cluster.urlOf(port)).join(','),
    DATABASE__MAX_STALENESS: '1000',
  };
  return cluster.start(environmentOf(cluster.directory, settings));
}

/** How far a standby has replayed, in octets of the log. */
async function replayed(port: number): Promise<number> {
  const [row] = await askPostgres<{ at: string }>(
    port,
    "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS at",
  );
  return Number(row?.at);
}

/**
 * Promotes the standby; one reader has replayed more of the old primary's WAL than the other reader and the standby.
 */
async function failOver(stray: PostgresServer, follower: PostgresServer): Promise<void> {
  const nowhere = await freePort();
  const former = cluster.postgres.primaryPort;
  await follow(follower.port, nowhere);
  const end = await replayed(follower.port);
  await until(async () => (await replayed(cluster.postgres.standbyPort)) >= end);
  await follow(cluster.postgres.standbyPort, nowhere);
  const before = await replayed(stray.port);
  await askPostgres(
    former,
    "SELECT pg_logical_emit_message(false, '', repeat('x', 1000000)) FROM generate_series(1, 8)",
  );
  await until(async () => (await replayed(stray.port)) > before + 4_000_000);
  await cluster.postgres.killPrimary();
  await cluster.postgres.promoteStandby();
  await follow(follower.port, cluster.postgres.primaryPort);
}

describe('18.9 standbys that are read after a failover', () => {
  itWith(REPLICATED_POSTGRES)(
    'show each change that was answered, and none is asked that has more of the former primary than the new one',
    async () => {
      const [stray, follower] = [await cluster.postgres.addReader(), await cluster.postgres.addReader()];
      const either = await startTcpProxy(follower.port);
      cluster.undo(() => either.close());
      const service = await start([either.port, stray.port]);
      const domains = await Promise.all([1, 2, 3, 4].map(() => newDomain(clientsOf(service.url))));
      let batches = 0;
      const misses = async (): Promise<string[]> => {
        const lists = domains.map((domain) => createAndList(service, domain, 20, `r${(batches += 1)}-`));
        return (await Promise.all(lists)).flat();
      };
      expect(await misses()).toEqual([]);

      // The connection by which it is looked at still leads to the one that follows.
      either.leadNext(stray.port);
      await failOver(stray, follower);
      await until(async () => (await clientsOf(service.url).plain('get', '/readyz')).status === 200);
      await until(async () => (await standbyState(service)) === '1 of 2 is read');
      expect(await misses()).toEqual([]);
      const isWarned = () => service.output().stdout.includes('does not follow the primary yet (timeline 1, not 2)');
      await until(isWarned, NEXT_WARNING);

      either.lead(follower.port);
      await until(async () => (await standbyState(service)) === '1 of 2 is read');
      expect(await misses()).toEqual([]);
      await follower.daemon.stop('SIGINT');
      await stray.daemon.stop('SIGINT');
      expect(await misses()).toEqual([]);
      await until(async () => (await standbyState(service)) === 'none of 2 is read; the primary is');
    },
  );
});
