import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { AliasResolver } from '../support/alias-resolver.js';
import { addressesAt, followingBy } from '../support/alias-service.js';
import { Rcode } from '../../src/dns/message/codes.js';
import { answerOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { domainOf, freshName, newDomain } from '../support/domain.js';
import { EventReader, type ReadEvent } from '../support/event-reader.js';
import { times } from '../support/length.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

const KILLS = times(4, 100);
const NAMES = 50;
/** More than are told in one step. */
const DOMAINS = 300;
/** Milliseconds: resolution and publication of one change take less. */
const LONGEST_LIFE = 1500;

let directory: string;
let resolver: AliasResolver;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  resolver = await AliasResolver.start();
});
afterEach(() => service && killAll(service));
afterAll(async () => {
  await resolver.stop();
  audit(databaseFileIn(directory));
  await removeTestData(directory);
});

it('24.3 publishes the last addresses after kills between answer and publication', async () => {
  const environment = environmentOf(directory, {
    ...followingBy(resolver.address),
    SERVICE_API__LISTEN: '127.0.0.1:0',
  });
  service = await startServiceProcess(directory, environment);
  const target = `lb.${freshName()}`;
  resolver.ttl = 1;
  resolver.say(target, ['192.0.2.1']);
  const first = await newDomain(clientsOf(service.url));
  const changes = Array.from({ length: NAMES }, (_, at) => ({
    action: 'create',
    record: { name: first.at(`h${at}`), type: 'ALIAS', data: target },
  }));
  await answerOf(clientsOf(service.url).call('post', `/v1/domains/${first.id}/changes`, { changes }));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    resolver.say(target, [`192.0.2.${kill + 1}`]);
    await delay(Math.random() * LONGEST_LIFE);
    killAll(service);
    service = await startServiceProcess(directory, environment);
  }
  const domain = domainOf(clientsOf(service.url), first);
  const wanted = [`192.0.2.${KILLS + 1}`];
  for (let at = 0; at < NAMES; at += 1)
    await until(async () => (await addressesAt(domain, domain.at(`h${at}`))).join() === wanted.join());
  expect((await domain.records()).length).toBe(2 * NAMES);
});

it('24.12 tells each of 300 domains of a target once, though the service is killed meanwhile', async () => {
  const environment = environmentOf(directory, {
    ...followingBy(resolver.address),
    SERVICE_API__LISTEN: '127.0.0.1:0',
    SERVICE_API__ENABLED_EXTENSIONS_V1: 'events',
    SERVICE_API__CHANGES_PER_MINUTE: '0',
    SERVICE_ALIAS__MAX_INTERVAL: '1',
    SERVICE_ALIAS__FAILING_AFTER: '1',
    DEFAULT__QUOTA_ZONES: '1000',
  });
  const target = `lb.${freshName()}`;
  resolver.ttl = 1;
  resolver.say(target, ['192.0.2.1']);
  service = await startServiceProcess(directory, environment);
  const member = clientsOf(service.url).as('acme');
  const ids = new Set<string>();
  for (let at = 0; at < DOMAINS; at += 1) {
    const domain = await newDomain(member);
    await domain.newRecord({ name: domain.name, type: 'ALIAS', data: target });
    ids.add(domain.id);
  }
  for (const [said, kind] of [
    [Rcode.SERVFAIL, 'alias_failing'],
    [['192.0.2.1'], 'alias_recovered'],
  ] as const) {
    const told = (reader: EventReader): readonly ReadEvent[] => reader.events.filter(({ type }) => type.endsWith(kind));
    const before = EventReader.as('acme', service.url);
    resolver.say(target, said);
    await until(() => told(before).length > 0);
    before.close();
    killAll(service);
    service = await startServiceProcess(directory, environment);
    const after = EventReader.as('acme', service.url, { query: 'since=0' });
    await until(() => told(after).length >= DOMAINS);
    await delay(LONGEST_LIFE);
    after.close();
    expect(told(after)).toHaveLength(DOMAINS);
    expect(new Set(told(after).map(({ event }) => event.data.domain.id))).toEqual(ids);
  }
});
