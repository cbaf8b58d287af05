import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { AliasResolver } from '../support/alias-resolver.js';
import { addressesAt, followingBy } from '../support/alias-service.js';
import { answerOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { domainOf, freshName, newDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

const KILLS = times(4, 100);
const NAMES = 50;
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
