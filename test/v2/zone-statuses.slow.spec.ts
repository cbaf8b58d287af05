import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { Secondary } from '../support/secondary.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { type ListBody, newZone, v2RefusalOf, type ZoneBody } from '../support/v2.js';

const NAME = 'example.org.';
const PATIENCE = 60_000;

let secondaries: [Secondary, Secondary];
let service: TestService;

beforeEach(async () => {
  secondaries = [await Secondary.start(), await Secondary.start()];
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: secondaries.map(({ address }) => address).join(','),
  });
});
afterEach(async () => {
  await service.stop();
  for (const secondary of secondaries) await secondary.stop();
});

const get = ({ id }: ZoneBody) => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${id}`));
const patch = ({ id }: ZoneBody, fields: object) =>
  bodyOf<ZoneBody>(service.call('patch', `/v2/zones/${id}`, fields), 202);
const isShown = (zone: ZoneBody, status: string) => until(async () => (await get(zone)).status === status, PATIENCE);
const listed = async (status: string): Promise<number> =>
  (await bodyOf<ListBody<'zones', ZoneBody>>(service.call('get', `/v2/zones?status=${status}`))).zones.length;

/** All have that serial from now on. */
function serve(serial: number, those: readonly Secondary[] = secondaries): void {
  for (const secondary of those) secondary.serials.set(NAME, serial);
}

it('13.3 a zone is PENDING until every server has answered its serial, then ACTIVE', async () => {
  const zone = await newZone(service, NAME);
  expect(await get(zone)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
  serve(zone.serial, [secondaries[0]]);
  // One server is not enough.
  await until(async () => (await publicationOf(zone))[0] === 'current', PATIENCE);
  expect(await get(zone)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
  expect([await listed('PENDING'), await listed('ACTIVE')]).toEqual([1, 0]);
  serve(zone.serial);
  await isShown(zone, 'ACTIVE');
  expect(await get(zone)).toMatchObject({ action: 'NONE' });
  expect([await listed('PENDING'), await listed('ACTIVE')]).toEqual([0, 1]);
});

it('13.3 each change is PENDING again; a deleted zone is missing immediately', async () => {
  const zone = await newZone(service, NAME);
  serve(zone.serial);
  await isShown(zone, 'ACTIVE');
  const { serial } = await patch(zone, { ttl: 60 });
  expect(await get(zone)).toMatchObject({ status: 'PENDING', action: 'UPDATE', serial });
  serve(serial);
  await isShown(zone, 'ACTIVE');
  await answerOf(service.call('delete', `/v2/zones/${zone.id}`), 202);
  await v2RefusalOf(service.call('get', `/v2/zones/${zone.id}`), 404, 'zone_not_found');
});

it('13.3 a server that is silent keeps a change PENDING', async () => {
  const zone = await newZone(service, NAME);
  serve(zone.serial, [secondaries[0]]);
  secondaries[1].manners = () => 'drop';
  await until(async () => (await publicationOf(zone))[1] === 'unreachable', PATIENCE);
  expect(await get(zone)).toMatchObject({ status: 'PENDING' });
});

it('13.3 a server that refuses a zone which it has had makes it ERROR, until it has it again', async () => {
  const zone = await newZone(service, NAME);
  serve(zone.serial);
  await isShown(zone, 'ACTIVE');
  secondaries[1].serials.delete(NAME);
  const { serial } = await patch(zone, { ttl: 60 });
  serve(serial, [secondaries[0]]);
  await isShown(zone, 'ERROR');
  expect(await get(zone)).toMatchObject({ action: 'UPDATE' });
  expect(await listed('ERROR')).toBe(1);
  serve(serial);
  await isShown(zone, 'ACTIVE');
});

it('13.3 a server that does not know a new zone yet does not make it ERROR', async () => {
  for (const secondary of secondaries) secondary.manners = () => 'refuse';
  const zone = await newZone(service, NAME);
  const statuses = new Set<string>();
  for (let looks = 0; looks < 30; looks += 1) {
    statuses.add((await get(zone)).status);
    await delay(100);
  }
  expect([...statuses]).toEqual(['PENDING']);
});

/** How version 1 shows each server. */
async function publicationOf({ id }: ZoneBody): Promise<string[]> {
  const { servers } = await bodyOf<{ servers: { state: string }[] }>(
    service.call('get', `/v1/domains/${id}/publication`),
  );
  return servers.map(({ state }) => state);
}
