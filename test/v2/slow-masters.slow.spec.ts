import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import packet from 'dns-packet';
import type { Message } from '../../src/dns/message/message.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { freshName } from '../support/domain.js';
import {
  addressRecord,
  dnsAnswer,
  dribble,
  HostileMaster,
  notifyOf,
  soaRecord,
  zoneOf,
} from '../support/hostile-master.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { type Client, startTestService, type Settings, type TestService } from '../support/service.js';
import { transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';

const PATIENCE = 60_000;

const whole = (query: Message): Buffer[] => {
  const soa = soaRecord(zoneOf(query), 7);
  return [dnsAnswer(query, [soa, addressRecord(`www.${zoneOf(query)}`, 1), soa])];
};

let service: TestService;
let port: number;
let masters: HostileMaster[];
let resolver: DatagramSocket;
beforeEach(async () => {
  masters = [];
  port = await freePort();
  resolver = createSocket('udp4');
  await once(resolver.bind(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  await service.stop();
  for (const master of masters) master.stop();
  resolver.close();
});

async function start(settings: Settings = {}): Promise<void> {
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
    SERVICE_MDNS__RESOLVERS: `127.0.0.1:${resolver.address().port}`,
    ...settings,
  });
}

async function master(manners: HostileMaster['manners']): Promise<HostileMaster> {
  const started = await HostileMaster.start(manners);
  masters.push(started);
  return started;
}

/** A primary of zones with only an SOA. */
const masterWith = (serial: () => number): Promise<HostileMaster> =>
  master({
    soa: (query) => dnsAnswer(query, [soaRecord(zoneOf(query), serial())]),
    axfr: (query) => {
      const soa = soaRecord(zoneOf(query), serial());
      return [dnsAnswer(query, [soa, soa])];
    },
  });

const makeZone = (client: Client, name: string, masters: readonly string[]) =>
  bodyOf<ZoneBody>(client.call('post', '/v2/zones', { name, type: 'SECONDARY', masters }), 202);
const zoneWith = (client: Client, ...places: readonly string[]) => makeZone(client, freshName(), places);
const shown = ({ id }: ZoneBody, client: Client = service) => bodyOf<ZoneBody>(client.call('get', `/v2/zones/${id}`));
const isActive = (zone: ZoneBody, client?: Client) =>
  until(async () => (await shown(zone, client)).status === 'ACTIVE', PATIENCE);

/** Milliseconds: far less than a hanging primary takes, and enough for a busy machine. */
const SOON = 15_000;

async function stopsSoon(): Promise<void> {
  const began = performance.now();
  await service.running.stop();
  expect(performance.now() - began).toBeLessThan(SOON);
}

it('13.11 forty slow primaries of one tenant do not delay other refreshes, and end with the service', async () => {
  await start();
  const dribbling = await master({ axfr: dribble });
  for (let at = 0; at < 40; at += 1) await zoneWith(service.as('dribbling'), dribbling.address);
  await until(() => dribbling.open >= 32, PATIENCE);
  const sound = await master({ axfr: whole });
  const other = service.as('other');
  await isActive(await zoneWith(other, sound.address), other);
  expect(dribbling.open).toBe(32);
  await stopsSoon();
});

it('13.11 a zone has one time for all of its masters', async () => {
  await start({ SERVICE_MDNS__TRANSFER_TIMEOUT: '2' });
  const silent = await master({ soa: () => null, axfr: () => [] });
  const dribbling = await master({ axfr: dribble });
  const zone = await zoneWith(service, dribbling.address, silent.address);
  await until(async () => (await shown(zone)).message !== undefined, PATIENCE);
  const { status, message } = await shown(zone);
  expect({ status, message }).toEqual({
    status: 'PENDING',
    message: `${dribbling.address} did not answer before the end; no complete transfer within 2 seconds`,
  });
  expect(silent.connections).toBe(0);
  await until(() => dribbling.open === 0);
});

it('13.11 names with unresponsive name servers delay no other refresh, and end with the service', async () => {
  await start();
  let asked = 0;
  resolver.on('message', () => (asked += 1));
  const names = Array.from({ length: 20 }, (_, at) => `ns${at}.silent.example`);
  for (let at = 0; at < 8; at += 1) await zoneWith(service.as('silent'), ...names);
  await until(() => asked >= 16, PATIENCE);
  const sound = await master({ axfr: whole });
  const other = service.as('other');
  await isActive(await zoneWith(other, sound.address), other);
  // As an issuer or Keystone is looked up.
  const began = performance.now();
  await lookup('localhost');
  expect(performance.now() - began).toBeLessThan(SOON);
  await stopsSoon();
});

it('13.11 names are looked up at the resolvers, and shown without the address that they lead to', async () => {
  await start();
  const sound = await master({ axfr: whole });
  const [, masterPort] = sound.address.split(':');
  resolver.on('message', (octets, from) => {
    const { id = 0, questions = [] } = packet.decode(octets);
    const [{ name, type } = { name: '', type: 'A' }] = questions;
    const data = name.startsWith('inner') ? '10.1.2.3' : '127.0.0.1';
    const answers = type === 'A' && !name.startsWith('no') ? [{ type: 'A' as const, name, ttl: 0, data }] : [];
    resolver.send(packet.encode({ type: 'response', id, questions, answers }), from.port, from.address);
  });
  await isActive(await zoneWith(service, `no.example:${masterPort}`, `ns1.example:${masterPort}`));
  const zone = await zoneWith(service, 'inner.example', 'no.example');
  await until(async () => (await shown(zone)).message !== undefined, PATIENCE);
  expect(await shown(zone)).toMatchObject({
    status: 'ERROR',
    message: 'inner.example:53 has an address that this service must not contact; no.example: no address found',
  });
  const heard = await zoneWith(service, `ns2.example:${masterPort}`);
  await isActive(heard);
  expect((await transfer(port, notifyOf(heard.name))).records).toEqual([]);
});

it('13.11 NOTIFYs cause an immediate SOA query, and then one every two seconds, after any number of NOTIFYs', async () => {
  await start();
  let serial = 7;
  const changing = await masterWith(() => serial);
  const zone = await zoneWith(service, changing.address);
  await isActive(zone);
  const before = changing.connections;
  const [socket, octets] = [createSocket('udp4'), notifyOf(zone.name)];
  const began = performance.now();
  try {
    serial = 8;
    while (performance.now() - began < 3000) {
      for (let at = 0; at < 20; at += 1) socket.send(octets, port, '127.0.0.1');
      await delay(5);
    }
  } finally {
    socket.close();
  }
  // Each question may be followed by a transfer.
  const seconds = (performance.now() - began) / 1000;
  expect(changing.connections - before).toBeLessThanOrEqual(2 * (2 + seconds / 2));
  serial = 9;
  await transfer(port, notifyOf(zone.name));
  await until(async () => (await shown(zone)).serial === 9, PATIENCE);
});

it('13.11 a NOTIFY for a recreated zone causes an immediate SOA query, independent of the deleted zone', async () => {
  await start();
  let serial = 7;
  const changing = await masterWith(() => serial);
  const zone = await zoneWith(service, changing.address);
  await isActive(zone);
  const notify = () => transfer(port, notifyOf(zone.name));
  await notify();
  // After this one others would have to wait.
  await notify();
  await answerOf(service.call('delete', `/v2/zones/${zone.id}`), 202);
  const again = await makeZone(service, zone.name, [changing.address]);
  await isActive(again);
  serial = 8;
  await notify();
  await until(async () => (await shown(again)).serial === 8, PATIENCE);
});

it('13.11 a master that is slow but sends enough is not given up', async () => {
  await start();
  const message = (query: Message) =>
    framed(
      writeMessage({
        header: { ...query.header, isResponse: true },
        questions: query.questions,
        answers: [addressRecord(`www.${zoneOf(query)}`, 1)],
      }),
    );
  const slow = await master({
    axfr: (query, socket) => {
      const soa = dnsAnswer(query, [soaRecord(zoneOf(query), 7)]);
      const pieces = [...Buffer.concat([soa, message(query), soa])];
      const timer = setInterval(() => {
        const octets = pieces.splice(0, 10);
        if (octets.length === 0) clearInterval(timer);
        else socket.write(Buffer.from(octets));
      }, 20);
      socket.once('close', () => clearInterval(timer));
      return [];
    },
  });
  await isActive(await zoneWith(service, slow.address));
});
