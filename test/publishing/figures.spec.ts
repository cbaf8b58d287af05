import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { answerOf } from '../support/answers.js';
import { transfer } from '../support/dns-client.js';
import { newDomain } from '../support/domain.js';
import { type Sample, samplesIn, sumOf } from '../support/metrics.js';
import { Secondary } from '../support/secondary.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { servedOf } from './served.js';

let directory: string;
let good: Secondary;
let silent: Secondary;
let service: TestService;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-figures-'));
  [good, silent] = [await Secondary.start(), await Secondary.start()];
  silent.manners = () => 'drop';
  const settings = {
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: `${good.address},${silent.address}`,
  };
  service = await startTestService(settings, directory);
  good.onNotify = (zone) => {
    const serial = servedOf(service.databaseFile, zone);
    if (serial !== null) good.serials.set(zone, serial);
  };
});
afterAll(async () => {
  await service.stop();
  await good.stop();
  await silent.stop();
  await removeTestData(directory);
});

async function samples(): Promise<Sample[]> {
  return samplesIn((await answerOf(service.call('get', '/metrics'))).text);
}

it('12.7, 16.3 shows of how many zones a name server has the serial and answers otherwise', async () => {
  good.records = () => [];
  const domain = await newDomain(service);
  await domain.newRecord();
  const inconsistent = async (): Promise<number> =>
    sumOf(await samples(), 'zonewright_inconsistent_zones', { server: good.address });
  await until(async () => (await inconsistent()) === 1);
  const { servers } = (await answerOf(service.call('get', `/v1/domains/${domain.id}/publication`))).body as {
    servers: object[];
  };
  expect(servers[0]).toMatchObject({
    state: 'inconsistent',
    error: expect.stringMatching(/ A: no data instead of 1 record$/),
  });
  good.records = () => null;
  await answerOf(service.call('delete', `/v1/domains/${domain.id}`));
  await until(async () => (await inconsistent()) === 0);
});

it('16.3 counts sent NOTIFYs, lagging zones and transfers', async () => {
  const domain = await newDomain(service);
  const notified = async (server: Secondary, result: string) =>
    sumOf(await samples(), 'zonewright_notifies_total', { server: server.address, result });
  await until(async () => (await notified(good, 'answered')) > 0);
  await until(async () => (await notified(silent, 'unanswered')) > 0);
  const lacked = async (server: Secondary) =>
    sumOf(await samples(), 'zonewright_zones_to_deliver', { server: server.address });
  await until(async () => (await lacked(good)) === 0);
  expect(await lacked(silent)).toBe(1);
  expect(sumOf(await samples(), 'zonewright_oldest_delivery_seconds', { server: silent.address })).toBeGreaterThan(0);

  // Includes transfers of earlier test files of this worker.
  const durations = async () => sumOf(await samples(), 'zonewright_transfer_duration_seconds_count', { type: 'AXFR' });
  const sent = async () => sumOf(await samples(), 'zonewright_transfers_total', { type: 'AXFR', result: 'sent' });
  const before = { sent: await sent(), durations: await durations() };
  const place = { port: Number(/:(\d+)$/.exec(service.running.dnsUrl ?? '')?.[1]) };
  await transfer(place, { name: domain.name, type: MetaType.AXFR });
  await until(async () => (await sent()) === before.sent + 1);
  expect(await durations()).toBe(before.durations + 1);
});
