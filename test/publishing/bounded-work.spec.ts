import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { itUnasked } from '../support/run-program.js';
import { Secondary } from '../support/secondary.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** It waits for a minute: by `npm run test:publishing` only. */
const itAtLength = process.env.ZONEWRIGHT_PUBLISHING_ROUNDS === undefined ? itUnasked('npm run test:publishing') : it;
const ZONES = 300;
/** Milliseconds after which an unresponsive server gets few messages. */
const STUCK = 40_000;
const WATCHED_S = 10;
const MOST_A_SECOND = 50;

let directory: string | undefined;
let service: TestService | undefined;
const secondaries: Secondary[] = [];

jest.setTimeout(180_000);
afterEach(async () => {
  await service?.stop();
  for (const secondary of secondaries.splice(0)) await secondary.stop();
  if (directory !== undefined) await removeTestData(directory);
});

describe.each(['refuse', 'drop'] as const)('12.5 servers that lack many zones, and %s', (manners) => {
  itAtLength('cost little, and are up to date soon after they have ceased', async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-bounded-'));
    for (let count = 0; count < 4; count += 1) secondaries.push(await Secondary.start({ answersOfStream: Infinity }));
    for (const secondary of secondaries) secondary.manners = () => manners;
    const settings = {
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__SECONDARIES: secondaries.map(({ address }) => address).join(','),
    };
    const running = (service = await startTestService(settings, directory));
    const domains = await Promise.all(Array.from({ length: ZONES }, () => newDomain(running)));
    await delay(STUCK);
    for (const { heard } of secondaries) heard.length = 0;
    await delay(WATCHED_S * 1000);
    const heard = secondaries.reduce((sum, secondary) => sum + secondary.heard.length, 0);
    expect(heard).toBeLessThan(MOST_A_SECOND * WATCHED_S);
    for (const secondary of secondaries) {
      for (const { name, serial } of domains) secondary.serials.set(name, serial);
      secondary.manners = () => 'answer';
    }
    const isPublished = async (id: string): Promise<boolean> =>
      (await running.call('get', `/v1/domains/${id}/publication`)).body.published as boolean;
    for (const { id } of domains) await until(() => isPublished(id));
  });
});
