import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { assembleTestService } from '../support/assembled-service.js';
import { answerOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { domainOf, newDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

/** In milliseconds: behind it a request that waits for a lock is refused. */
const LOCK_TIMEOUT = 10_000;

describe('18.2 a stopped process', () => {
  let directory: string;
  const processes: ServiceProcess[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-standstill-'));
  });
  afterEach(async () => {
    for (const service of processes) killAll(service);
    await Promise.all(processes.map(({ ended }) => ended));
    processes.length = 0;
    audit(databaseFileIn(directory));
    await removeTestData(directory);
  });

  const start = async (): Promise<ServiceProcess> => {
    const service = await startServiceProcess(directory, environmentOf(directory));
    processes.push(service);
    return service;
  };

  /** Whether a session holds the row of a domain. */
  const isHeld = (zoneId: string): boolean => {
    const free = 'SELECT 1 FROM zones WHERE id = $1 FOR UPDATE SKIP LOCKED';
    return queryPostgres(databaseFileIn(directory), free, [zoneId]).length === 0;
  };

  it('loses its transaction before requests that wait for its locks are refused', async () => {
    const doomed = await start();
    const other = await start();
    const domain = await newDomain(clientsOf(doomed.url));
    const lines = Array.from({ length: 20_000 }, (_, at) => `h${String(at)} 300 IN A 192.0.2.1`);
    const importing = domain.sendFile(lines.join('\n')).then(({ status }) => status);
    await until(() => isHeld(domain.id), 20_000);
    doomed.signal('SIGSTOP');
    const begun = performance.now();
    const client = clientsOf(other.url);
    await answerOf(domainOf(client, domain).create({ name: domain.at('www'), type: 'A', data: '192.0.2.9' }));
    expect(performance.now() - begun).toBeLessThan(LOCK_TIMEOUT);
    await answerOf(client.plain('get', '/readyz'));

    doomed.signal('SIGCONT');
    expect(await importing).toBe(503);
    await answerOf(domain.create({ name: domain.at('mail'), type: 'A', data: '192.0.2.9' }));
    expect((await domain.records()).map(({ name }) => name)).toEqual([domain.at('www'), domain.at('mail')]);
  });
});

it('18.2 every connection checks its client, and ends an idle transaction', async () => {
  const service = await assembleTestService({});
  try {
    const settings = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout'];
    const names = [...settings, 'idle_in_transaction_session_timeout'];
    const sql = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
    const { writer } = service.database;
    expect(await writer.query(sql)).toEqual([
      {
        tcp_keepalives_idle: '10',
        tcp_keepalives_interval: '5',
        tcp_keepalives_count: '3',
        tcp_user_timeout: '25000',
        idle_in_transaction_session_timeout: '7s',
      },
    ]);
  } finally {
    await service.stop();
  }
});
