import { describe, expect } from '@jest/globals';
import { Caller } from '../crash/caller.js';
import { TroubledService } from '../operations/trouble.js';
import { expectRefusal } from '../support/answers.js';
import { runService } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { ownCluster } from './own-cluster.js';
import { REPLICATED_POSTGRES } from './replicated-postgres.js';

const DATABASE = 'standby';

const cluster = ownCluster(DATABASE);

const settingsAt = (port: number, query = '') =>
  environmentOf(cluster.directory, { DATABASE__URL: cluster.urlOf(port) + query });

async function startAt(port: number, query?: string): Promise<TroubledService> {
  const url = cluster.urlOf(cluster.postgres.primaryPort);
  const service = await TroubledService.start(cluster.directory, settingsAt(port, query), url, 15_000);
  cluster.undo(() => service.kill());
  return service;
}

describe('18.2 a standby that is reached in place of the primary', () => {
  itWith(REPLICATED_POSTGRES)(
    'is neither read nor written, and the service recovers when the way is right',
    async () => {
      const proxy = await startTcpProxy(cluster.postgres.primaryPort);
      cluster.undo(() => proxy.close());
      const service = await startAt(proxy.port);
      await service.create('before');
      proxy.lead(cluster.postgres.standbyPort);
      const change = await service.create('refused');
      expectRefusal(change, { status: 503, type: 'unavailable' });
      // The standby may lag behind acknowledged changes.
      expectRefusal(await service.domain.list(), { status: 503, type: 'unavailable' });
      await service.expectUnready();
      proxy.lead(cluster.postgres.primaryPort);
      await service.expectRecovery();
    },
  );

  itWith(REPLICATED_POSTGRES)('keeps the service from starting, and the line says why', async () => {
    const { code, stderr } = await runService(cluster.directory, settingsAt(cluster.postgres.standbyPort));
    const reason =
      'the server is a standby, which follows another; the URL must lead to the primary, or name it beside this one';
    const place = `postgresql://127.0.0.1:${cluster.postgres.standbyPort}/${DATABASE}`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: `zonewright: cannot open the database ${place}: ${reason}\n` });
  });
});

describe('18.1, 10.2 a standby that is away while commits have to wait for it', () => {
  itWith(REPLICATED_POSTGRES)('holds changes up, which are refused in bounded time; reads go on', async () => {
    const service = await startAt(cluster.postgres.primaryPort, '?query_timeout=2000');
    await service.create('before');
    await cluster.postgres.stopStandby();
    cluster.undo(() => cluster.postgres.startStandby());
    expectRefusal(await service.create('waits'), { status: 503, type: 'unavailable' });
    await service.domain.records();
  });

  itWith(REPLICATED_POSTGRES)('a commit that is kept from waiting for it is not acknowledged', async () => {
    const service = await startAt(cluster.postgres.primaryPort);
    const { id, name } = service.domain;
    await cluster.postgres.stopStandby();
    const caller = new Caller(service.client.url);
    cluster.undo(async () => caller.close());
    const record = { name: `waits.${name}`, type: 'A', data: '192.0.2.1' };
    const create = () => caller.call('POST', `/v1/domains/${id}/records`, record, 'waits');
    const first = create();
    await until(async () => (await cluster.postgres.cancelWaitingCommits()) > 0);
    expect(await first).toMatchObject({ status: 503, body: { type: 'unavailable' } });
    await cluster.postgres.startStandby();
    expect(await create()).toMatchObject({ status: 200, isReplayed: true, body: { name: record.name } });
  });
});
