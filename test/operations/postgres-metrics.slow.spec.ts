import { mkdtemp } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { samplesIn, type Sample, sumOf } from '../support/metrics.js';
import { childrenOf, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

const WORKERS = 3;
const REQUESTS = 30;

let directory: string;
let service: ServiceProcess;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-metrics-'));
  const settings = { SERVICE_API__WORKERS: String(WORKERS), METRICS__LISTEN: '127.0.0.1:0' };
  service = await startServiceProcess(directory, environmentOf(directory, settings));
});
afterAll(async () => {
  killAll(service);
  await service.ended;
  await removeTestData(directory);
});

async function samples(): Promise<Sample[]> {
  const url = /"metrics":"([^"]+)"/.exec(service.output().stdout)?.[1] ?? '';
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return samplesIn(await answer.text());
}

/** Uses a new connection for each request, so that workers take turns. */
async function ask(path: string): Promise<void> {
  const agent = new Agent({ keepAlive: false });
  await new Promise<void>((resolve, reject) => {
    get(`${service.url}${path}`, { agent }, (answer) => answer.resume().once('end', resolve)).once('error', reject);
  });
}

describe('16.3 several workers', () => {
  it('are summed, also after a worker has died', async () => {
    for (let count = 0; count < REQUESTS; count += 1) await ask('/v1/domains');
    const counted = async () => sumOf(await samples(), 'zonewright_http_requests_total', { route: '/v1/domains' });
    expect(await counted()).toBe(REQUESTS);
    expect(await counted()).toBe(REQUESTS);
    const [first] = childrenOf(service.pid);
    process.kill(first!, 'SIGKILL');
    await until(() => !childrenOf(service.pid).includes(first!), 10_000);
    // Its counts are lost, as after a restart: Prometheus handles the counter reset.
    expect(await counted()).toBeLessThanOrEqual(REQUESTS);
  });

  it('count exited workers, each with a log line', async () => {
    const ended = async () => sumOf(await samples(), 'zonewright_workers_ended_total', { by: 'signal' });
    await until(() => childrenOf(service.pid).length === WORKERS);
    const before = await ended();
    const [first] = childrenOf(service.pid);
    process.kill(first!, 'SIGKILL');
    await until(async () => (await ended()) === before + 1);
    await until(() => service.output().stdout.includes(`worker ${first} was ended by SIGKILL and is replaced`));
    expect(sumOf(await samples(), 'zonewright_workers_ended_total', { by: 'exit' })).toBe(0);
  });

  it('show their connections to PostgreSQL by pool', async () => {
    const shown = await samples();
    for (const pool of ['changes', 'reads', 'streams'])
      expect(shown.filter(({ name, labels }) => name.includes('connection') && labels.pool === pool)).toHaveLength(3);
    expect(sumOf(shown, 'zonewright_database_connections', { pool: 'reads' })).toBeGreaterThan(0);
  });
});
