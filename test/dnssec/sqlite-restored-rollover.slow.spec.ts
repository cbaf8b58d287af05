import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { type Ended, killAll, runCommand, type ServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, environmentOf, type Settings } from '../support/service.js';
import { until } from '../support/until.js';

// Several starts of processes, and two rollovers.
jest.setTimeout(240_000);

/** In seconds, of all records: rollovers wait for it. */
const TTL = 1;

interface Shown {
  readonly state: string;
  readonly waits_for: string | null;
  readonly published_serial: number | null;
  readonly keys: readonly { readonly tag: number }[];
  readonly rollover: { readonly id: string; readonly step: string } | null;
}

const place = ownPlaceForEach('restored-rollover');
let settings: Settings;
let clients: Clients;
let service: ServiceProcess;

beforeEach(async () => {
  settings = {
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_CENTRAL__SOA_MINIMUM: String(TTL),
    ...DNSSEC_ON,
  };
  await start();
});

async function start(): Promise<void> {
  service = await place.start(settings);
  clients = clientsOf(service.url);
}

const zonewright = (...args: string[]): Promise<Ended> =>
  runCommand(place.directory, environmentOf(place.directory, settings), args);
const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;
const shown = (domain: TestDomain): Promise<Shown> => bodyOf<Shown>(clients.call('get', pathOf(domain)));

/** The copy takes the place of the database (docs/operating/restoring.md). */
async function restore(copy: string): Promise<void> {
  killAll(service);
  await service.ended;
  const file = place.database;
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  await rename(join(place.directory, copy), file);
  expect((await zonewright('check', '--raise-serials')).code).toBe(0);
  await start();
}

async function reach(domain: TestDomain, isThere: (shown: Shown) => boolean): Promise<Shown> {
  let latest = await shown(domain);
  await until(async () => isThere((latest = await shown(domain))));
  return latest;
}

/** The parent zone has the DS of the new key as soon as that is asked for. */
async function end(domain: TestDomain): Promise<Shown> {
  for (;;) {
    const now = await reach(domain, ({ rollover, waits_for: waitsFor }) => rollover === null || isOfParent(waitsFor));
    if (now.rollover === null) return now;
    await answerOf(clients.call('post', `${pathOf(domain)}/parent`, { ds: 'published', ttl: TTL }));
  }
}

function isOfParent(waitsFor: string | null): boolean {
  return waitsFor?.startsWith('the DS of the new key') === true;
}

async function expectFaultless(): Promise<void> {
  expect(await zonewright('dnssec', 'check', '--all')).toMatchObject({ code: 0, stderr: '' });
}

const ROLLED = [
  { key: 'csk', copied: 'publish', wish: { key: 'csk' } },
  { key: 'csk', copied: 'swap', wish: { key: 'csk' } },
  { key: 'algorithm', copied: 'swap', wish: { key: 'algorithm', algorithm: 'ED25519' } },
];

it.each(ROLLED)(
  '17.4, 23.5, 23.9: restored in the step $copied of a rollover of the $key, a domain is published above all that was, and goes on to the end',
  async ({ copied, wish }) => {
    const domain = await newDomain(clients, freshName(), { ttl: TTL });
    await answerOf(clients.call('put', pathOf(domain), { enabled: true, single_key: true }));
    await reach(domain, ({ state }) => state === 'ready');
    const first = (await shown(domain)).keys.map(({ tag }) => tag);
    await answerOf(clients.call('post', `${pathOf(domain)}/rollovers`, wish));
    const before = await reach(domain, ({ rollover }) => rollover?.step === copied);
    expect((await zonewright('backup', 'copy.sqlite')).code).toBe(0);

    const rolled = await end(domain);
    const added = rolled.keys.map(({ tag }) => tag);
    await domain.newRecord({ name: domain.at('lost') });
    const { serial } = await domain.now();
    const { published_serial: last } = await reach(domain, (now) => (now.published_serial ?? 0) >= serial);

    await restore('copy.sqlite');
    const after = await reach(domain, (now) => (now.published_serial ?? 0) > (last ?? 0));
    expect(after.rollover?.id).toBe(before.rollover?.id);
    expect(new Set(after.keys.map(({ tag }) => tag))).toEqual(new Set([...first, ...added]));
    await expectFaultless();
    await domainOf(clients, domain).newRecord({ name: domain.at('after') });
    expect((await end(domain)).keys.map(({ tag }) => tag)).toEqual(added);
    await expectFaultless();
  },
);
