import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, TIMESTAMP } from '../support/answers.js';
import { DomainName } from '../../src/dns/name.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { EventReader, type ReadEvent } from '../support/event-reader.js';
import { Secondary } from '../support/secondary.js';
import { removeTestData, type Settings, startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

const TENANT = 'acme';
const PATIENCE = 20_000;
/** Longer than the delay of publication events. */
const QUIET = 1500;
/** A zone that does not change is checked once a minute. */
const CHECKED_WITHIN = 120_000;

let directory: string;
let secondaries: Secondary[];
let services: TestService[];
let readers: EventReader[];
let receivers: WebhookReceiver[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-publication-events-'));
  secondaries = [await Secondary.start(), await Secondary.start()];
  [services, readers, receivers] = [[], [], []];
});
afterEach(async () => {
  for (const reader of readers) reader.close();
  for (const service of services) await service.stop();
  for (const one of [...secondaries, ...receivers]) await one.stop();
  await removeTestData(directory);
});

async function start(more: Settings = {}): Promise<TestService> {
  const settings: Settings = {
    SERVICE_API__ENABLED_EXTENSIONS_V1: 'events',
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: secondaries.map(({ address }) => address).join(','),
    ...more,
  };
  const service = await startTestService(settings, directory);
  services.push(service);
  // A new listener gets changes from then on.
  if (secondaries.length > 0) await until(() => hasListener(service.databaseFile));
  for (const secondary of secondaries) secondary.onNotify = (zone) => bringUpToDate(secondary, service, zone);
  return service;
}

function hasListener(database: string): boolean {
  const names = lookInto(database, ({ rows }) => rows<{ name: string }>('SELECT name FROM change_listeners'));
  return names.some(({ name }) => name === 'publications');
}

/** As after a transfer: the server has the current serial. */
function bringUpToDate(secondary: Secondary, { databaseFile }: TestService, zone: string): void {
  const [row] = lookInto(databaseFile, ({ rows }) =>
    rows<{ serial: number | string }>(
      'SELECT COALESCE(published_serial, serial) AS serial FROM zones WHERE lower(name) = ?',
      zone.toLowerCase(),
    ),
  );
  if (row !== undefined) secondary.serials.set(zone, Number(row.serial));
}

function read(service: TestService, query = 'since=0'): EventReader {
  const reader = EventReader.as(TENANT, service.url, { query });
  readers.push(reader);
  return reader;
}

const newsOf = (reader: EventReader, { id }: TestDomain, what?: 'published' | 'lagging'): readonly ReadEvent[] =>
  reader.events.filter(
    ({ type, event }) =>
      event.data.domain.id === id &&
      (what === undefined ? /published|lagging/.test(type) : type === `zonewright.domain.${what}`),
  );

async function untilPublished(reader: EventReader, domain: TestDomain): Promise<void> {
  const { serial } = await domain.now();
  await until(() => newsOf(reader, domain, 'published').at(-1)?.event.data.serial === serial, PATIENCE);
}

const change = (domain: TestDomain, label: string) =>
  domain.newRecord({ name: domain.at(label), type: 'A', data: '192.0.2.77' });

