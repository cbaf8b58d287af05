import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import type { Said } from '../support/alias-resolver.js';
import { addressesAt, type AliasService, startAliasService } from '../support/alias-service.js';
import { answerOf, TIMESTAMP } from '../support/answers.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import type { EventBody } from '../support/event-body.js';
import { EventReader, type ReadEvent } from '../support/event-reader.js';
import { removeTestData, type Settings } from '../support/service.js';
import { until } from '../support/until.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

jest.setTimeout(60_000);

/** Seconds. */
const GRACE = 2;
/** Milliseconds in which a second event would come. */
const QUIET = 1500;
const TIMES: Settings = {
  SERVICE_ALIAS__MAX_INTERVAL: '1',
  SERVICE_ALIAS__KEEP_MISSING: String(GRACE),
  SERVICE_ALIAS__FAILING_AFTER: String(GRACE),
};
const EVENTS: Settings = { ...WEBHOOKS_ON, ...TIMES, SERVICE_API__ENABLED_EXTENSIONS_V1: 'events,webhooks' };
const ONE = '192.0.2.10';

let service: AliasService;
let tenants = 0;
let tenant: string;
let readers: EventReader[];
beforeAll(async () => {
  service = await startAliasService(EVENTS);
});
afterAll(() => service.stop());
beforeEach(() => {
  tenant = `tenant-${(tenants += 1)}`;
  readers = [];
});
afterEach(() => {
  for (const reader of readers) reader.close();
});

function read(by = tenant, from = service): EventReader {
  const reader = EventReader.as(by, from.url, { query: 'since=0' });
  readers.push(reader);
  return reader;
}

const isNews = ({ type }: { readonly type: string }): boolean => type.includes('.alias_');
const newsIn = (reader: EventReader): readonly ReadEvent[] => reader.events.filter(isNews);
const kindsIn = (reader: EventReader): string[] =>
  newsIn(reader).map(({ type }) => type.replace('zonewright.domain.', ''));

interface Following {
  readonly domain: TestDomain;
  readonly target: string;
  readonly id: string;
}

async function follow(said: Said, target = `lb.${freshName()}`, by = tenant): Promise<Following> {
  service.resolver.say(target, said);
  const domain = await newDomain(service.as(by));
  const { id } = await domain.newRecord({ name: domain.name, type: 'ALIAS', data: target });
  return { domain, target, id };
}

/** A domain with the address of a target that then says something else. */
async function troubled(said: Said): Promise<Following> {
  service.resolver.ttl = 1;
  const following = await follow([ONE]);
  await until(async () => (await addressesAt(following.domain)).length === 1);
  service.resolver.say(following.target, said);
  return following;
}

