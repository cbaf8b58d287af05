import { once } from 'node:events';
import { afterEach, afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { HistoryBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { EventReader } from '../support/event-reader.js';
import { collect, openSocket, receive } from '../support/raw-http.js';
import { ADMIN_TOKEN, type Client, type Settings, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { until } from '../support/until.js';

const EVENTS: Settings = {
  SERVICE_API__ENABLED_EXTENSIONS_V1: 'events',
  SERVICE_API__EVENT_HEARTBEAT: '1',
  SERVICE_API__MAX_BODY_SIZE: '100000000',
};
const COUNT = 40;

let tenants = 0;
let service: TestService;
let tenant: string;
let member: Client;
let readers: EventReader[];

beforeAll(async () => {
  service = await startTestService({ ...EVENTS, SERVICE_API__MAX_REQUESTS_PER_ADDRESS: '4' });
});
afterAll(() => service.stop());
beforeEach(() => {
  tenant = `tenant-${(tenants += 1)}`;
  member = service.as(tenant);
  readers = [];
});
afterEach(() => {
  for (const reader of readers) reader.close();
});

function read(more: { headers?: Record<string, string>; query?: string } = {}, by = tenant): EventReader {
  const reader = EventReader.as(by, service.url, more);
  readers.push(reader);
  return reader;
}

const from = (id: string) => ({ headers: { 'Last-Event-ID': id } });
const numbersOf = (reader: EventReader, { id }: TestDomain): number[] =>
  reader.events.filter(({ event }) => event.data.domain.id === id).map(({ event }) => event.data.number);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

async function changes(domain: TestDomain, count: number, label = 'r'): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, at) => domain.newRecord({ name: domain.at(`${label}${at}`) })));
}

