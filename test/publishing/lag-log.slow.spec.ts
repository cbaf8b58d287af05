import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { COMMAND_LINE, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { Secondary } from '../support/secondary.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';
import { servedOf } from './served.js';

/** A server lags after ten seconds; checks run once a second, or later on a busy machine. */
const LAGGING = 40_000;

let directory: string;
let secondaries: readonly [Secondary, Secondary, Secondary];
let service: ServiceProcess;
let nameServer: ServiceProcess;

jest.setTimeout(120_000);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-lag-'));
  secondaries = [await Secondary.start(), await Secondary.start(), await Secondary.start()];
  const settings = {
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: secondaries.map(({ address }) => address).join(','),
  };
  service = await startServiceProcess(directory, environmentOf(directory));
  const environment = environmentOf(directory, settings);
  nameServer = await startServiceProcess(directory, environment, [COMMAND_LINE, 'mdns']);
});
afterAll(async () => {
  for (const one of [service, nameServer]) {
    killAll(one);
    await one.ended;
  }
  for (const secondary of secondaries) await secondary.stop();
  await removeTestData(directory);
});

function said(secondary: Secondary): string[] {
  const { stdout, stderr } = nameServer.output();
  return (stdout + stderr).split('\n').filter((line) => line.includes(`ame server ${secondary.address} `));
}

it('12.5 a server that lags is logged once, and once when it has caught up', async () => {
  const [good, silent, refusing] = secondaries;
  good.onNotify = (zone) => {
    const serial = servedOf(databaseFileIn(directory), zone);
    if (serial !== null) good.serials.set(zone, serial);
  };
  silent.manners = () => 'drop';
  const begun = performance.now();
  const domains = [await newDomain(clientsOf(service.url)), await newDomain(clientsOf(service.url))];
  await until(() => said(silent).length > 0 && said(refusing).length > 0, LAGGING);
  expect(performance.now() - begun).toBeGreaterThan(9000);
  await delay(2500);
  for (const lagging of [silent, refusing]) {
    expect(said(lagging)).toHaveLength(1);
    // The first domain alone is late if a look falls between the two.
    expect(said(lagging)[0]).toMatch(/lacks changes of (a zone|2 zones), such as .*; see zonewright zone status/);
    expect(domains.some(({ name }) => said(lagging)[0]!.includes(name))).toBe(true);
  }
  for (const { name, serial } of domains) refusing.serials.set(name, serial);
  await until(() => said(refusing).length === 2, LAGGING);
  expect(said(refusing)[1]).toContain('is up to date');
  expect(said(silent)).toHaveLength(1);
  expect(said(good)).toEqual([]);
});
