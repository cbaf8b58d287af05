import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Message } from '../../src/dns/message/message.js';
import { framed } from '../../src/dns/message/message-writer.js';
import { Rcode } from '../../src/dns/message/codes.js';
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

/** The state of a zone with a misbehaving primary. */
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

describe('7.6 the list of domains with details', () => {
  const zoneAt = (id: string) => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${id}`));
  const secondaryOf = async (): Promise<unknown> => {
    const path = `/v1/domains?name=${NAME}&details=true`;
    return (await bodyOf<{ domains: { secondary?: unknown }[] }>(service.call('get', path))).domains[0]?.secondary;
  };

  it('7.6 shows the primaries of a secondary zone, its last transfer and the last error', async () => {
    master.manners = { axfr: (query) => [answer(query, [soa(7), a('www.example.org.', 1), soa(7)])] };
    const body = { name: NAME, type: 'SECONDARY', masters: [master.address] };
    const { id } = await bodyOf<ZoneBody>(service.call('post', '/v2/zones', body), 202);
    await until(async () => (await zoneAt(id)).serial === 7, PATIENCE);
    const shown = { primaries: [master.address], transferred_at: expect.stringMatching(/^\d{4}-/), error: null };
    expect(await secondaryOf()).toEqual(shown);
    master.manners = { ...master.manners, soa: (query) => answer(query, [], Rcode.REFUSED) };
    await answerOf(service.call('post', `/v2/zones/${id}/tasks/xfr`), 202);
    await until(async () => (await zoneAt(id)).status === 'ERROR', PATIENCE);
    expect(await secondaryOf()).toEqual({ ...shown, error: expect.stringContaining(master.address) });
    await answerOf(service.call('delete', `/v2/zones/${id}`), 202);
    await bodyOf(service.call('post', '/v2/zones', { name: NAME, email: 'hostmaster@example.org' }), 202);
    expect(await secondaryOf()).toBeUndefined();
    const { zones } = await bodyOf<{ zones: ZoneBody[] }>(service.call('get', `/v2/zones?name=${NAME}`));
    await answerOf(service.call('delete', `/v2/zones/${zones[0]?.id}`), 202);
  });
});

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
      'has a record of another class',
      { axfr: (query) => [answer(query, [soa(7), { ...a('www.example.org.', 1), class: 3 }, soa(7)])] },
    ],
  ])('13.11 %s', async (_, bad) => {
    const zone = await shownWith(bad, 'ERROR');
    expect(zone).toMatchObject({ serial: 1, transferred_at: null, message: expect.stringMatching(/^\S/) });
  });
});

it('13.11 ACTIVE again once a master does not refuse it any more, without a message', async () => {
  const whole = (query: Message, serial: number) => [answer(query, [soa(serial), a('x.example.org.', 1), soa(serial)])];
  master.manners = { axfr: (query) => [answer(query, [], Rcode.REFUSED)] };
  const body = { name: NAME, type: 'SECONDARY', masters: [master.address] };
  const { id } = await bodyOf<ZoneBody>(service.call('post', '/v2/zones', body), 202);
  const get = () => bodyOf<ZoneBody>(service.call('get', `/v2/zones/${id}`));
  await until(async () => (await get()).status === 'ERROR', PATIENCE);
  master.manners = { soa: (query) => answer(query, [soa(8)]), axfr: (query) => whole(query, 8) };
  await answerOf(service.call('post', `/v2/zones/${id}/tasks/xfr`), 202);
  await until(async () => (await get()).status === 'ACTIVE', PATIENCE);
  expect((await get()).message).toBeUndefined();
  await answerOf(service.call('delete', `/v2/zones/${id}`), 202);
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

it('13.11 PENDING where a primary ends the connection, or is silent', async () => {
  for (const axfr of [(query: Message) => [answer(query, [soa(7)])], () => []]) {
    setTimeout(() => master.drop(), 300);
    const began = performance.now();
    expect(await shownWith({ axfr }, 'PENDING')).toMatchObject({ serial: 1, transferred_at: null });
    await delay(Math.max(0, 500 - (performance.now() - began)));
  }
});

it('13.11 accepts records outside of the zone, duplicate records and invalid ttls', async () => {
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
