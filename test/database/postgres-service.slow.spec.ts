import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { entityManagerOf } from '../../src/database/transaction.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { answerOf } from '../support/answers.js';
import { ask, transfer } from '../support/dns-client.js';
import { newDomain } from '../support/domain.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { connectionsTo, queryPostgres } from '../support/postgres/databases.js';
import { childrenOf, type ServiceProcess } from '../support/process.js';
import { clientsOf, type Settings, startTestService } from '../support/service.js';

describe('the unit of work', () => {
  let service: AssembledService;
  beforeAll(async () => {
    service = await assembleTestService({});
  });
  afterAll(() => service.stop());
  afterEach(() => audit(service.databaseFile));

  /** Work that PostgreSQL aborts `conflicts` times. */
  const workWithConflicts = (conflicts: number) => {
    const runs = { count: 0 };
    const work = service.database.unitOfWork.run(async (tx) => {
      runs.count += 1;
      if (runs.count <= conflicts) await entityManagerOf(tx).query("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$");
      return 'done';
    });
    return { runs, work };
  };

  it('retries transactions that PostgreSQL aborts because of another change', async () => {
    const { runs, work } = workWithConflicts(4);
    await expect(work).resolves.toBe('done');
    expect(runs.count).toBe(5);
  });

  it('18.2 answers unavailable when retries fail', async () => {
    await expect(workWithConflicts(99).work).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('lets two changes that wait for each other both succeed', async () => {
    const { unitOfWork } = service.database;
    const [one, other] = [await newDomain(service), await newDomain(service)];
    const touch = (first: string, second: string, key: string) =>
      unitOfWork.run(
        async (tx) => {
          await entityManagerOf(tx).query('UPDATE zones SET description = $2 WHERE id = $1', [first, key]);
          await delay(100);
          await entityManagerOf(tx).query('UPDATE zones SET description = $2 WHERE id = $1', [second, key]);
        },
        { zoneId: key },
      );
    await Promise.all([touch(one.id, other.id, 'a'), touch(other.id, one.id, 'b')]);
    const [first, second] = [await one.now(), await other.now()];
    expect(first.description).toBe(second.description);
    // These changes leave no journal, which the audit would miss.
    await unitOfWork.run((tx) => entityManagerOf(tx).query('UPDATE zones SET description = NULL'));
  });

  it('does not take a transaction that failed inside for one that was committed', async () => {
    const overlooked = service.database.unitOfWork.run(async (tx) => {
      await entityManagerOf(tx)
        .query('SELECT no_such_column FROM zones')
        .catch(() => undefined);
    });
    await expect(overlooked).rejects.toThrow('ROLLBACK');
  });
});

describe('18.2 when the server', () => {
  let service: AssembledService;
  let name: string;
  beforeAll(async () => {
    service = await assembleTestService({});
    name = new URL(service.databaseFile).pathname.slice(1);
  });
  afterAll(() => service.stop());
  afterEach(() => audit(service.databaseFile));

  const elsewhere = (sql: string): unknown => queryPostgres(process.env.ZONEWRIGHT_TEST_POSTGRES_URL!, sql);
  const cutConnections = (): unknown =>
    elsewhere(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);

  it('cuts all connections, requests are answered or refused with 503, and soon accepted again', async () => {
    const domain = await newDomain(service);
    const statuses: number[] = [];
    for (let round = 0; round < 10; round++) {
      const requests = [1, 2, 3, 4].map((n) =>
        domain.create({ name: domain.at(`h${String(round)}-${String(n)}`), type: 'A', data: '192.0.2.1' }),
      );
      cutConnections();
      statuses.push(...(await Promise.all(requests)).map(({ status }) => status));
      await delay(20);
    }
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await delay(200);
    await answerOf(domain.create({ name: domain.at('after'), type: 'A', data: '192.0.2.1' }));
    expect((await domain.records()).length).toBeGreaterThan(statuses.filter((status) => status === 200).length);
  });
});

describe('18.4 workers', () => {
  const WORKERS = 2;
  const place = ownPlaceForEach('workers');
  const startWorkers = (settings: Settings): Promise<ServiceProcess> =>
    place.start({ SERVICE_API__WORKERS: String(WORKERS), ...settings });

  it('share the port, are replaced when they die, and stop together', async () => {
    const service = await startWorkers({ SERVICE_API__AUTH_STRATEGY: 'token', LOG__FORMAT: 'pretty' });
    const tokens = service.output().stdout.match(/zw_\S+/g) ?? [];
    expect(tokens).toHaveLength(1);
    const { call: send, ...clients } = clientsOf(service.url);
    const admin = {
      ...clients,
      call: (...request: Parameters<typeof send>) => send(...request).set('X-Auth-Token', tokens[0]!),
    };
    const domain = await newDomain(admin);
    expect(connectionsTo(place.database)).toBeGreaterThan(WORKERS);

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

    const [doomed] = childrenOf(service.pid);
    process.kill(doomed!, 'SIGKILL');
    await expectSoon(() => {
      const workers = childrenOf(service.pid);
      return workers.length === WORKERS && !workers.includes(doomed!);
    });
    expect(await domain.records()).toHaveLength(60);

    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
    expect(childrenOf(service.pid)).toEqual([]);
  });

  it('12.1 all answer name servers at one port, over UDP and TCP', async () => {
    const service = await startWorkers({
      LOG__FORMAT: 'pretty',
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    });
    const [, port] = /DNS +dns:\/\/127\.0\.0\.1:(\d+)\n/.exec(service.output().stdout) ?? [];
    const place = { port: Number(port) };
    const domain = await newDomain(clientsOf(service.url));
    for (let round = 0; round < 10; round += 1) {
      expect((await ask(place, { name: domain.name, type: SOA.code })).answers).toHaveLength(1);
      expect((await transfer(place, { name: domain.name, type: MetaType.AXFR })).records).toHaveLength(3);
    }
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
  });

  it('end with the process that has started them, and leave the port to the next', async () => {
    const first = await startWorkers({});
    const workers = childrenOf(first.pid);
    expect(workers).toHaveLength(WORKERS);
    first.signal('SIGKILL');
    await first.ended;
    await expectSoon(() => workers.every((pid) => !existsSync(`/proc/${String(pid)}`)));

    const second = await startWorkers({ SERVICE_API__LISTEN: new URL(first.url).host });
    await answerOf(clientsOf(second.url).plain('get', '/readyz'));
    second.signal('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

async function expectSoon(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 150 && !isTrue(); tries++) await delay(100);
  expect(isTrue()).toBe(true);
}

describe('the first admin token', () => {
  it('is kept in data/ of the directory that the service runs in, and not in that of the tests', async () => {
    const service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token' });
    try {
      expect(service.running.firstTokenPath).toMatch(/^\/.*\/zonewright-[^/]+\/data\/admin-token$/);
      expect(existsSync(service.running.firstTokenPath)).toBe(true);
    } finally {
      await service.stop();
    }
  });
});
