import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { queryPostgres } from '../support/postgres/databases.js';
import { type PostgresServer, startPostgresServer } from '../support/postgres/server.js';
import { environmentOf, type Settings } from '../support/service.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { expectUnavailable, TroubledService } from './trouble.js';

const WRITERS = 8;
const DATABASE = 'trouble';

let server: PostgresServer;
let proxy: TcpProxy;
let directory: string;
let service: TroubledService;

beforeAll(async () => {
  server = await startPostgresServer();
  proxy = await startTcpProxy(Number(new URL(server.url).port));
  // As in docs/operating/processes.md; a superuser could use the reserved connections.
  elsewhere("CREATE ROLE zonewright LOGIN PASSWORD 'secret'");
});
afterAll(async () => {
  await proxy.close();
  await server.remove();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-trouble-'));
  elsewhere(`CREATE DATABASE ${DATABASE} OWNER zonewright`);
});
afterEach(async () => {
  proxy.delayAnswers(0);
  await service.kill();
  elsewhere(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
  await rm(directory, { recursive: true });
});

function elsewhere(sql: string): void {
  queryPostgres(server.url, sql);
}

/** Settings of a role or a database hold for connections that are made afterwards. */
function cutConnections(): void {
  elsewhere(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}'`);
}

interface Circumstances {
  readonly query?: string;
  readonly settings?: Settings;
  /** In milliseconds. */
  readonly longestAnswer?: number;
}

async function start({ query = '', settings, longestAnswer }: Circumstances = {}): Promise<void> {
  const url = (port: number | string): string => `postgresql://zonewright:secret@127.0.0.1:${String(port)}/${DATABASE}`;
  const env = environmentOf(directory, { DATABASE__URL: url(proxy.port) + query, ...settings });
  service = await TroubledService.start(directory, env, url(new URL(server.url).port), longestAnswer);
}

/** Several clients that create records sequentially until stopped. */
function startWriting(): () => Promise<void> {
  const end = new AbortController();
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; !end.signal.aborted; at++) {
      const { status } = await service.create(`w${String(writer)}n${String(at)}`);
      if (status !== 200) await delay(50);
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, at) => write(at)));
  return async () => {
    end.abort();
    await writing;
  };
}

describe('18.2 a server (attack case 107)', () => {
  it.each([
    ['is stopped', 'SIGINT'],
    ['shuts down immediately', 'SIGQUIT'],
  ] as const)('that %s and started again under load: nothing acknowledged is lost', async (_, signal) => {
    await start();
    const endWriting = startWriting();
    await until(() => service.acknowledged.length >= WRITERS);
    await server.signal(signal);
    try {
      await service.expectUnready();
      expect(service.refused.length).toBeGreaterThan(0);
    } finally {
      await server.start();
    }
    const before = service.acknowledged.length;
    await until(() => service.acknowledged.length > before);
    await endWriting();
    // At most one for each connection: its COMMIT was in progress.
    expect((await service.acknowledgeWhatCameThrough()).length).toBeLessThanOrEqual(WRITERS);
    await service.expectRecovery();
    await service.stop();
  });

  it('that is read-only: refuses changes, continues reads, and recovers', async () => {
    await start();
    await service.create('before');
    elsewhere(`ALTER DATABASE ${DATABASE} SET default_transaction_read_only = on`);
    cutConnections();
    const answers = await Promise.all([1, 2, 3].map((at) => service.create(`refused${String(at)}`)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    await service.expectReadingOnly();
    elsewhere(`ALTER DATABASE ${DATABASE} RESET default_transaction_read_only`);
    await service.expectRecovery();
    await service.stop();
  });

  it('without free connections: refuses requests, and recovers', async () => {
    await start();
    await service.create('before');
    elsewhere('ALTER ROLE zonewright CONNECTION LIMIT 0');
    cutConnections();
    try {
      await service.createUntilRefused();
      await service.expectUnready();
      expectUnavailable(await service.domain.list());
    } finally {
      elsewhere('ALTER ROLE zonewright CONNECTION LIMIT -1');
    }
    await service.expectRecovery();
    await service.stop();
  });
});

it('16.4 a server that is away is one line in the log, and so is its return', async () => {
  const [away, back] = ['Requests are refused: the database cannot be reached', 'The database answers again.'];
  const [paused, goOn] = ['Background imports and exports are paused', 'Background imports and exports run again.'];
  await start();
  await server.signal('SIGINT');
  try {
    await until(() => service.linesBeginning(paused) === 1);
    // Two more attempts of theirs.
    await delay(4500);
  } finally {
    await server.start();
  }
  await until(() => service.linesBeginning(back) === 1 && service.linesBeginning(goOn) === 1);
  expect([away, paused, back, goOn].map((words) => service.linesBeginning(words))).toEqual([1, 1, 1, 1]);
  await service.stop();
});

describe('18.2 a connection (attack case 107)', () => {
  it('that takes 2 seconds: requests take longer or are refused, and none waits forever', async () => {
    await start({ longestAnswer: 40_000 });
    await service.create('before');
    proxy.delayAnswers(2000);
    const answers = Promise.all(Array.from({ length: 20 }, (_, at) => service.create(`slow${String(at)}`)));
    await service.expectAlive();
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses).toContain(200);
    proxy.delayAnswers(0);
    await service.expectRecovery();
    await service.stop();
  });

  it('that carries no answers: requests are refused, and it recovers', async () => {
    await start({ query: '?query_timeout=2000', longestAnswer: 15_000 });
    await service.create('before');
    proxy.delayAnswers(Infinity);
    const answers = await Promise.all([1, 2, 3].map((at) => service.create(`lost${String(at)}`)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    await service.expectUnready();
    proxy.delayAnswers(0);
    await service.expectRecovery();
    await service.stop();
  });

  it('that carries no answers when the service is stopped: it ends within the grace time', async () => {
    await start({ settings: { SERVICE_API__SHUTDOWN_GRACE: '1' } });
    await service.create('before');
    proxy.delayAnswers(Infinity);
    const lost = service.domain.create({ name: service.domain.at('lost'), type: 'A', data: '192.0.2.1' });
    const outcome = lost.then(
      ({ status }) => status,
      () => 'cut off',
    );
    await delay(200);
    const begin = performance.now();
    await service.stop();
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(await outcome).toBe('cut off');
  });
});
