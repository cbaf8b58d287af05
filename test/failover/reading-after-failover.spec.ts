import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { clientsOf, environmentOf } from '../support/service.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { createAndList, standing } from './reading.js';
import {
  askPostgres,
  follow,
  REPLICATED_POSTGRES,
  ReplicatedPostgres,
  type PostgresServer,
} from './replicated-postgres.js';

jest.setTimeout(120_000);

const DATABASE = 'reading';

let directory: string;
let cluster: ReplicatedPostgres;
const undo: (() => unknown)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-reading-'));
  if (!isInstalled(REPLICATED_POSTGRES)) return;
  cluster = await ReplicatedPostgres.start();
  await cluster.createDatabase(DATABASE);
  await askPostgres(cluster.primaryPort, 'GRANT pg_read_all_stats TO zonewright');
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
afterAll(async () => {
  if (isInstalled(REPLICATED_POSTGRES)) await cluster.remove();
  await rm(directory, { recursive: true });
});

async function start(readers: readonly number[]): Promise<ServiceProcess> {
  const settings = {
    DATABASE__URL: cluster.urlOf([cluster.primaryPort, cluster.standbyPort], DATABASE),
    DATABASE__READ_URLS: readers.map((port) => cluster.urlAt(port, DATABASE)).join(','),
    DATABASE__MAX_STALENESS: '1000',
  };
  const service = await startServiceProcess(directory, environmentOf(directory, settings));
  undo.push(async () => {
    killAll(service);
    await service.ended;
  });
  return service;
}

/** How far a standby has replayed, in octets of the log. */
async function replayed(port: number): Promise<number> {
  const [row] = await askPostgres<{ at: string }>(
    port,
    "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS at",
  );
  return Number(row?.at);
}

/** The standby becomes the primary, and one reader has more of the former one's log than the other and the standby. */
async function failOver(stray: PostgresServer, follower: PostgresServer): Promise<void> {
  const nowhere = await freePort();
  const former = cluster.primaryPort;
  await follow(follower.port, nowhere);
  const end = await replayed(follower.port);
  await until(async () => (await replayed(cluster.standbyPort)) >= end);
  await follow(cluster.standbyPort, nowhere);
  const before = await replayed(stray.port);
  await askPostgres(
    former,
    "SELECT pg_logical_emit_message(false, '', repeat('x', 1000000)) FROM generate_series(1, 8)",
  );
  await until(async () => (await replayed(stray.port)) > before + 4_000_000);
  await cluster.killPrimary();
  await cluster.promoteStandby();
  await follow(follower.port, cluster.primaryPort);
}

describe('18.9 standbys that are read after a failover', () => {
  itWith(REPLICATED_POSTGRES)(
    'show each change that was answered, and none is asked that has more of the former primary than the new one',
    async () => {
      const [stray, follower] = [await cluster.addReader(), await cluster.addReader()];
      const either = await startTcpProxy(follower.port);
      undo.push(() => either.close());
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
      await until(async () => (await standing(service)) === '1 of 2 is read');
      expect(await misses()).toEqual([]);
      expect(service.output().stdout).toContain('does not follow the primary yet (timeline 1, not 2)');

      either.lead(follower.port);
      await until(async () => (await standing(service)) === '1 of 2 is read');
      expect(await misses()).toEqual([]);
      await follower.daemon.stop('SIGINT');
      await stray.daemon.stop('SIGINT');
      expect(await misses()).toEqual([]);
      await until(async () => (await standing(service)) === 'none of 2 is read; the primary is');
    },
  );
});
