import { mkdtemp } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { environmentOf, removeTestData } from '../support/service.js';

const WORKERS = 3;
const LIMIT = 12;

let directory: string;
let service: ServiceProcess;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-rates-'));
  const settings = {
    SERVICE_API__WORKERS: String(WORKERS),
    RATE_LIMITS__REQUESTS_PER_ADDRESS: String(LIMIT),
    RATE_LIMITS__EXEMPT: '192.0.2.1',
  };
  service = await startServiceProcess(directory, environmentOf(directory, settings));
});
afterAll(async () => {
  killAll(service);
  await service.ended;
  await removeTestData(directory);
});

async function ask(agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { agent, localAddress: '127.0.0.2' };
    get(`${service.url}/v1/domains`, options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    }).once('error', reject);
  });
}

describe('requests of an address to several workers (attack case 89)', () => {
  it('14.4 split the limit among them, with the limit as the total', async () => {
    const statuses: number[] = [];
    // Uses a new connection for each request, so that workers take turns.
    for (let count = 0; count < 3 * LIMIT; count += 1) statuses.push(await ask(new Agent({ keepAlive: false })));
    const answered = statuses.filter((status) => status === 200).length;
    expect(answered).toBeGreaterThanOrEqual(LIMIT / WORKERS);
    expect(answered).toBeLessThanOrEqual(LIMIT);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
