import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { clientsOf, databaseFileIn, environmentOf } from '../support/service.js';
import { compileLibcTrouble } from './libc-trouble.js';

jest.setTimeout(120_000);

/** In milliseconds: what libc-trouble.c makes of a sync, and what a read may take beside waiting for one. */
const SYNC = 3000;
const OWN_TIME = 1000;
const WRITERS = 4;
const READS = 6;

const trouble = compileLibcTrouble();
let directory: string;
let service: ServiceProcess;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-slow-sync-'));
});
afterEach(async () => {
  killAll(service);
  await service.ended;
  audit(databaseFileIn(directory));
  await rm(directory, { recursive: true });
});

describe('a disk that takes three seconds for each sync', () => {
  itWith(trouble.needs)('keeps a read waiting for one sync at most, however many changes wait', async () => {
    const flag = join(directory, 'slow');
    service = await startServiceProcess(directory, { ...environmentOf(directory), ...trouble.slowSync(flag) });
    const client = clientsOf(service.url);
    const domain = await newDomain(client);
    await writeFile(flag, '');
    const end = new AbortController();
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let at = 0; !end.signal.aborted; at++)
        await domain.create({ name: domain.at(`h${String(at)}.w${String(writer)}`), type: 'A', data: '192.0.2.1' });
    });
    const times: number[] = [];
    for (let reads = 0; reads < READS; reads++) {
      await delay(500);
      const start = performance.now();
      await domain.now();
      times.push(performance.now() - start);
    }
    end.abort();
    await rm(flag);
    await Promise.all(writers);
    expect(Math.max(...times)).toBeLessThan(SYNC + OWN_TIME);
  });
});
