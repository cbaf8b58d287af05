import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import { TroubledService } from '../operations/trouble.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { runService } from '../support/process.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { REPLICATED_POSTGRES, ReplicatedPostgres } from './replicated-postgres.js';

jest.setTimeout(60_000);

const DATABASE = 'several';

let directory: string;
let cluster: ReplicatedPostgres;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-several-'));
  if (!isInstalled(REPLICATED_POSTGRES)) return;
  cluster = await ReplicatedPostgres.start();
  await cluster.createDatabase(DATABASE);
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
afterAll(async () => {
  if (isInstalled(REPLICATED_POSTGRES)) await cluster.remove();
  await rm(directory, { recursive: true });
});

/** A server that takes connections and says nothing. */
async function silentPort(): Promise<number> {
  const proxy = await startTcpProxy(cluster.primaryPort);
  proxy.delayAnswers(Infinity);
  undo.push(() => proxy.close());
  return proxy.port;
}

const settingsOf = (url: string) => environmentOf(directory, { DATABASE__URL: url });

describe('18.7 a URL with several servers', () => {
  itWith(REPLICATED_POSTGRES)(
    'leads to the primary past servers that are dead, silent or standbys, and to the next primary when it fails',
    async () => {
      const { primaryPort, standbyPort } = cluster;
      const ports = [await freePort(), await silentPort(), standbyPort, primaryPort];
      const database = cluster.urlAt(standbyPort, DATABASE);
      const service = await TroubledService.start(directory, settingsOf(cluster.urlOf(ports, DATABASE)), database);
      undo.push(() => service.kill());
      await service.create('before');
      await cluster.killPrimary();
      await service.create('refused');
      await service.expectUnready();
      await cluster.promoteStandby();
      await service.expectRecovery();
      await service.stop();
      await cluster.addStandby();
    },
  );

  itWith(REPLICATED_POSTGRES)(
    'keeps the service from starting where none is a primary, and says what each is',
    async () => {
      const [dead, standby] = [await freePort(), cluster.standbyPort];
      const { code, stderr } = await runService(directory, settingsOf(cluster.urlOf([dead, standby], DATABASE)));
      const place = `postgresql://127.0.0.1:${dead},127.0.0.1:${standby}/${DATABASE}`;
      const reason =
        'no server of the URL is a primary:' +
        ` 127.0.0.1:${dead} cannot be asked (connect ECONNREFUSED 127.0.0.1:${dead}), 127.0.0.1:${standby} is a standby`;
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `zonewright: cannot open the database ${place}: ${reason}\n`,
      });
    },
  );

  itWith(REPLICATED_POSTGRES)('is not searched further once a server has refused the user', async () => {
    const url = cluster.urlOf([cluster.primaryPort, await freePort()], DATABASE).replace('zonewright:', 'nobody:');
    const { code, stderr } = await runService(directory, settingsOf(url));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/role "nobody" does not exist\n$/),
    });
  });
});