describe('24.12 events of ALIAS targets', () => {
  it('24.12, 24.5 tell once that a target does not exist, after the time for which its addresses stay', async () => {
    const [reader, begun] = [read(), performance.now()];
    const { domain, target } = await troubled(Rcode.NXDOMAIN);
    await until(() => newsIn(reader).length === 1);
    expect(performance.now() - begun).toBeGreaterThan(GRACE * 1000);
    const { id, name } = domain;
    const [{ event } = { event: {} as EventBody }] = newsIn(reader);
    expect(event).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(new RegExp(`^${id}:alias:\\d{16}$`)),
      type: 'zonewright.domain.alias_failing',
      source: `/v1/domains/${id}`,
      time: expect.stringMatching(/Z$/),
      datacontenttype: 'application/json',
      data: {
        domain: { id, name },
        target,
        state: 'missing',
        problem: 'the resolver says that it does not exist',
        since: expect.stringMatching(TIMESTAMP),
        owners: [name],
        owner_count: 1,
      },
    });
    expect(Date.parse(event.time) - Date.parse(`${event.data.since}Z`)).toBeGreaterThanOrEqual(GRACE * 1000);
    await until(async () => (await addressesAt(domain)).length === 0);
    await delay(QUIET);
    expect(kindsIn(reader)).toEqual(['alias_failing']);
  });

  it('24.12, 24.5 tell of SERVFAIL, though the addresses stay, and of the recovery', async () => {
    const reader = read();
    const { domain, target } = await troubled(Rcode.SERVFAIL);
    await until(() => newsIn(reader).length === 1);
    expect(newsIn(reader)[0]!.event.data).toMatchObject({ state: 'failing', problem: 'the resolver answers SERVFAIL' });
    expect(await addressesAt(domain)).toEqual([ONE]);
    service.resolver.say(target, [ONE]);
    await until(() => newsIn(reader).length === 2);
    const { event } = newsIn(reader)[1]!;
    expect(event.type).toBe('zonewright.domain.alias_recovered');
    expect(event.data).toMatchObject({ target, state: 'resolved', problem: null, owners: [domain.name] });
    service.resolver.say(target, Rcode.NXDOMAIN);
    await until(() => newsIn(reader).length === 3);
    expect(kindsIn(reader)).toEqual(['alias_failing', 'alias_recovered', 'alias_failing']);
    expect(new Set(newsIn(reader).map((each) => each.event.id)).size).toBe(3);
  });

  it('24.12 tell of addresses that are not public, and of a loop immediately', async () => {
    const reader = read();
    await follow(['10.0.0.1']);
    const { domain } = await follow([ONE]);
    const begun = performance.now();
    await domain.newRecord({ name: domain.at('a'), type: 'ALIAS', data: domain.at('b') });
    await domain.newRecord({ name: domain.at('b'), type: 'ALIAS', data: domain.at('a') });
    await until(() => newsIn(reader).some(({ event }) => event.data.state === 'looping'));
    expect(performance.now() - begun).toBeLessThan(10_000);
    await until(() => newsIn(reader).some(({ event }) => event.data.state === 'refused'));
  });

  it('24.12, 19.18 reach webhooks that name them, and each tenant hears of its own domains', async () => {
    const receiver = await WebhookReceiver.listening();
    try {
      const other = `${tenant}-other`;
      const actions = ['domain.alias_failing', 'domain.alias_recovered'];
      await newWebhook(service.as(tenant), { url: receiver.url('/named'), actions });
      await newWebhook(service.as(tenant), { url: receiver.url('/all') });
      await newWebhook(service.as(other), { url: receiver.url('/other'), actions });
      const [mine, theirs] = [read(), read(other)];
      const { domain, target } = await follow(Rcode.NXDOMAIN);
      const { domain: foreign } = await follow(Rcode.NXDOMAIN, target, other);
      await until(() => receiver.at('/named').length === 1 && receiver.at('/other').length === 1);
      service.resolver.say(target, [ONE]);
      await until(() => receiver.at('/named').length === 2 && receiver.at('/other').length === 2);
      await delay(QUIET);
      for (const [reader, { id }, path] of [
        [mine, domain, '/named'],
        [theirs, foreign, '/other'],
      ] as const) {
        expect(kindsIn(reader)).toEqual(['alias_failing', 'alias_recovered']);
        expect(newsIn(reader).map(({ event }) => event.data.domain.id)).toEqual([id, id]);
        expect(receiver.at(path).map(({ event }) => event)).toEqual(newsIn(reader).map(({ event }) => event));
      }
      expect(receiver.at('/all').filter(({ event }) => isNews(event))).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  it('24.12 tell a domain whose ALIAS is new, and no domain twice', async () => {
    const reader = read();
    const { domain, target } = await follow(Rcode.NXDOMAIN);
    await until(() => newsIn(reader).length === 1);
    await domain.newRecord({ name: domain.at('www'), type: 'ALIAS', data: target });
    const { domain: later } = await follow(Rcode.NXDOMAIN, target);
    await until(() => newsIn(reader).length === 2);
    expect(newsIn(reader)[1]!.event.data.domain.id).toBe(later.id);
    await delay(QUIET);
    service.resolver.say(target, [ONE]);
    await until(() => newsIn(reader).length === 4);
    const [recovered] = newsIn(reader).filter(({ type, event }) => {
      return type.endsWith('recovered') && event.data.domain.id === domain.id;
    });
    expect(recovered!.event.data).toMatchObject({ owners: [domain.name, domain.at('www')], owner_count: 2 });
    await domain.newRecord({ name: domain.at('new'), type: 'ALIAS', data: target });
    service.resolver.say(target, Rcode.NXDOMAIN);
    await until(() => newsIn(reader).length === 6);
    await delay(QUIET);
    expect(kindsIn(reader)).toEqual([
      ...['alias_failing', 'alias_failing', 'alias_recovered', 'alias_recovered', 'alias_failing', 'alias_failing'],
    ]);
    const last = newsIn(reader).findLast(({ event }) => event.data.domain.id === domain.id);
    expect(last!.event.data.owner_count).toBe(3);
  });

  it('24.12 tell once of a target that very many names of a domain follow', async () => {
    const [reader, domain, target] = [read(), await newDomain(service.as(tenant)), `lb.${freshName()}`];
    const names = Array.from({ length: 1100 }, (_, at) => domain.at(`h${at}`));
    await domain.import(names.map((name) => `${name} ALIAS ${target}\n`).join(''));
    await until(() => newsIn(reader).length === 1);
    await delay(QUIET);
    service.resolver.say(target, [ONE]);
    await until(() => newsIn(reader).length === 2);
    await delay(QUIET);
    expect(kindsIn(reader)).toEqual(['alias_failing', 'alias_recovered']);
    for (const { event } of newsIn(reader)) {
      expect(event.data.owner_count).toBe(500);
      expect(new Set(event.data.owners)).toHaveProperty('size', 20);
      expect(names).toEqual(expect.arrayContaining([...event.data.owners!]));
    }
  });

  it('24.12 tell nothing of deleted ALIAS records', async () => {
    const reader = read();
    const { domain, target, id } = await follow(Rcode.NXDOMAIN);
    const { domain: kept } = await follow(Rcode.NXDOMAIN, target);
    await until(() => newsIn(reader).length === 2);
    await answerOf(domain.delete(id));
    service.resolver.say(target, [ONE]);
    await until(() => newsIn(reader).length === 3);
    await delay(QUIET);
    expect(
      newsIn(reader)
        .slice(2)
        .map(({ event }) => event.data.domain.id),
    ).toEqual([kept.id]);
  });

  it('24.12, 19.13 end a stream that goes on behind them', async () => {
    const first = read();
    const { domain } = await follow(Rcode.NXDOMAIN);
    await until(() => newsIn(first).length === 1);
    const { id } = newsIn(first)[0]!;
    const more = EventReader.as(tenant, service.url, { headers: { 'Last-Event-ID': id } });
    readers.push(more);
    await more.started();
    await domain.newRecord({ name: domain.at('x') });
    await more.first(1);
    expect(more.events.map(({ type }) => type)).toEqual(['zonewright.record.created']);
  });
});

describe('24.12 the events of a service', () => {
  let directory: string;
  let shared: AliasService;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-alias-events-'));
    shared = service;
  });
  afterEach(async () => {
    if (service !== shared) await service.stop();
    service = shared;
    await removeTestData(directory);
  });

  async function restart(settings: Settings): Promise<void> {
    const { said } = service.resolver;
    if (service !== shared) await service.stop();
    service = await startAliasService(settings, directory);
    for (const [name, what] of said) service.resolver.say(name, what);
  }

  async function untilState({ id }: TestDomain, state: string): Promise<void> {
    await until(async () => {
      const { text } = await answerOf(service.as(tenant).call('get', `/v1/domains/${id}/aliases`));
      return text.includes(`"state":"${state}"`);
    });
  }

  it('24.12 tell nothing of a short trouble', async () => {
    await restart({ ...EVENTS, SERVICE_ALIAS__KEEP_MISSING: '3600', SERVICE_ALIAS__FAILING_AFTER: '3600' });
    const [reader, following] = [read(), await troubled(Rcode.SERVFAIL)];
    await untilState(following.domain, 'failing');
    service.resolver.say(following.target, [ONE]);
    await untilState(following.domain, 'resolved');
    await delay(QUIET);
    expect(newsIn(reader)).toEqual([]);
  });

  it('24.12 tell what still fails when they are enabled, and what has recovered meanwhile', async () => {
    await restart(TIMES);
    const { domain, target } = await troubled(Rcode.SERVFAIL);
    await untilState(domain, 'failing');
    await delay(GRACE * 1000);
    await restart(EVENTS);
    const first = read();
    await until(() => kindsIn(first).join() === 'alias_failing');
    await restart(TIMES);
    service.resolver.say(target, [ONE]);
    await untilState(domain, 'resolved');
    await restart(EVENTS);
    const second = read();
    await until(() => kindsIn(second).join() === 'alias_failing,alias_recovered');
  });
});
