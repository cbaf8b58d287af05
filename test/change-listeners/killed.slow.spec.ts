import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { COMMAND_LINE, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { gapsIn, installListener, numbersByZone, writtenIn } from './written-entries.js';

/** 1,000 in `npm run test:all`, 10,000 by `npm run test:listeners`. */
const EVENTS = Number(process.env.ZONEWRIGHT_LISTENER_EVENTS ?? 1000);
const KILLS = 3;
const DOMAINS = 8;
const CLIENTS = 16;

let directory: string;
let service: ServiceProcess;
let environment: Record<string, string>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  environment = environmentOf(directory, { PLUGINS__PACKAGES: await installListener(directory) });
  service = await start();
});
afterEach(async () => {
  killAll(service);
  await service.ended;
  await removeTestData(directory);
});

const start = () => startServiceProcess(directory, environment, [COMMAND_LINE, 'serve']);

/** Creates records until `count` are acknowledged; failed requests do not count. */
async function createRecords(domains: readonly TestDomain[], count: number, label: string): Promise<void> {
  let begun = 0;
  const create = async (): Promise<void> => {
    while (begun < count) {
      const at = (begun += 1);
      const { id, name } = domains[at % domains.length]!;
      const answer = await fetch(new URL(`/v1/domains/${id}/records`, service.url), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Auth-Project-ID': 'tenant-a', 'X-Roles': 'admin' },
        body: JSON.stringify({ name: `${label}-${at}.${name}`, type: 'A', data: '192.0.2.1' }),
      });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, create));
}

describe('a service that is killed', () => {
  it(`19.2 gives a listener each of ${EVENTS} entries at least once, and in order`, async () => {
    const domains = await Promise.all(Array.from({ length: DOMAINS }, () => newDomain(clientsOf(service.url))));
    for (let nth = 1; nth <= KILLS; nth += 1) {
      await createRecords(domains, Math.ceil(EVENTS / KILLS), `k${nth}`);
      killAll(service);
      await service.ended;
      service = await start();
    }
    const zones = lookInto(databaseFileIn(directory), ({ rows }) =>
      rows<{ id: string; version: number }>('SELECT id, version FROM zones'),
    );
    const expected = zones.reduce((sum, { version }) => sum + version, 0);
    expect(expected).toBeGreaterThan(EVENTS);
    const distinct = () => new Set(writtenIn(directory).map(({ zoneId, number }) => `${zoneId} ${number}`)).size;
    await until(() => distinct() === expected);
    const numbers = numbersByZone(writtenIn(directory));
    for (const { id, version } of zones) {
      expect(Math.max(...(numbers.get(id) ?? []))).toBe(version);
      expect(gapsIn(numbers.get(id) ?? [])).toEqual([]);
    }
  });
});
