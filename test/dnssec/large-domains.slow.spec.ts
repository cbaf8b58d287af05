import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { openStore, type Store } from '../crash/store.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { transfer } from '../support/dns-client.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { seedRecords } from '../support/seed.js';
import { type Clients, clientsOf, databaseFileIn } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { applied } from '../support/transfers.js';
import { until } from '../support/until.js';
import { generationsOf } from './generations.js';

/** Twice as many record sets are signed, in a dozen transactions. */
const COUNT = 6000;
const PATIENCE = 120_000;
jest.setTimeout(300_000);

let store: Store;
let database: string;
let port: number;
let running: ServiceProcess;
let clients: Clients;

beforeEach(async () => {
  port = await freePort();
  store = await openStore({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_API__CHANGES_PER_MINUTE: '0',
    ...DNSSEC_ON,
  });
  database = databaseFileIn(store.directory);
  await start();
});
afterEach(async () => {
  await kill();
  await store.remove();
});

async function start(): Promise<void> {
  running = await startServiceProcess(store.directory, store.env);
  clients = clientsOf(running.url);
}

async function kill(): Promise<void> {
  killAll(running);
  await running.ended;
  await store.settled();
}

async function largeDomain(): Promise<TestDomain> {
  const domain = await newDomain(clients);
  seedRecords(database, domain.id, COUNT);
  return domain;
}

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;
const sign = (domain: TestDomain) => answerOf(clients.call('put', pathOf(domain), { enabled: true }));

async function publishedSerialOf(domain: TestDomain): Promise<number | null> {
  return (await bodyOf<{ published_serial: number | null }>(clients.call('get', pathOf(domain)))).published_serial;
}

async function transferOf({ name }: TestDomain, serial?: number): Promise<readonly ResourceRecord[]> {
  const type = serial === undefined ? MetaType.AXFR : MetaType.IXFR;
  const { records } = await transfer({ port }, { name, type, ...(serial !== undefined && { serial }) });
  return serial === undefined ? records.slice(0, -1) : records;
}

const isSigned = (records: readonly ResourceRecord[]): boolean => records.some(({ type }) => type === Type.RRSIG);
const textsOf = (records: readonly ResourceRecord[]): string[] =>
  records.map(({ owner, type, rdata }) => `${owner.toString()} ${type} ${Buffer.from(rdata).toString('hex')}`).sort();

itWithJudges('18.16: a large domain is signed in short transactions, and shown at one moment', async () => {
  const domain = await largeDomain();
  const other = await newDomain(clients.as('other'));
  const unsigned = await transferOf(domain);
  await sign(domain);
  const begun = performance.now();
  const waits: number[] = [];
  let hasSeenRows = false;
  while ((await publishedSerialOf(domain)) === null) {
    const at = performance.now();
    await other.newRecord({ name: other.at(`x${waits.length}`) });
    waits.push(performance.now() - at);
    if (hasSeenRows || generationsOf(domain, database).length === 0) continue;
    hasSeenRows = true;
    const served = await transferOf(domain);
    // Otherwise the domain was published meanwhile.
    if ((await publishedSerialOf(domain)) === null) expect(isSigned(served)).toBe(false);
    await domain.newRecord({ name: domain.at('late') });
  }
  const took = performance.now() - begun;
  expect({ hasSeenRows, waits: waits.length > 10 }).toEqual({ hasSeenRows: true, waits: true });
  expect(Math.max(...waits)).toBeLessThan(took / 3);

  const present = await transferOf(domain);
  expect(present.filter(({ owner }) => owner.toString() === domain.at('late')).map(({ type }) => type)).toContain(
    Type.RRSIG,
  );
  expect(present.length).toBeGreaterThan(4 * COUNT);
  expect(await faultsOf(domain.name, genericText(present))).toEqual([]);
  const { serial } = SOA.values(unsigned[0]!.rdata);
  expect(textsOf(applied(unsigned, await transferOf(domain, serial)))).toEqual(textsOf(present));
});

function serialInStore({ id }: TestDomain): unknown {
  return lookInto(database, ({ rows }) =>
    rows<{ published_serial: unknown }>('SELECT published_serial FROM zones WHERE id = ?', id),
  )[0]?.published_serial;
}

async function killedWhileSigned(): Promise<TestDomain> {
  for (;;) {
    const domain = await largeDomain();
    await sign(domain);
    await until(() => generationsOf(domain, database).length > 0, PATIENCE);
    await kill();
    if (serialInStore(domain) === null) return domain;
    // The signing was faster.
    await start();
  }
}

itWithJudges(
  '18.16: the next start signs a domain whose signing was killed, and removes the rows of that',
  async () => {
    const domain = await killedWhileSigned();
    const left = generationsOf(domain, database);
    expect(left).toHaveLength(1);
    await start();
    const served = await transferOf(domain);
    if ((await publishedSerialOf(domain)) === null) expect(isSigned(served)).toBe(false);
    await until(async () => (await publishedSerialOf(domain)) !== null, PATIENCE);
    await until(() => generationsOf(domain, database).every((generation) => !left.includes(generation)), PATIENCE);
    expect(generationsOf(domain, database)).toHaveLength(1);
    expect(await faultsOf(domain.name, genericText(await transferOf(domain)))).toEqual([]);
  },
);
