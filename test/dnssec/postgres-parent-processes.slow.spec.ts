import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { dnssecPath, type ShownDnssec } from '../support/dnssec-in-time.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { ownPlaceForEach } from '../support/own-place.js';
import {
  CountedServer,
  dsyncLine,
  itAtPort53,
  MAY_LISTEN_AT_53,
  NotifyListener,
  ownAddresses,
  PARENT_SERVERS,
  ParentZone,
} from '../support/parent-servers.js';
import { killAll, type ServiceProcess } from '../support/process.js';
import { isInstalled } from '../support/run-program.js';
import { type Clients, clientsOf } from '../support/service.js';
import { until } from '../support/until.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';

// Several looks with their pauses, and a lease that has to run out.
jest.setTimeout(240_000);

const PROGRAMS = { name: 'knotd, NSD and unbound', needs: { ...PARENT_SERVERS.needs, ...UNBOUND.needs } };
const IS_POSSIBLE = isInstalled(PROGRAMS) && MAY_LISTEN_AT_53;
/** Consecutive checks by a single process. */
const LOOKS = 4;
/** Minimum interval between two checks in milliseconds (behavior 23.10), less the clock tolerance. */
const SHORTEST_PAUSE = 5000 - 100;

interface Process {
  readonly service: ServiceProcess;
  readonly clients: Clients;
}

const place = ownPlaceForEach('parent-processes');
let parent: ParentZone;
let server: CountedServer;
let listener: NotifyListener;
let resolver: ValidatingResolver;
let processes: Process[];

beforeAll(async () => {
  if (!IS_POSSIBLE) return;
  const [own = '', counted = '', notified = ''] = ownAddresses(3);
  listener = await NotifyListener.start(notified);
  const name = freshName().slice(0, -1);
  parent = await ParentZone.start(
    name,
    [own],
    [
      ...[`${name}. 300 NS counted.${name}.`, `counted.${name}. 300 A ${counted}`],
      ...[`notified.${name}. 300 A ${notified}`, dsyncLine(`*._dsync.${name}.`, listener.port, `notified.${name}.`)],
    ],
  );
  server = await CountedServer.start(counted, own);
});
afterAll(async () => {
  if (!IS_POSSIBLE) return;
  await server.stop();
  await parent.stop();
  listener.stop();
});
beforeEach(async () => {
  if (!IS_POSSIBLE) return;
  // It asks another address than the one at which questions are counted.
  resolver = await ValidatingResolver.start({
    ...{ directory: place.directory, anchor: parent.anchor, zones: [parent.name] },
    servers: parent.addresses.map((address) => `${address}@53`),
  });
  processes = [await start(), await start()];
});
afterEach(async () => {
  if (IS_POSSIBLE) await resolver.stop();
});

async function start(): Promise<Process> {
  const service = await place.start({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_CENTRAL__SOA_MINIMUM: '1',
    SERVICE_DNSSEC__RESOLVER: `127.0.0.1:${resolver.port}`,
    SERVICE_DNSSEC__ALLOW_PARENTS: '127.0.0.0/8',
    ...DNSSEC_ON,
  });
  return { service, clients: clientsOf(service.url) };
}

const shown = ({ clients }: Process, zone: TestDomain): Promise<ShownDnssec> =>
  bodyOf<ShownDnssec>(clients.call('get', dnssecPath(zone)));

async function looksOf({ clients }: Process): Promise<number> {
  const { text } = await answerOf(clients.call('get', '/metrics'));
  return sumOf(samplesIn(text), 'zonewright_dnssec_parent_looks_total');
}

function told(): string[] {
  return listener.heard.map(({ questions: [question] }) => `${question?.type} ${question?.name.toString()}`);
}

itAtPort53(PROGRAMS)(
  '18.4, 23.10, 23.12: one of two processes checks the parent and sends it NOTIFY(CDS); the other takes over when the first is killed in a check',
  async () => {
    const [first, second] = processes as [Process, Process];
    const zone = await newDomain(first.clients, `child-${randomBytes(4).toString('hex')}.${parent.name}.`, { ttl: 1 });
    await answerOf(second.clients.call('put', dnssecPath(zone), { enabled: true }));
    await until(() => server.asked.length >= LOOKS);
    server.isAnswering = false;
    const pauses = server.asked.slice(1).map((at, before) => at - server.asked[before]!);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(SHORTEST_PAUSE);
    expect(told()).toEqual([`${Type.CDS} ${zone.name}`]);

    const looks = await Promise.all([first, second].map(looksOf));
    expect(looks).toContain(0);
    const [killed, other] = looks[0] === 0 ? [second, first] : [first, second];
    await until(() => server.asked.length > LOOKS);
    killAll(killed.service);
    await killed.service.ended;
    server.isAnswering = true;
    const { ds } = await shown(other, zone);
    await parent.serveAll([`${zone.name} 300 NS ns1.example.net.`, ...ds.map((data) => `${zone.name} 1 DS ${data}`)]);
    await until(async () => (await shown(other, zone)).state === 'secure');
    expect(await shown(other, zone)).toMatchObject({ parent: { matches: true, resolver: 'secure' } });
    expect(await looksOf(other)).toBeGreaterThan(0);
    expect(told()).toHaveLength(1);
  },
);
