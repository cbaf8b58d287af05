import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Message } from '../../src/dns/message/message.js';
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
import { OidcIssuer } from '../support/oidc-issuer.js';
import type { Client, Settings } from '../support/service.js';
import type { ZoneBody } from '../support/v2.js';
import { type Target, violationsUnder } from './attack.js';
import { ATTACKER_ADDRESS, DnsFlood } from './dns-flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** Zones of each kind. */
const ZONES = 10;
const SERIAL_CHANGES = inForm(4, 30);
/** Longest delay in milliseconds until another tenant's zone matches its primary. */
const LONGEST_REFRESH = 5000;
/** In milliseconds: how soon a token is known whose key has to be fetched. */
const LONGEST_KEY = 5000;
const LONGEST_FLOOD_S = inForm(40, 300);
const LONGEST_TEXT = 65_000;
/** Each of the longest text: nearly as much as a zone may have. */
const HEAVY_RECORDS = inForm(50, 128);
/** Far more than it may have. */
const TOO_HEAVY_RECORDS = 499;
const TXT = 16;

let resolver: Socket;
let issuer: OidcIssuer;
let masters: Record<'dribbling' | 'endless' | 'heavy' | 'notified' | 'sound' | 'tooHeavy', HostileMaster>;
let serial: number;

beforeEach(async () => {
  serial = 7;
  issuer = await OidcIssuer.startAs('localhost');
  // It never answers.
  resolver = createSocket('udp4');
  await once(resolver.bind(0, '127.0.0.1'), 'listening');
  masters = {
    dribbling: await HostileMaster.start({ axfr: dribble }),
    endless: await HostileMaster.start({ axfr: (query, socket) => endless(query, socket, around(query)) }),
    heavy: await HostileMaster.start({ axfr: (query) => heavy(query, HEAVY_RECORDS) }),
    tooHeavy: await HostileMaster.start({ axfr: (query) => heavy(query, TOO_HEAVY_RECORDS) }),
    notified: await HostileMaster.start({ axfr: whole }, ATTACKER_ADDRESS),
    sound: await HostileMaster.start({
      soa: (query) => dnsAnswer(query, [soaRecord(zoneOf(query), serial)]),
      axfr: whole,
    }),
  };
});
afterEach(async () => {
  for (const master of Object.values(masters)) master.stop();
  resolver.close();
  await issuer.stop();
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
const heavy = (query: Message, records: number): Buffer[] => {
  const soa = dnsAnswer(query, [soaRecord(zoneOf(query), 7)]);
  const texts = Array.from({ length: records }, (_, at) => {
    const string = Buffer.concat([Buffer.of(250), Buffer.alloc(250, at % 256)]);
    const rdata = Buffer.concat(Array<Buffer>(Math.floor(LONGEST_TEXT / string.length)).fill(string));
    return dnsAnswer(query, [record(`t${at}.${zoneOf(query)}`, TXT, rdata)]);
  });
  return [soa, ...texts, soa];
};

const settings = (): Settings => ({
  ...unlimitedChanges(),
  ...issuer.settings,
  JWT__KEYS_COOLDOWN: '1',
  DEFAULT__QUOTA_ZONES: '100',
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
  SERVICE_MDNS__RESOLVERS: `127.0.0.1:${resolver.address().port}`,
});

const bearerOf = async (tenant: string): Promise<string> =>
  `Bearer ${await issuer.sign({ tenant_id: tenant, sub: tenant, roles: ['member'] })}`;

/** A client with an issuer token signed by the current key. */
async function holderOf({ clients }: Target, tenant: string): Promise<Client> {
  const bearer = await bearerOf(tenant);
  return {
    call: (method, path, body) => {
      const test = clients.plain(method, path).set('Authorization', bearer);
      return body === undefined ? test : test.set('Content-Type', 'application/json').send(JSON.stringify(body));
    },
  };
}

async function newZone(client: Client, name: string, places: readonly string[]): Promise<string> {
  const zone = { name, type: 'SECONDARY', masters: places };
  return (await bodyOf<ZoneBody>(client.call('post', '/v2/zones', zone), 202)).id;
}

/** Milliseconds until the service accepts a token with a newly published key. */
async function untilKnown(target: Target): Promise<number> {
  await issuer.rotate();
  const client = await holderOf(target, 'other');
  const began = performance.now();
  await answerOf(client.call('get', '/v1/domains'));
  return performance.now() - began;
}

/** Until another tenant's zone has the present serial, in milliseconds; `Infinity` where it takes too long. */
async function refreshed({ signal }: Target, other: Client, id: string): Promise<number> {
  const began = performance.now();
  while (!signal.aborted && performance.now() - began < 4 * LONGEST_REFRESH) {
    const zone = await bodyOf<ZoneBody>(other.call('get', `/v2/zones/${id}`));
    if (zone.serial === serial) return performance.now() - began;
    await delay(20);
  }
  return Infinity;
}

it('13.11 slow, flooding, oversized, silent and often notified primaries delay no other tenant and no token keys (attack case 100)', async () => {
  const violations = await violationsUnder({
    name: 'masters of one tenant, of every kind',
    settings: settings(),
    goodHeaders: { Authorization: await bearerOf('good-tenant') },
    run: async (target) => {
      const [mallory, other] = [await holderOf(target, 'mallory'), await holderOf(target, 'other')];
      const silent = Array.from({ length: 20 }, (_, at) => `ns${at}.silent.example`);
      const heavyZones = inForm(2, ZONES);
      const kinds = {
        ...{ dribbling: ZONES, silent: ZONES, endless: ZONES, notified: ZONES },
        ...{ heavy: heavyZones, tooHeavy: heavyZones },
      };
      for (const [kind, count] of Object.entries(kinds))
        for (let at = 0; at < count; at += 1) {
          const places = kind === 'silent' ? silent : [masters[kind as keyof typeof masters].address];
          await newZone(mallory, `${kind.toLowerCase()}-${at}.example.com.`, places);
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
      const id = await newZone(other, 'zone.example.net.', [masters.sound.address]);
      const times = [await refreshed(target, other, id)];
      const keys = [await untilKnown(target)];
      for (let change = 0; change < SERIAL_CHANGES; change += 1) {
        // The issuer is asked for another key once in `keys_cooldown` at most.
        await target.hold(1000);
        serial += 1;
        await answerOf(other.call('post', `/v2/zones/${id}/tasks/xfr`), 202);
        times.push(await refreshed(target, other, id));
        keys.push(await untilKnown(target));
      }
      ending.abort();
      const seconds = (performance.now() - began) / 1000;
      const questions = masters.notified.connections - before;
      const { sent } = await flood;
      target.note({ slowest: Math.max(...times), slowestKey: Math.max(...keys), sent, questions, seconds });
      target.mustTake(Math.max(...times), LONGEST_REFRESH, "another tenant's refresh took too long");
      target.mustTake(Math.max(...keys), LONGEST_KEY, 'a token was known too late');
      // Each zone has its first transfer, and a question once in two seconds.
      target.must(questions <= ZONES * (4 + seconds / 2), `NOTIFYs led to ${questions} connections`);
      target.must(masters.dribbling.open > 0, 'no primary dribbles any more');
    },
  });
  expect(violations).toEqual([]);
});
