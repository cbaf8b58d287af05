import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, RecordClass } from '../../src/dns/wire/codes.js';
import { responseHeader } from '../../src/dns/wire/header.js';
import type { Message } from '../../src/dns/wire/message.js';
import { MessageFrames } from '../../src/dns/wire/message-frames.js';
import { readMessage } from '../../src/dns/wire/message-reader.js';
import { framed, writeMessage } from '../../src/dns/wire/message-writer.js';
import { Rcode } from '../../src/dns/wire/rcode.js';
import type { ResourceRecord } from '../../src/dns/wire/resource-record.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';

const NAME = DomainName.parse('example.org.');
const PATIENCE = 10_000;

const record = (owner: string, type: number, rdata: Uint8Array, ttl = 60): ResourceRecord => ({
  owner: DomainName.parse(owner),
  type,
  class: RecordClass.IN,
  ttl,
  rdata,
});
const soa = (serial: number, owner = 'example.org.') =>
  record(owner, SOA.code, SOA.parse(`ns1.example.org. hostmaster.example.org. ${serial} 3600 600 86400 300`, null));
const a = (owner: string, last: number, ttl?: number) => record(owner, 1, Uint8Array.of(192, 0, 2, last), ttl);

/** What a master sends to a query for the SOA, and to an AXFR. */
interface Manners {
  readonly soa?: (query: Message) => Buffer;
  readonly axfr: (query: Message) => readonly Buffer[];
}

let service: TestService;
let master: Server;
let sockets: Socket[];
let manners: Manners;

const answer = (query: Message, answers: readonly ResourceRecord[], rcode: number = Rcode.NOERROR): Buffer =>
  framed(writeMessage({ header: responseHeader(query.header, rcode), questions: query.questions, answers }));

beforeAll(async () => {
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
  });
  sockets = [];
  master = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    const frames = new MessageFrames();
    socket.on('data', (chunk) => {
      frames.add(chunk);
      for (let octets = frames.next(); octets !== null; octets = frames.next()) reply(socket, readMessage(octets));
    });
  }).listen(0, '127.0.0.1');
  await once(master, 'listening');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  audit(service.databaseFile);
});
afterAll(async () => {
  await service.stop();
  master.close();
});

function reply(socket: Socket, query: Message): void {
  const isTransfer = query.questions[0]?.type === MetaType.AXFR;
  if (isTransfer) for (const message of manners.axfr(query)) socket.write(message);
  else socket.write(manners.soa?.(query) ?? answer(query, [soa(7)]));
}

/** What becomes of a zone whose master behaves like that. */
async function shownWith(bad: Manners, status: string): Promise<ZoneBody> {
  manners = bad;
  const masters = [`127.0.0.1:${(master.address() as AddressInfo).port}`];
  const body = { name: NAME.toString(), type: 'SECONDARY', masters };
  const { id } = await bodyOf<ZoneBody>(service.call('post', '/v2/zones', body), 202);
  const get = () => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${id}`));
  try {
    await until(async () => (await get()).status === status, PATIENCE);
    return await get();
  } finally {
    await answerOf(service.call('delete', `/v2/zones/${id}`), 202);
  }
}

describe('13.11 ERROR where a master (attack case 97)', () => {
  const whole = (query: Message) => answer(query, [soa(7), a('www.example.org.', 1), soa(7)]);
  it.each<[string, Manners]>([
    ['refuses the SOA', { soa: (query) => answer(query, [], Rcode.REFUSED), axfr: (query) => [whole(query)] }],
    ['has no SOA', { soa: (query) => answer(query, []), axfr: (query) => [whole(query)] }],
    [
      'has the SOA of another zone',
      { soa: (query) => answer(query, [soa(7, 'org.')]), axfr: (query) => [whole(query)] },
    ],
    ['refuses the transfer', { axfr: (query) => [answer(query, [], Rcode.NOTAUTH)] }],
    ['sends no DNS', { axfr: () => [framed(Buffer.alloc(20, 0xff))] }],
    [
      'answers to another id',
      { axfr: (query) => [whole({ ...query, header: { ...query.header, id: query.header.id ^ 1 } })] },
    ],
    ['does not begin with the SOA', { axfr: (query) => [answer(query, [a('www.example.org.', 1), soa(7)])] }],
    ['sends a message without records', { axfr: (query) => [answer(query, [soa(7)]), answer(query, [])] }],
    ['ends with another serial', { axfr: (query) => [answer(query, [soa(7), soa(8)])] }],
    ['goes on behind its end', { axfr: (query) => [answer(query, [soa(7), soa(7), a('www.example.org.', 1)])] }],
    [
      'has an owner name that the service has not',
      { axfr: (query) => [answer(query, [soa(7), a('a\\.b.example.org.', 1), soa(7)])] },
    ],
    [
      'has a record of another class',
      { axfr: (query) => [answer(query, [soa(7), { ...a('www.example.org.', 1), class: 3 }, soa(7)])] },
    ],
    [
      'has a record set that no message holds',
      {
        axfr: (query) =>
          Array.from({ length: 300 }, (_, at) => {
            const first = at === 0 ? [soa(7)] : [];
            const last = at === 299 ? [soa(7)] : [];
            const texts = record('t.example.org.', 16, Buffer.from([254, ...Buffer.from(String(at).padEnd(254, 'x'))]));
            return answer(query, [...first, texts, ...last]);
          }),
      },
    ],
  ])('13.11 %s', async (_, bad) => {
    expect(await shownWith(bad, 'ERROR')).toMatchObject({ serial: 1, transferred_at: null });
  });
});

it('13.11 PENDING where a master ends the connection, or says nothing', async () => {
  for (const axfr of [(query: Message) => [answer(query, [soa(7)])], () => []]) {
    setTimeout(() => sockets.forEach((socket) => socket.destroy()), 300);
    const began = performance.now();
    expect(await shownWith({ axfr }, 'PENDING')).toMatchObject({ serial: 1, transferred_at: null });
    await delay(Math.max(0, 500 - (performance.now() - began)));
  }
});

it('13.11 takes what lies outside of the zone, records that come twice and ttls that are none', async () => {
  const records = [
    soa(7),
    a('www.example.org.', 1, 2 ** 31),
    a('www.example.org.', 1, 2 ** 31),
    a('www.example.net.', 2),
    a('WWW.example.org.', 3, 2 ** 31),
    soa(7),
  ];
  const bad = { axfr: (query: Message) => records.map((one) => answer(query, [one])) };
  expect(await shownWith(bad, 'ACTIVE')).toMatchObject({ serial: 7 });
});