describe('19.15 events of publication', () => {
  it('19.15 report in the stream when every name server has a change, once for its serial', async () => {
    const service = await start();
    const [one, other] = secondaries as [Secondary, Secondary];
    other.manners = () => 'drop';
    const domain = await newDomain(service.as(TENANT));
    const reader = read(service);
    await until(() => one.serials.get(domain.name) === domain.serial);
    await delay(QUIET);
    expect(newsOf(reader, domain)).toEqual([]);
    other.manners = () => 'answer';
    await untilPublished(reader, domain);
    const { id, name, serial } = await domain.now();
    const [told] = newsOf(reader, domain);
    expect(told!.event).toEqual({
      specversion: '1.0',
      id: `${id}:published:${serial}`,
      type: 'zonewright.domain.published',
      source: `/v1/domains/${id}`,
      time: expect.stringMatching(/Z$/),
      datacontenttype: 'application/json',
      data: { domain: { id, name }, number: 1, serial, changed_at: expect.stringMatching(TIMESTAMP), servers: [] },
    });
    await change(domain, 'www');
    await untilPublished(reader, domain);
    expect(newsOf(reader, domain).map(({ event }) => event.data.number)).toEqual([1, 2]);
    const again = read(service);
    await again.first(reader.events.length);
    expect(again.events).toEqual(reader.events);
    const behind = EventReader.as(TENANT, service.url, { headers: { 'Last-Event-ID': told!.id } });
    readers.push(behind);
    await behind.first(2);
    expect(behind.events).toEqual(reader.events.slice(reader.events.findIndex((each) => each.id === told!.id) + 1));
  });

  it('12.7, 19.15 wait while a server answers otherwise, in streams and webhooks, and come when it no longer does', async () => {
    const service = await start({ ...WEBHOOKS_ON, SERVICE_API__ENABLED_EXTENSIONS_V1: 'events,webhooks' });
    const member = service.as(TENANT);
    const receiver = await WebhookReceiver.listening();
    receivers.push(receiver);
    await newWebhook(member, { url: receiver.url('/published'), actions: ['domain.published'] });
    const domain = await newDomain(member);
    const reader = read(service);
    await untilPublished(reader, domain);
    const [wrong] = secondaries as [Secondary, Secondary];
    wrong.records = () => [];
    await change(domain, 'first');
    await until(async () => {
      const { servers } = await bodyOf<{ servers: { state: string }[] }>(
        member.call('get', `/v1/domains/${domain.id}/publication`),
      );
      return servers[0]!.state === 'inconsistent';
    });
    await change(domain, 'second');
    const { serial } = await domain.now();
    await until(() => secondaries.every(({ serials }) => serials.get(domain.name) === serial));
    await delay(QUIET);
    const hasTold = (events: readonly { readonly data: { readonly serial: number } }[]) =>
      events.some(({ data }) => data.serial === serial);
    const streamed = () => newsOf(reader, domain, 'published').map(({ event }) => event);
    const delivered = () => receiver.at('/published').map(({ event }) => event);
    expect([hasTold(streamed()), receiver.at('/published').length]).toEqual([false, streamed().length]);
    wrong.records = (name) => [
      { owner: DomainName.parse(name), type: 1, class: 1, ttl: 60, rdata: Buffer.from([192, 0, 2, 77]) },
    ];
    // The service asks again with its next check of the domain, which has no change.
    await until(() => hasTold(streamed()), CHECKED_WITHIN);
    await receiver.untilReceived(streamed().length, '/published');
    expect(delivered().at(-1)).toMatchObject({ type: 'zonewright.domain.published', data: { serial } });
  }, 180_000);

  it('19.15 report the latest of many changes, and no serial twice', async () => {
    const service = await start();
    const domain = await newDomain(service.as(TENANT));
    const reader = read(service);
    for (let at = 0; at < 8; at += 1)
      await Promise.all(Array.from({ length: 5 }, (_, more) => change(domain, `r${at}-${more}`)));
    await untilPublished(reader, domain);
    await delay(QUIET);
    const serials = newsOf(reader, domain).map(({ event }) => event.data.serial);
    expect(new Set(serials).size).toBe(serials.length);
    expect(serials.toSorted((a, b) => a - b)).toEqual(serials);
    expect(newsOf(reader, domain).at(-1)!.event.data).toMatchObject(await latestOf(domain));
  });

  it('19.15 report a lagging changed domain once, and no unchanged domain', async () => {
    const service = await start({ SERVICE_MDNS__LAGGING_AFTER: '1' });
    const [, other] = secondaries as [Secondary, Secondary];
    const [changed, unchanged] = [await newDomain(service.as(TENANT)), await newDomain(service.as(TENANT))];
    const reader = read(service);
    for (const domain of [changed, unchanged]) await untilPublished(reader, domain);
    other.manners = () => 'drop';
    await change(changed, 'first');
    const first = await latestOf(changed);
    await until(() => newsOf(reader, changed, 'lagging').length > 0, PATIENCE);
    for (let at = 0; at < 3; at += 1) {
      await change(changed, `later${at}`);
      await delay(QUIET);
    }
    expect(newsOf(reader, changed, 'lagging').map(({ event }) => event.data)).toEqual([
      expect.objectContaining({ ...first, servers: [other.address] }),
    ]);
    other.manners = () => 'answer';
    await untilPublished(reader, changed);
    expect(newsOf(reader, unchanged, 'lagging')).toEqual([]);
    other.manners = () => 'drop';
    await change(changed, 'again');
    await until(() => newsOf(reader, changed, 'lagging').length === 2, PATIENCE);
  });

  it('19.15 are not forgotten when the service stops meanwhile', async () => {
    const first = await start({ SERVICE_MDNS__LAGGING_AFTER: '1' });
    const [, other] = secondaries as [Secondary, Secondary];
    other.manners = () => 'drop';
    const { id } = await newDomain(first.as(TENANT));
    const reader = read(first);
    await until(() => reader.events.some(({ type }) => type.endsWith('lagging')), PATIENCE);
    await first.stop();
    services.pop();
    const second = await start({ SERVICE_MDNS__LAGGING_AFTER: '1' });
    const later = read(second);
    other.manners = () => 'answer';
    await until(() => later.events.some(({ type }) => type.endsWith('published')), PATIENCE);
    expect(later.events.map(({ event }) => [event.data.domain.id, event.type.split('.').at(-1)])).toEqual([
      [id, 'created'],
      [id, 'lagging'],
      [id, 'published'],
    ]);
  });

  it('19.15 arrive once over several services, whichever of them polls the name servers', async () => {
    const [one, other] = [await start(), await start()];
    const reader = read(other);
    const domains = await Promise.all([one, other, one, other].map((service) => newDomain(service.as(TENANT))));
    for (const domain of domains) await change(domain, 'www');
    for (const domain of domains) await untilPublished(reader, domain);
    await delay(QUIET);
    for (const domain of domains) {
      const ids = newsOf(reader, domain).map(({ event }) => event.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('19.15 reach only webhooks that name them in actions', async () => {
    const service = await start({ ...WEBHOOKS_ON, SERVICE_MDNS__LAGGING_AFTER: '1' });
    const member = service.as(TENANT);
    const receiver = await WebhookReceiver.listening();
    receivers.push(receiver);
    await newWebhook(member, { url: receiver.url('/all') });
    await newWebhook(member, { url: receiver.url('/published'), actions: ['domain.published'] });
    await newWebhook(member, { url: receiver.url('/both'), actions: ['domain.published', 'domain.lagging'] });
    await newWebhook(member, { url: receiver.url('/other'), domains: ['example.net.'], actions: ['domain.published'] });
    const domain = await newDomain(member);
    await receiver.untilReceived(1, '/published');
    secondaries[1]!.manners = () => 'drop';
    await change(domain, 'www');
    await receiver.untilReceived(2, '/both');
    await delay(QUIET);
    const typesAt = (path: string) => receiver.at(path).map(({ event }) => event.type.replace('zonewright.', ''));
    expect(typesAt('/all')).toEqual(['domain.created', 'record.created']);
    expect(typesAt('/published')).toEqual(['domain.published']);
    expect(typesAt('/both')).toEqual(['domain.published', 'domain.lagging']);
    expect(typesAt('/other')).toEqual([]);
  });

  it('19.15 follow the arrival of the signed version for a signed domain', async () => {
    const service = await start({
      ...DNSSEC_ON,
    });
    const domain = await newDomain(service.as(TENANT));
    const reader = read(service);
    await answerOf(service.as(TENANT).call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }));
    await until(async () => (await signedSerialOf(domain)) !== null, PATIENCE);
    await change(domain, 'www');
    await untilPublished(reader, domain);
    expect(newsOf(reader, domain).at(-1)!.event.data).toMatchObject(await latestOf(domain));
    const signed = (await signedSerialOf(domain))!;
    for (const { serials } of secondaries) expect(serials.get(domain.name)).toBeGreaterThanOrEqual(signed);
  });

  it('19.15 are not there without name servers that are asked', async () => {
    secondaries = [];
    const service = await start();
    const domain = await newDomain(service.as(TENANT));
    const reader = read(service);
    await reader.first(1);
    await delay(QUIET);
    expect(newsOf(reader, domain)).toEqual([]);
  });
});

/** Number and serial of the latest entry of its history. */
async function latestOf(domain: TestDomain): Promise<{ number: number; serial: number }> {
  const { history } = await bodyOf<{ history: { number: number; serial: number }[] }>(
    services.at(-1)!.as(TENANT).call('get', `/v1/domains/${domain.id}/history?limit=1`),
  );
  const { number, serial } = history[0]!;
  return { number, serial };
}

async function signedSerialOf(domain: TestDomain): Promise<number | null> {
  const answer = await bodyOf<{ published_serial: number | null }>(
    services.at(-1)!.as(TENANT).call('get', `/v1/domains/${domain.id}/dnssec`),
  );
  return answer.published_serial;
}
