import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest } from '@jest/globals';
import { Random, seedFrom } from '../crash/random.js';
import { audit } from '../support/audit.js';
import { childrenOf, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { Clients } from './clients.js';
import { HAPROXY, type Haproxy, startHaproxy } from './haproxy.js';
import { REPLICATED_POSTGRES, ReplicatedPostgres } from './replicated-postgres.js';
import { stored, told } from './told.js';

/** One round in `npm run test:all`; `npm run test:failover` runs 20 and prints its actions. */
const ROUNDS = Number(process.env.ZONEWRIGHT_FAILOVER_ROUNDS ?? 1);
const SEED = seedFrom('ZONEWRIGHT_FAILOVER_SEED');
const CLIENTS = 8;
/** Minimum load time before the primary is killed, in milliseconds. */
const SHORTEST_LOAD = 200;
const LONGEST_LOAD = 2000;
/** Longest outage after the kill in milliseconds, including the cluster manager and HAProxy. */
const LONGEST_OUTAGE = 10_000;
/** How long a cluster manager takes to notice, in milliseconds. */
const NOTICED_AFTER = 500;
const DATABASE = 'failover';

jest.setTimeout(180_000 + ROUNDS * 30_000);

let directory: string;
let cluster: ReplicatedPostgres | undefined;
let haproxy: Haproxy | undefined;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-failover-'));
});
afterAll(async () => {
  if (service !== undefined) killAll(service);
  await service?.ended;
  await haproxy?.stop();
  await cluster?.remove();
  await rm(directory, { recursive: true });
});

/** Everything that works in the background is on, and must outlive the primary as well. */
const SETTINGS = { SERVICE_API__WORKERS: '2', SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: '127.0.0.1:0' };

describe('18.1, 18.2, 10.2 a primary that is killed under load while a synchronous standby follows (attack case 107)', () => {
  itWith({ name: 'failover', needs: { ...REPLICATED_POSTGRES.needs, ...HAPROXY.needs } })(
    `is replaced without a service restart: nothing acknowledged is lost or applied twice (${ROUNDS} times)`,
    async () => {
      cluster = await ReplicatedPostgres.start();
      await cluster.createDatabase(DATABASE);
      haproxy = await startHaproxy([cluster.primaryPort, cluster.standbyPort], directory);
      const url = cluster.urlAt(haproxy.port, DATABASE);
      service = await startServiceProcess(directory, environmentOf(directory, { DATABASE__URL: url, ...SETTINGS }));
      const workers = childrenOf(service.pid);
      const clients = new Clients(service.url, CLIENTS);
      const random = new Random(SEED);
      const outages: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await clients.servedSince(performance.now());
        await delay(SHORTEST_LOAD + random.below(LONGEST_LOAD - SHORTEST_LOAD));
        const killed = performance.now();
        await cluster.killPrimary();
        await delay(NOTICED_AFTER);
        await cluster.promoteStandby();
        await clients.servedSince(killed);
        outages.push(Math.round(performance.now() - killed));
        await cluster.addStandby();
      }
      await clients.servedSince(performance.now());
      await clients.stop();
      const { figures } = clients;
      const done = `failover, seed ${SEED}: ${JSON.stringify({ ...figures, outages })}`;
      if (ROUNDS > 1) process.stderr.write(`${done}\n`);

      expect({ done, isQuick: Math.max(...outages) < LONGEST_OUTAGE }).toEqual({ done, isQuick: true });
      expect(figures.refused).toBeGreaterThan(0);
      // Bypasses HAProxy: opening a database through it would delay all clients and the HAProxy checks.
      const database = cluster.urlAt(cluster.primaryPort, DATABASE);
      expect(stored(database)).toEqual(told(clients.domains));
      audit(database);
      expect(childrenOf(service.pid)).toEqual(workers);
      service.signal('SIGTERM');
      expect(await service.ended).toMatchObject({ code: 0 });
      expect(service.output().stderr).not.toMatch(/unhandled|TypeError|RangeError/i);
    },
  );
});
