import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Message } from '../../src/dns/wire/message.js';
import { bodyOf, answerOf } from '../support/answers.js';
import {
  addressRecord,
  dnsAnswer,
  dribble,
  endless,
  HostileMaster,
  notifyOf,
  record,
  soaRecord,
  zoneOf,
} from '../support/hostile-master.js';
import type { Settings } from '../support/service.js';
import type { ZoneBody } from '../support/v2.js';
import { type Target, violationsUnder } from './attack.js';
import { ATTACKER_ADDRESS, DnsFlood } from './dns-flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** Of each kind. */
const ZONES = 10;
const SERIAL_CHANGES = inForm(4, 30);
/** In milliseconds: how soon another tenant's zone has what its master has. */
const LONGEST_REFRESH = 5000;
const LONGEST_FLOOD_S = inForm(40, 300);
const LONGEST_TEXT = 65_000;
/** Each of the longest text: with all of the quota, 32 MB. */
const HEAVY_RECORDS = inForm(50, 499);
const TXT = 16;

let resolver: Socket;
let masters: Record<'dribbling' | 'endless' | 'heavy' | 'notified' | 'sound', HostileMaster>;
let serial: number;

beforeEach(async () => {
  serial = 7;
  // It never answers.
  resolver = createSocket('udp4');
  await once(resolver.bind(0, '127.0.0.1'), 'listening');
  masters = {
    dribbling: await HostileMaster.start({ axfr: dribble }),
    endless: await HostileMaster.start({ axfr: (query, socket) => endless(query, socket, around(query)) }),
    heavy: await HostileMaster.start({ axfr: heavy }),
    notified: await HostileMaster.start({ axfr: whole }, ATTACKER_ADDRESS),
    sound: await HostileMaster.start({
      soa: (query) => dnsAnswer(query, [soaRecord(zoneOf(query), serial)]),
      axfr: whole,
    }),
  };
});
afterEach(() => {
  for (const master of Object.values(masters)) master.stop();
  resolver.close();
});

const whole = (query: Message): Buffer[] => {
  const soa = soaRecord(zoneOf(query), serial);
  return [dnsAnswer(query, [soa, addressRecord(`www.${zoneOf(query)}`, 1), soa])];
};
/** Records outside of the zone, 3,000 in a message. */
const around = (query: Message): Buffer =>
  dnsAnswer(
    query,
    Array.from({ length: 3000 }, () => addressRecord('www.example.net.', 1)),
  );
const heavy = (query: Message): Buffer[] => {
  const soa = dnsAnswer(query, [soaRecord(zoneOf(query), 7)]);
  const texts = Array.from({ length: HEAVY_RECORDS }, (_, at) => {
    const string = Buffer.concat([Buffer.of(250), Buffer.alloc(250, at % 256)]);
    const rdata = Buffer.concat(Array<Buffer>(Math.floor(LONGEST_TEXT / string.length)).fill(string));
    return dnsAnswer(query, [record(`t${at}.${zoneOf(query)}`, TXT, rdata)]);
  });
  return [soa, ...texts, soa];
};

const settings = (): Settings => ({
  ...unlimitedChanges(),
  DEFAULT__QUOTA_ZONES: '100',
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
  SERVICE_MDNS__RESOLVERS: `127.0.0.1:${resolver.address().port}`,
});

async function newZone({ clients }: Target, tenant: string, name: string, places: readonly string[]): Promise<string> {
  const zone = { name, type: 'SECONDARY', masters: places };
  return (await bodyOf<ZoneBody>(clients.as(tenant).call('post', '/v2/zones', zone), 202)).id;
}

/** Until another tenant's zone has the present serial, in milliseconds; `Infinity` where it takes too long. */
async function refreshed({ clients, signal }: Target, id: string): Promise<number> {
  const began = performance.now();
  const other = clients.as('other');
  while (!signal.aborted && performance.now() - began < 4 * LONGEST_REFRESH) {
    const zone = await bodyOf<ZoneBody>(other.call('get', `/v2/zones/${id}`));
    if (zone.serial === serial) return performance.now() - began;
    await delay(20);
  }
  return Infinity;
}

it('13.11 masters that dribble, flood, weigh, hide and are notified of hold up nobody (attack case 100)', async () => {
  const violations = await violationsUnder({
    name: 'masters of one tenant, of every kind',
    settings: settings(),
    run: async (target) => {
      const silent = Array.from({ length: 20 }, (_, at) => `ns${at}.silent.example`);
      const kinds = { dribbling: ZONES, silent: ZONES, endless: ZONES, heavy: inForm(2, ZONES), notified: ZONES };
      for (const [kind, count] of Object.entries(kinds))
        for (let at = 0; at < count; at += 1) {
          const places = kind === 'silent' ? silent : [masters[kind as keyof typeof masters].address];
          await newZone(target, 'mallory', `${kind}-${at}.example.com.`, places);
        }
      const port = Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(target.log())?.[1]);
      const messages = Array.from({ length: ZONES }, (_, at) => notifyOf(`notified-${at}.example.com.`));
      const ending = new AbortController();
      const flood = new DnsFlood(
        port,
        { kind: 'datagrams', messages, times: 100_000, probe: null },
        LONGEST_FLOOD_S,
      ).run(AbortSignal.any([target.signal, ending.signal]));
      const [began, before] = [performance.now(), masters.notified.connections];
      const id = await newZone(target, 'other', 'zone.example.net.', [masters.sound.address]);
      const times = [await refreshed(target, id)];
      for (let change = 0; change < SERIAL_CHANGES; change += 1) {
        serial += 1;
        await answerOf(target.clients.as('other').call('post', `/v2/zones/${id}/tasks/xfr`), 202);
        times.push(await refreshed(target, id));
        await target.hold(1000);
      }
      ending.abort();
      const seconds = (performance.now() - began) / 1000;
      const questions = masters.notified.connections - before;
      const { sent } = await flood;
      target.note({ slowest: Math.max(...times), sent, questions, seconds });
      target.must(Math.max(...times) < LONGEST_REFRESH, `another tenant's refresh took ${Math.max(...times)} ms`);
      // Each zone has its first transfer, and a question once in two seconds.
      target.must(questions <= ZONES * (4 + seconds / 2), `NOTIFYs led to ${questions} connections`);
      target.must(masters.dribbling.open > 0, 'nobody dribbles any more');
    },
  });
  expect(violations).toEqual([]);
});
