import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import type { Message } from '../../src/dns/message/message.js';
import { framed } from '../../src/dns/message/message-writer.js';
import { Rcode } from '../../src/dns/message/rcode.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import {
  addressRecord as a,
  dnsAnswer as answer,
  endless,
  HostileMaster,
  type MasterManners,
  record,
  soaRecord,
} from '../support/hostile-master.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';

const NAME = 'example.org.';
const PATIENCE = 60_000;

const soa = (serial: number, owner = NAME) => soaRecord(owner, serial);

let service: TestService;
let master: HostileMaster;

beforeAll(async () => {
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
    DEFAULT__QUOTA_ZONE_RECORDS: '1000',
    SERVICE_MDNS__MAX_ZONE_SIZE: '2 MiB',
  });
  master = await HostileMaster.start({ axfr: () => [] });
});
afterEach(() => {
  master.drop();
  audit(service.databaseFile);
});
afterAll(async () => {
  await service.stop();
  master.stop();
});

/** What becomes of a zone whose master behaves like that. */
async function shownWith(bad: MasterManners, status: string): Promise<ZoneBody> {
  master.manners = bad;
  const body = { name: NAME, type: 'SECONDARY', masters: [master.address] };
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
  it.each<[string, MasterManners]>([
    ['refuses the SOA', { soa: (query) => answer(query, [], Rcode.REFUSED), axfr: (query) => [whole(query)] }],
    ['has no SOA', { soa: (query) => answer(query, []), axfr: (query) => [whole(query)] }],
    [
      'has the SOA of another zone',
      { soa: (query) => answer(query, [soa(7, 'org.')]), axfr: (query) => [whole(query)] },
    ],
    ['refuses the transfer', { axfr: (query) => [answer(query, [], Rcode.NOTAUTH)] }],
    ['sends malformed DNS', { axfr: () => [framed(Buffer.alloc(20, 0xff))] }],
    [
      'answers to another id',
      { axfr: (query) => [whole({ ...query, header: { ...query.header, id: query.header.id ^ 1 } })] },
    ],
    ['does not begin with the SOA', { axfr: (query) => [answer(query, [a('www.example.org.', 1), soa(7)])] }],
    ['sends a message without records', { axfr: (query) => [answer(query, [soa(7)]), answer(query, [])] }],
    ['ends with another serial', { axfr: (query) => [answer(query, [soa(7), soa(8)])] }],
    ['continues after its last SOA', { axfr: (query) => [answer(query, [soa(7), soa(7), a('www.example.org.', 1)])] }],
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
    const zone = await shownWith(bad, 'ERROR');
    expect(zone).toMatchObject({ serial: 1, transferred_at: null, message: expect.stringMatching(/^\S/) });
  });
});

describe('13.11 ERROR where a master has what BIND or Knot do not load', () => {
  const host = (owner: string): Uint8Array => DomainName.parse(owner).wire;
  const [NS, CNAME, DNAME] = [2, 5, 39];
  it.each<[string, ReturnType<typeof a>[], string]>([
    [
      'a CNAME beside an A',
      [record('x.example.org.', CNAME, host('www.example.net.')), a('x.example.org.', 1)],
      'x.example.org. A: A cannot stand beside CNAME, which x.example.org. has. Delete that first.',
    ],
    [
      'two CNAME at a name',
      ['www.example.net.', 'www.example.com.'].map((target) => record('x.example.org.', CNAME, host(target))),
      'x.example.org. CNAME: x.example.org. has a CNAME already; update that one instead.',
    ],
    [
      'a name below a DNAME',
      [record('x.example.org.', DNAME, host('www.example.net.')), a('a.x.example.org.', 1)],
      'a.x.example.org. A: a.x.example.org. would lie below a DNAME, which redirects everything below its name.',
    ],
    [
      'NS at a wildcard',
      [record('*.example.org.', NS, host('ns1.example.net.'))],
      '*.example.org. NS: NS cannot stand at a wildcard, *.example.org.: a delegation has one name.',
    ],
  ])('13.11 %s', async (_, records, message) => {
    const zone = await shownWith({ axfr: (query) => [answer(query, [soa(7), ...records, soa(7)])] }, 'ERROR');
    expect(zone).toMatchObject({ serial: 1, transferred_at: null });
    expect(zone.message).toBe(message);
  });

  it('13.11 and ACTIVE again once that has gone, without a message', async () => {
    master.manners = {
      axfr: (query) => [
        answer(query, [
          soa(7),
          record('x.example.org.', CNAME, host('www.example.net.')),
          a('x.example.org.', 1),
          soa(7),
        ]),
      ],
    };
    const body = { name: NAME, type: 'SECONDARY', masters: [master.address] };
    const { id } = await bodyOf<ZoneBody>(service.call('post', '/v2/zones', body), 202);
    const get = () => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${id}`));
    await until(async () => (await get()).status === 'ERROR', PATIENCE);
    master.manners = {
      soa: (query) => answer(query, [soa(8)]),
      axfr: (query) => [answer(query, [soa(8), a('x.example.org.', 1), soa(8)])],
    };
    await answerOf(service.call('post', `/v2/zones/${id}/tasks/xfr`), 202);
    await until(async () => (await get()).status === 'ACTIVE', PATIENCE);
    expect((await get()).message).toBeUndefined();
    await answerOf(service.call('delete', `/v2/zones/${id}`), 202);
  });
});

describe('13.11 ERROR where a master sends more than the quota allows (attack case 97)', () => {
  it.each<[string, (query: Message) => Buffer]>([
    ['inside the zone', (query) => answer(query, [a('www.example.org.', 1)])],
    ['outside of it', (query) => answer(query, [a('www.example.net.', 1)])],
    ['many at a time', (query) => answer(query, Array<ReturnType<typeof a>>(3000).fill(a('www.example.net.', 1)))],
  ])('13.11 %s, and without end', async (_, records) => {
    const { message } = await shownWith({ axfr: (query, socket) => endless(query, socket, records(query)) }, 'ERROR');
    expect(message).toContain('1000');
    await until(() => master.open === 0);
  });
});

describe('13.11 a zone of up to max_zone_size octets', () => {
  const texts = (query: Message, count: number): Buffer[] =>
    Array.from({ length: count }, (_, at) =>
      answer(query, [
        record(`t${at}.${NAME}`, 16, Buffer.alloc(251 * 200, Buffer.concat([Buffer.of(250), Buffer.alloc(250, 'x')]))),
      ]),
    );
  const zoneOf = (count: number): MasterManners => ({
    axfr: (query) => [answer(query, [soa(7)]), ...texts(query, count), answer(query, [soa(7)])],
  });

  it('13.11 is taken whole, though it waits outside of memory', async () => {
    expect(await shownWith(zoneOf(40), 'ACTIVE')).toMatchObject({ serial: 7 });
  });

  it('13.11 is ERROR beyond (attack case 97)', async () => {
    const zone = await shownWith(zoneOf(42), 'ERROR');
    expect(zone).toMatchObject({ serial: 1, transferred_at: null });
    expect(zone.message).toBe('the zone has more than 2097152 octets');
  });
});

it('13.11 PENDING where a master ends the connection, or says nothing', async () => {
  for (const axfr of [(query: Message) => [answer(query, [soa(7)])], () => []]) {
    setTimeout(() => master.drop(), 300);
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
