import { mkdtemp } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { childrenOf, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

jest.setTimeout(180_000);

const WORKERS = 2;
/** In milliseconds: no request of these tests takes a hundredth of that where it is answered at all. */
const NEVER = 60_000;

let directory: string;
let service: ServiceProcess;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-workers-'));
  const settings = { SERVICE_API__WORKERS: String(WORKERS), SERVICE_API__SHUTDOWN_GRACE: '5' };
  service = await startServiceProcess(directory, environmentOf(directory, settings));
});
afterEach(async () => {
  killAll(service);
  await service.ended;
  await removeTestData(directory);
});

/** The outcome of a request on a new connection. */
function ask(): Promise<number | 'closed' | 'hangs'> {
  return new Promise((resolve) => {
    const request = get(`${service.url}/healthz`, { agent: false, timeout: NEVER }, (answer) => {
      answer.resume();
      answer.once('error', () => resolve('closed')).once('close', () => resolve(answer.statusCode ?? 'closed'));
    });
    request.once('error', () => resolve('closed')).once('timeout', () => resolve('hangs'));
  });
}

const askAtOnce = (count: number) => Promise.all(Array.from({ length: count }, ask));

async function replaced(doomed: readonly number[]): Promise<void> {
  await until(() => {
    const workers = childrenOf(service.pid);
    return workers.length === WORKERS && !workers.some((pid) => doomed.includes(pid));
  });
}

describe('18.4 a connection', () => {
  it('that is on its way to a worker that dies is answered by another, or closed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const answers = askAtOnce(40);
      const [doomed] = childrenOf(service.pid);
      process.kill(doomed!, 'SIGKILL');
      expect(await answers).not.toContain('hangs');
      await replaced([doomed!]);
    }
    expect(new Set(await askAtOnce(10))).toEqual(new Set([200]));
  });

  it('to a stopped worker is not held by it: the worker is ended and replaced', async () => {
    const [doomed] = childrenOf(service.pid);
    process.kill(doomed!, 'SIGSTOP');
    expect(await askAtOnce(40)).not.toContain('hangs');
    await replaced([doomed!]);
    expect(service.output().stdout).toContain(`worker ${doomed} has not answered for 10 s`);
    expect(new Set(await askAtOnce(10))).toEqual(new Set([200]));
  });

  it('waits while all workers are replaced, at the same port', async () => {
    const doomed = childrenOf(service.pid);
    for (const pid of doomed) process.kill(pid, 'SIGKILL');
    await replaced(doomed);
    await until(async () => (await ask()) === 200);
  });
});

it('18.3 the service ends despite a stopped worker', async () => {
  process.kill(childrenOf(service.pid)[0]!, 'SIGSTOP');
  service.signal('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0 });
});
