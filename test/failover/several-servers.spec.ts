import { describe, expect } from '@jest/globals';
import { TroubledService } from '../operations/trouble.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { runService } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { ownCluster } from './own-cluster.js';
import { REPLICATED_POSTGRES } from './replicated-postgres.js';

const DATABASE = 'several';

const cluster = ownCluster(DATABASE);

/** A server that takes connections and says nothing. */
async function silentPort(): Promise<number> {
  const proxy = await startTcpProxy(cluster.postgres.primaryPort);
  proxy.delayAnswers(Infinity);
  cluster.undo(() => proxy.close());
  return proxy.port;
}

const settingsOf = (url: string) => environmentOf(cluster.directory, { DATABASE__URL: url });

describe('18.7 a URL with several servers', () => {
  itWith(REPLICATED_POSTGRES)(
    'leads to the primary past servers that are dead, silent or standbys, and to the next primary when it fails',
    async () => {
      const { primaryPort, standbyPort } = cluster.postgres;
      const ports = [await freePort(), await silentPort(), standbyPort, primaryPort];
      const database = cluster.urlOf(standbyPort);
      const service = await TroubledService.start(cluster.directory, settingsOf(cluster.urlOf(...ports)), database);
      cluster.undo(() => service.kill());
      await service.create('before');
      await cluster.postgres.killPrimary();
      await service.create('refused');
      await service.expectUnready();
      await cluster.postgres.promoteStandby();
      await service.expectRecovery();
      await service.stop();
      await cluster.postgres.addStandby();
    },
  );

  itWith(REPLICATED_POSTGRES)(
    'keeps the service from starting without a primary, and reports the state of each server',
    async () => {
      const [dead, standby] = [await freePort(), cluster.postgres.standbyPort];
      const { code, stderr } = await runService(cluster.directory, settingsOf(cluster.urlOf(dead, standby)));
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
    const url = cluster.urlOf(cluster.postgres.primaryPort, await freePort()).replace('zonewright:', 'nobody:');
    const { code, stderr } = await runService(cluster.directory, settingsOf(url));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/role "nobody" does not exist\n$/),
    });
  });
});