describe('19.12 a stream of events', () => {
  it('19.12 sends events as they happen, as CloudEvents', async () => {
    const reader = await read().started();
    const domain = await newDomain(member);
    const record = await domain.newRecord();
    const updated = await bodyOf(domain.update(record.id, { data: '192.0.2.9' }));
    await answerOf(domain.delete(record.id));
    await answerOf(member.call('delete', `/v1/domains/${domain.id}`));
    await reader.first(5);
    expect(reader.events.map(({ type }) => type)).toEqual([
      'zonewright.domain.created',
      'zonewright.record.created',
      'zonewright.record.updated',
      'zonewright.record.deleted',
      'zonewright.domain.deleted',
    ]);
    const { history } = await bodyOf<HistoryBody>(member.call('get', `/v1/domains/${domain.id}/history`));
    for (const [at, entry] of history.toReversed().entries()) {
      const { event, type } = reader.events[at]!;
      expect(event).toMatchObject({ specversion: '1.0', type, id: `${domain.id}:${at + 1}` });
      expect(event.data).toMatchObject({
        domain: { id: domain.id, name: domain.name },
        number: at + 1,
        serial: entry.serial,
        request_id: entry.request_id,
        actor: { tenant_id: tenant },
      });
    }
    expect(reader.events[2]!.event.data).toMatchObject({ before: record, after: updated });
    expect(reader.events[3]!.event.data).toMatchObject({ before: updated, after: null });
  });

  it('19.13 begins now, with the oldest, or behind an event, and leaves nothing out', async () => {
    const domain = await newDomain(member);
    await changes(domain, 9);
    const all = read(from('0'));
    const byQuery = read({ query: 'since=0' });
    await all.first(10);
    await byQuery.first(10);
    const now = await read().started();
    expect(numbersOf(all, domain)).toEqual(upTo(10));
    expect(byQuery.events).toEqual(all.events);
    for (const at of [0, 4, 9]) {
      const reader = read(from(all.events[at]!.id));
      await reader.started();
      await domain.newRecord({ name: domain.at(`later${at}`) });
      await until(() => numbersOf(reader, domain).at(-1) === numbersOf(all, domain).at(-1) && reader.events.length > 0);
      expect(reader.events).toEqual(all.events.slice(at + 1));
      reader.close();
    }
    await now.first(3);
    expect(now.told).toEqual(['record.created later0', 'record.created later4', 'record.created later9']);
  });

  it('19.12 keeps the order within each domain and omits no event under concurrent changes', async () => {
    const reader = await read().started();
    const domains = await Promise.all(Array.from({ length: 5 }, () => newDomain(member)));
    await Promise.all(domains.map((domain) => changes(domain, COUNT)));
    await reader.first(5 * (COUNT + 1));
    for (const domain of domains) expect(numbersOf(reader, domain)).toEqual(upTo(COUNT + 1));
    const again = read(from('0'));
    await again.first(5 * (COUNT + 1));
    expect(again.events).toEqual(reader.events);
    expect(new Set(again.events.map(({ id }) => id)).size).toBe(again.events.length);
  });

  it('19.12 reports changes of many and of large records in bounded pages', async () => {
    const domain = await newDomain(member);
    const text = `"${'x'.repeat(250)}" `.repeat(40).trim();
    await domain.import(Array.from({ length: 600 }, (_, at) => `t${at} 300 IN TXT ${text}\n`).join(''));
    const reader = read(from('0'));
    await reader.first(601, 20_000);
    expect(numbersOf(reader, domain)).toEqual(upTo(601));
  });

  it('19.12 is filtered by domains', async () => {
    const [one, other, third] = [await newDomain(member), await newDomain(member), await newDomain(member)];
    const both = read({ query: `since=0&domain=${one.id}&domain=${third.id.toUpperCase()}` });
    const commas = read({ query: `since=0&domain=${one.id},${third.id}` });
    await changes(other, 5);
    await changes(third, 2);
    await changes(one, 2);
    for (const reader of [both, commas]) {
      await reader.first(6);
      expect([one, other, third].map((domain) => numbersOf(reader, domain))).toEqual([upTo(3), [], upTo(3)]);
    }
  });

  it('19.12 finds events of a domain after any number of others', async () => {
    const [one, other] = [await newDomain(member), await newDomain(member)];
    const OTHERS = 12_000;
    await read({ query: 'since=0' }).first(2);
    const rows = Array.from({ length: OTHERS }, (_, at) => ({
      ...{ tenant_id: tenant, position: 3 + at, zone_id: other.id, first_number: 2 + at, entries: 1 },
      at: Date.now() * 1000,
    }));
    const raised = `UPDATE event_log_tenants SET last_position = ${2 + OTHERS} WHERE tenant_id = '${tenant}'`;
    storeRows(service.databaseFile, { event_log: rows }, raised);
    await changes(one, 2);
    const reader = read({ query: `since=0&domain=${one.id}` });
    await reader.first(3);
    expect([one, other].map((domain) => numbersOf(reader, domain))).toEqual([upTo(3), []]);
  });

  it('19.13, 19.14 also resumes after filtered events', async () => {
    const [one, other] = [await newDomain(member), await newDomain(member)];
    const socket = openSocket(service.url);
    const head = `Host: localhost\r\nX-Auth-Project-ID: ${tenant}\r\nX-Roles: member\r\n\r\n`;
    socket.write(`GET /v1/events?domain=${one.id} HTTP/1.1\r\n${head}`);
    const answer = receive(socket, (text) => text.includes(': still here\nid: 8\n'));
    await changes(other, 6);
    expect(await answer).not.toContain('zonewright.record.created');
    socket.destroy();
  });

  it('19.12 belongs to one tenant: its members, readers included, and admins who name it', async () => {
    const mine = await read().started();
    const others = await read({}, `${tenant}-other`).started();
    const reader = await read({ headers: { 'X-Roles': 'reader' } }).started();
    const sudo = { 'X-Roles': 'admin', 'X-Auth-Sudo-Tenant-ID': tenant };
    const admin = await read({ headers: sudo }, 'operators').started();
    const domain = await newDomain(member);
    for (const one of [mine, reader, admin]) {
      await one.first(1);
      expect(one.events[0]!.event.data.domain.id).toBe(domain.id);
    }
    expect(others.events).toEqual([]);
    const all = service.call('get', '/v1/events').set('X-Auth-All-Projects', 'true');
    await refusalOf(all, 400, 'invalid_object');
  });

  it('13.9, 19.12 reports a transferred domain to both tenants, and later events to the new owner', async () => {
    const receiver = `${tenant}-receiver`;
    const [giving, taking] = [await read().started(), await read({}, receiver).started()];
    const domain = await newDomain(member);
    const offer = await bodyOf<{ id: string; key: string }>(
      member.call('post', `/v2/zones/${domain.id}/tasks/transfer_requests`),
      201,
    );
    const accept = { key: offer.key, zone_transfer_request_id: offer.id };
    await answerOf(service.as(receiver).call('post', '/v2/zones/tasks/transfer_accepts', accept), 201);
    await answerOf(service.as(receiver).call('delete', `/v1/domains/${domain.id}`));
    await taking.first(2);
    await giving.first(2);
    expect(giving.events.map(({ type }) => type)).toEqual([
      'zonewright.domain.created',
      'zonewright.domain.transferred',
    ]);
    expect(taking.events.map(({ type }) => type)).toEqual([
      'zonewright.domain.transferred',
      'zonewright.domain.deleted',
    ]);
  });

  it.each(['x', '-1', '1.5', '99999999', '1-x', '00', '1e3', ' ', '9'.repeat(400)])(
    '19.13 refuses the id %j, which was never one',
    async (id) => {
      await newDomain(member);
      await refusalOf(member.call('get', '/v1/events').set('Last-Event-ID', id), 400, 'invalid_object');
      await refusalOf(member.call('get', `/v1/events?since=${encodeURIComponent(id)}`), 400, 'invalid_object');
    },
  );

  it('19.13 refuses the event id of another tenant, and invalid filters', async () => {
    await newDomain(member);
    const other = service.as(`${tenant}-other`);
    await newDomain(other);
    const reader = read(from('0'));
    const [{ id } = { id: '' }] = await reader.first(1);
    await refusalOf(other.call('get', '/v1/events').set('Last-Event-ID', id), 400, 'invalid_object');
    for (const query of ['domain=x', 'domain=', 'unknown=1', `domain=${`${'0'.repeat(32)},`.repeat(101)}`])
      await refusalOf(member.call('get', `/v1/events?${query}`), 400, 'invalid_object');
  });

  it('19.13 reports expired events instead of skipping them silently', async () => {
    const domain = await newDomain(member);
    const reader = read(from('0'));
    for (let count = 1; count <= 4; count += 1) {
      // Each change then has a separate row in the log.
      await reader.first(count);
      if (count < 4) await domain.newRecord({ name: domain.at(`r${count}`) });
    }
    const [first, second] = reader.events;
    storeRows(service.databaseFile, {}, `DELETE FROM event_log WHERE tenant_id = '${tenant}' AND position <= 2`);
    await refusalOf(member.call('get', '/v1/events').set('Last-Event-ID', first!.id), 410, 'events_gone');
    const rest = read(from(second!.id));
    await rest.first(2);
    expect(rest.events).toEqual(reader.events.slice(2));
    const oldest = read(from('0'));
    await oldest.first(2);
    expect(oldest.events).toEqual(rest.events);
  });

  it('1.3, 1.5, 19.12 is text/event-stream and not to be stored, and HEAD ends', async () => {
    const head = await answerOf(member.call('head', '/v1/events'));
    expect(head.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    await refusalOf(member.call('get', '/v1/events').set('Accept', 'application/json'), 406, 'unsupported_accept');
  });

  it('1.9, 19.14 takes no slot from other requests', async () => {
    for (let count = 0; count < 8; count += 1) await read().started();
    await Promise.all(Array.from({ length: 20 }, () => answerOf(member.call('get', '/v1/domains'))));
  });
});

describe('19.12 streams of events', () => {
  let other: TestService;
  afterEach(() => other.stop());
  const newReader = (more = {}): EventReader => {
    const reader = EventReader.as(tenant, other.url, more);
    readers.push(reader);
    return reader;
  };

  it('19.14 are limited for each tenant and in total', async () => {
    const limits = { SERVICE_API__MAX_EVENT_STREAMS_PER_TENANT: '2', SERVICE_API__MAX_EVENT_STREAMS: '3' };
    other = await startTestService({ ...EVENTS, ...limits });
    const [first] = [await newReader().started(), await newReader().started()];
    const more = (by: string) => other.as(by).call('get', '/v1/events');
    const { headers } = await more(tenant);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await refusalOf(more(tenant), 503, 'unavailable');
    await newReader({ headers: { 'X-Auth-Project-ID': 'second' } }).started();
    await refusalOf(more('third'), 503, 'unavailable');
    first.close();
    await until(async () => (await other.as(tenant).call('head', '/v1/events')).status === 200);
  });

  it('18.3, 19.14 end with the service, which does not wait for them', async () => {
    other = await startTestService({ ...EVENTS, SERVICE_API__SHUTDOWN_GRACE: '60' });
    const socket = openSocket(other.url);
    const answer = collect(socket, 30_000);
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: localhost\r\nX-Auth-Project-ID: a\r\nX-Roles: member\r\n\r\n`);
    await until(() => socket.bytesRead > 0);
    const begun = performance.now();
    await other.stop();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await answer).toMatchObject({ status: 200, isClosed: true, text: expect.stringMatching(/\r\n0\r\n\r\n$/) });
  });

  it('1.9, 19.14 are closed when their client does not read, while others continue', async () => {
    other = await startTestService({ ...EVENTS, SERVICE_API__READ_TIMEOUT: '1' });
    const [unread, reader] = [openSocket(other.url), await newReader().started()];
    unread.write(
      `GET /v1/events HTTP/1.1\r\nHost: localhost\r\nX-Auth-Project-ID: ${tenant}\r\nX-Roles: member\r\n\r\n`,
    );
    await once(unread, 'readable');
    unread.pause();
    const domain = await newDomain(other.as(tenant));
    const text = `"${'x'.repeat(250)}" `.repeat(200).trim();
    await domain.import(Array.from({ length: 120 }, (_, at) => `t${at} 300 IN TXT ${text}\n`).join(''));
    await reader.first(121, 20_000);
    const isOpen = async () => (await other.call('get', '/metrics')).text.includes('zonewright_event_streams 1\n');
    await until(isOpen, 20_000);
    unread.destroy();
  });

  it('14.2, 19.14 end when their token is revoked, and are limited to its scope', async () => {
    other = await startTestService({ ...EVENTS, SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN });
    const by = (token: string): Client => ({
      call: (method, path, body) => {
        const asked = other.plain(method, path).set('X-Auth-Token', token);
        return body === undefined ? asked : asked.send(body as object);
      },
    });
    const admin = by(ADMIN_TOKEN);
    const [one, hidden] = [await newDomain(admin), await newDomain(admin)];
    const made = await bodyOf<{ id: string; token: string }>(
      admin.call('post', '/v1/tokens', { roles: ['member'], domains: [one.name] }),
    );
    const reader = new EventReader(other.url, { headers: { 'X-Auth-Token': made.token, 'Last-Event-ID': '0' } });
    readers.push(reader);
    await changes(hidden, 3);
    await changes(one, 3);
    await reader.first(4);
    expect([one, hidden].map((domain) => numbersOf(reader, domain))).toEqual([upTo(4), []]);
    await answerOf(admin.call('delete', `/v1/tokens/${made.id}`));
    await until(() => reader.refused === 401, 15_000);
  });

  it('19.12 do not exist without the extension, and store nothing', async () => {
    other = await startTestService();
    const domain = await newDomain(other.as(tenant));
    await changes(domain, 3);
    await refusalOf(other.as(tenant).call('get', '/v1/events'), 404, 'not_found');
  });
});
