import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { EventReader } from '../support/event-reader.js';
import { ADMIN_TOKEN, type Client, type Settings, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const EVENTS: Settings = {
  SERVICE_API__ENABLED_EXTENSIONS_V1: 'events',
  SERVICE_API__EVENT_HEARTBEAT: '1',
  SERVICE_API__MAX_BODY_SIZE: '100000000',
  SERVICE_API__MAX_EVENT_STREAMS_PER_TENANT: '100',
};
const TENANT = 'acme';
const RECORDS = 9;

let service: TestService;
let readers: EventReader[];

beforeEach(() => void (readers = []));
afterEach(async () => {
  for (const reader of readers) reader.close();
  await service.stop();
});

function read(headers: Record<string, string>, by = TENANT): EventReader {
  const reader = EventReader.as(by, service.url, { headers });
  readers.push(reader);
  return reader;
}

const idsOf = (reader: EventReader): string[] => reader.events.map(({ id }) => id);

describe('19.16 shared reading', () => {
  it('19.16 shows streams that begin at every position, also behind the last event, the same events', async () => {
    service = await startTestService(EVENTS);
    const [domain, ofOther] = [await newDomain(service.as(TENANT)), await newDomain(service.as('other'))];
    const add = async (label: string) => {
      for (let at = 0; at < RECORDS; at += 1) {
        await domain.newRecord({ name: domain.at(`${label}${at}`) });
        await ofOther.newRecord({ name: ofOther.at(`${label}${at}`) });
      }
    };
    await add('a');
    const first = read({ 'Last-Event-ID': '0' });
    await first.first(RECORDS + 1);
    const starts = idsOf(first);
    const begun = starts.map((id, at) => read({ 'Last-Event-ID': id, 'X-Roles': at % 2 === 0 ? 'member' : 'reader' }));
    const others = [read({ 'Last-Event-ID': '0' }, 'other'), await read({}, 'other').started()];
    for (const reader of begun) await reader.started();
    await add('b');
    const total = 1 + 2 * RECORDS;
    await first.first(total);
    for (const [at, reader] of begun.entries()) {
      await reader.first(total - at - 1);
      expect(reader.events).toEqual(first.events.slice(at + 1));
    }
    // A stream behind the last event gets each next one without waiting for the regular look.
    const last = await read({ 'Last-Event-ID': idsOf(first).at(-1)! }).started();
    for (let at = 1; at <= 5; at += 1) {
      await domain.newRecord({ name: domain.at(`c${at}`) });
      await last.first(at, 900);
    }
    expect(last.told).toEqual([1, 2, 3, 4, 5].map((at) => `record.created c${at}`));
    await others[0]!.first(total);
    expect(others[0]!.events.every(({ event }) => event.data.domain.id === ofOther.id)).toBe(true);
    expect(others[1]!.events).toEqual(others[0]!.events.slice(1 + RECORDS));
  });

  it('14.2, 19.16 shows streams of scoped tokens of one tenant their domains only', async () => {
    service = await startTestService({
      ...EVENTS,
      SERVICE_API__AUTH_STRATEGY: 'token',
      AUTH__ADMIN_TOKEN: ADMIN_TOKEN,
    });
    const call: Client['call'] = (method, path, body) => {
      const asked = service.plain(method, path).set('X-Auth-Token', ADMIN_TOKEN);
      return body === undefined ? asked : asked.send(body as object);
    };
    const domains = [await newDomain({ call }), await newDomain({ call })];
    const open = async (restrictions: object): Promise<EventReader> => {
      const { token } = await bodyOf<{ token: string }>(
        call('post', '/v1/tokens', { roles: ['member'], ...restrictions }),
      );
      const reader = new EventReader(service.url, { headers: { 'X-Auth-Token': token, 'Last-Event-ID': '0' } });
      readers.push(reader);
      return reader.started();
    };
    const scopes = [[0], [1], [0, 1], [1, 0], [0]];
    const scoped = await Promise.all(scopes.map((scope) => open({ domains: scope.map((at) => domains[at]!.name) })));
    const all = await open({});
    for (let at = 0; at < RECORDS; at += 1)
      for (const domain of domains) await domain.newRecord({ name: domain.at(`r${at}`) });
    await all.first(2 + 2 * RECORDS);
    for (const [at, reader] of scoped.entries()) {
      const shown = new Set(scopes[at]!.map((each) => domains[each]!.id));
      const expected = all.events.filter(({ event }) => shown.has(event.data.domain.id));
      await reader.first(expected.length);
      expect(reader.events).toEqual(expected);
    }
  });

  it('1.9, 19.16 shows streams that stop reading for a while all events, in order', async () => {
    service = await startTestService({ ...EVENTS, SERVICE_API__READ_TIMEOUT: '60' });
    const domain = await newDomain(service.as(TENANT));
    const headers = { 'X-Auth-Project-ID': TENANT, 'X-Roles': 'member', 'Last-Event-ID': '0' };
    const open = async (): Promise<IncomingMessage> => {
      const sent = get(`${service.url}/v1/events`, { agent: false, headers });
      return ((await once(sent, 'response')) as [IncomingMessage])[0];
    };
    const paused = await Promise.all(Array.from({ length: 6 }, open));
    const long = `"${'x'.repeat(250)}" `.repeat(100).trim();
    const count = 600;
    await domain.import(Array.from({ length: count }, (_, at) => `t${at} 300 IN TXT ${long}\n`).join(''));
    const reader = read({ 'Last-Event-ID': '0' });
    await reader.first(count + 1, 20_000);
    const expected = idsOf(reader);
    for (const answer of paused) {
      const chunks: string[] = [];
      answer.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
      const shown = () =>
        [...chunks.join('').matchAll(/^id: (.+)\nevent: zonewright\.(?!stream)/gm)].map(([, id]) => id);
      await until(() => shown().length >= expected.length, 20_000);
      expect(shown()).toEqual(expected);
      answer.destroy();
    }
  });
});
