import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { timeOrderedUuid } from '../../src/common/uuid.js';
import { DomainName } from '../../src/dns/name.js';
import { answerOf } from '../support/answers.js';
import { transfer } from '../support/dns-client.js';
import { newDomain } from '../support/domain.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { Secondary } from '../support/secondary.js';
import { startTestService, type TestService } from '../support/service.js';
import { type Row, storeRows } from '../support/store-rows.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

/** More than the lag list keeps in memory for one server. */
const ZONES = 5500;
const CATALOG = 'catalog.example.';
const NOTIFIED_MS = 120_000;

let good: Secondary;
let silent: Secondary;
let service: TestService;

jest.setTimeout(600_000);
beforeAll(async () => {
  [good, silent] = [
    await Secondary.start({ answersOfStream: Infinity }),
    await Secondary.start({ answersOfStream: Infinity }),
  ];
  silent.manners = () => 'drop';
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: `${good.address},${silent.address}`,
    SERVICE_MDNS__CATALOG_ZONE: CATALOG,
  });
});
afterAll(async () => {
  await service.stop();
  await good.stop();
  await silent.stop();
});

/** Gives the secondary the current serials upon NOTIFY. */
function follow(secondary: Secondary): void {
  const serials = new Map(
    lookInto(service.databaseFile, ({ rows }) =>
      rows<{ name: string; serial: number | string }>('SELECT name, serial FROM zones'),
    ).map(({ name, serial }) => [name.toLowerCase(), Number(serial)]),
  );
  const learn = (zone: string): void => {
    const serial = serials.get(zone);
    if (serial !== undefined) secondary.serials.set(zone, serial);
  };
  for (const { kind, zone } of secondary.heard) if (kind === 'notify') learn(zone);
  secondary.onNotify = learn;
}

/** Inserts thousands of zones without the service, as another process would. */
async function makeZones(): Promise<void> {
  const { id } = await newDomain(service);
  const [domain] = lookInto(service.databaseFile, ({ rows }) => rows<Row>('SELECT * FROM zones WHERE id = ?', id));
  const zones = Array.from({ length: ZONES - 1 }, (_, at) => {
    const name = DomainName.parse(`many-${at}.example.org.`);
    return { ...domain, id: timeOrderedUuid(Date.now() * 1000 + at), name: name.toString(), name_key: name.key };
  });
  storeRows(service.databaseFile, { zones }, 'SELECT 1');
}

const lacked = async (server: Secondary): Promise<number> =>
  sumOf(samplesIn((await answerOf(service.call('get', '/metrics'))).text), 'zonewright_zones_to_deliver', {
    server: server.address,
  });

/** How many zones the database says that servers have. */
const proven = (): number => {
  const [row] = lookInto(service.databaseFile, ({ rows }) =>
    rows<{ count: number | string }>(
      'SELECT COUNT(*) AS count FROM publications p JOIN zones z ON z.id = p.zone_id WHERE p.serial = z.serial',
    ),
  );
  return Number(row?.count);
};

it('12.5 a returning server gets all missing zones, even more than fit in memory', async () => {
  await makeZones();
  follow(good);
  // No lag is reported until the last of them are known.
  await until(async () => (await lacked(silent)) >= ZONES, NOTIFIED_MS);
  await until(async () => (await lacked(good)) === 0, NOTIFIED_MS);
  expect(good.serials.size).toBe(ZONES);

  const place = { port: Number(/:(\d+)$/.exec(service.running.dnsUrl ?? '')?.[1]) };
  const whole = await transfer(place, { name: CATALOG, type: MetaType.AXFR });
  expect(whole.records.filter(({ type }) => type === 12)).toHaveLength(ZONES);

  follow(silent);
  silent.manners = () => 'answer';
  await until(async () => (await lacked(silent)) === 0, NOTIFIED_MS);
  expect(silent.serials.size).toBe(ZONES);
  await until(() => proven() === 2 * ZONES);
  // Drops the NOTIFYs that would be repeated.
  silent.heard.length = 0;
  await delay(2000);
  expect(silent.heard.filter(({ kind }) => kind === 'notify')).toEqual([]);
});
