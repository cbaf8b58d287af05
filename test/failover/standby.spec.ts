import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import { Caller } from '../crash/caller.js';
import { TroubledService } from '../operations/trouble.js';
import { expectRefusal } from '../support/answers.js';
import { runService } from '../support/process.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { environmentOf } from '../support/service.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { REPLICATED_POSTGRES, ReplicatedPostgres } from './replicated-postgres.js';

jest.setTimeout(60_000);

const DATABASE = 'standby';

let directory: string;
let cluster: ReplicatedPostgres;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-standby-'));
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

const settingsAt = (port: number, query = '') =>
  environmentOf(directory, { DATABASE__URL: cluster.urlAt(port, DATABASE) + query });

async function startAt(port: number, query?: string): Promise<TroubledService> {
  const url = cluster.urlAt(cluster.primaryPort, DATABASE);
  const service = await TroubledService.start(directory, settingsAt(port, query), url, 15_000);
  undo.push(() => service.kill());
  return service;
}

describe('18.2 a standby that is reached in place of the primary', () => {
  itWith(REPLICATED_POSTGRES)(
    'is neither read nor written, and the service recovers when the way is right',
    async () => {
      const proxy = await startTcpProxy(cluster.primaryPort);
      undo.push(() => proxy.close());
      const service = await startAt(proxy.port);
      await service.create('before');
      proxy.lead(cluster.standbyPort);
      const change = await service.create('refused');
      expectRefusal(change, { status: 503, type: 'unavailable' });
      // What it shows may be older than what was acknowledged.
      expectRefusal(await service.domain.list(), { status: 503, type: 'unavailable' });
      await service.expectUnready();
      proxy.lead(cluster.primaryPort);
      await service.expectRecovery();
    },
  );

  itWith(REPLICATED_POSTGRES)('keeps the service from starting, and the line says why', async () => {
    const { code, stderr } = await runService(directory, settingsAt(cluster.standbyPort));
    const reason =
      'the server is a standby, which follows another; the URL must lead to the primary, or name it beside this one';
    const place = `postgresql://127.0.0.1:${cluster.standbyPort}/${DATABASE}`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: `zonewright: cannot open the database ${place}: ${reason}\n` });
  });
});

describe('18.1, 10.2 a standby that is away while commits have to wait for it', () => {
  itWith(REPLICATED_POSTGRES)('holds changes up, which are refused in bounded time; reads go on', async () => {
    const service = await startAt(cluster.primaryPort, '?query_timeout=2000');
    await service.create('before');
    await cluster.stopStandby();
    undo.push(() => cluster.startStandby());
    expectRefusal(await service.create('waits'), { status: 503, type: 'unavailable' });
    await service.domain.records();
  });

  itWith(REPLICATED_POSTGRES)('a commit that is kept from waiting for it is not acknowledged', async () => {
    const service = await startAt(cluster.primaryPort);
    const { id, name } = service.domain;
    await cluster.stopStandby();
    const caller = new Caller(service.client.url);
    undo.push(async () => caller.close());
    const record = { name: `waits.${name}`, type: 'A', data: '192.0.2.1' };
    const create = () => caller.call('POST', `/v1/domains/${id}/records`, record, 'waits');
    const first = create();
    await until(async () => (await cluster.cancelWaitingCommits()) > 0);
    expect(await first).toMatchObject({ status: 503, body: { type: 'unavailable' } });
    await cluster.startStandby();
    expect(await create()).toMatchObject({ status: 200, isReplayed: true, body: { name: record.name } });
  });
});
