import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { PublishedKey } from '../../src/dns/dnssec/dnskey.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { Random, seedFrom } from '../crash/random.js';
import { openStore, type Store } from '../crash/store.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { DNSSEC_ON, isNewDsAwaited } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, databaseFileIn } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import { ownFaultsOf } from './own-check.js';
import type { Dnssec } from './signed-pool.js';

/** `npm run test:dnssec` runs more rounds and prints its actions. */
const FEWEST_ROUNDS = 1;
const ROUNDS = Number(process.env.ZONEWRIGHT_DNSSEC_KILLS ?? FEWEST_ROUNDS);
const SEED = seedFrom('ZONEWRIGHT_DNSSEC_SEED', ROUNDS > FEWEST_ROUNDS);
/** Signing this many names takes some tenths of a second. */
const NAMES = 500;
const A_RUN = 500;
/** A rollover has several runs, and waits for ttls between them; in milliseconds. */
const A_ROLLOVER = 4000;
const A_ROLLOVER_WITH_DS = 8000;
const AN_END = 1500;

jest.setTimeout(120_000 + ROUNDS * 300_000);

/** Requests to sign or unsign a zone, and the check for their completion. */
interface Kind {
  readonly name: string;
  /** In milliseconds. */
  readonly lasts: number;
  readonly begin: (clients: Clients, path: string) => Promise<unknown>;
  readonly isOver: (before: State, now: State) => boolean;
}

/** As the database has it. */
interface State {
  readonly serial: number | null;
  readonly rollovers: number;
}

const isPublishedAnew: Kind['isOver'] = (before, { serial }) => (serial ?? 0) > (before.serial ?? 0);
const isRolled: Kind['isOver'] = (before, now) => now.rollovers === 0 && isPublishedAnew(before, now);
const put = (body: object) => (clients: Clients, path: string) => answerOf(clients.call('put', path, body));

const roll = (body: object) => (clients: Clients, path: string) =>
  answerOf(clients.call('post', `${path}/rollovers`, body));
async function end(clients: Clients, path: string): Promise<void> {
  await answerOf(clients.call('put', path, { enabled: false }));
  await answerOf(clients.call('post', `${path}/parent`, { ds: 'removed', ttl: 1 }));
}
const isUnsigned: Kind['isOver'] = (_, { serial }) => serial === null;

/** In the order in which one domain goes through them, again and again. */
const KINDS: readonly Kind[] = [
  { name: 'first', lasts: A_RUN, begin: put({ enabled: true, single_key: false }), isOver: isPublishedAnew },
  {
    name: 'renewal',
    lasts: A_RUN,
    begin: (clients, path) => answerOf(clients.call('post', `${path}/resign`)),
    isOver: isPublishedAnew,
  },
  { name: 'nsec3', lasts: A_RUN, begin: put({ enabled: true, denial: 'nsec3' }), isOver: isPublishedAnew },
  { name: 'zsk', lasts: A_ROLLOVER, begin: roll({ key: 'zsk' }), isOver: isRolled },
  { name: 'ksk', lasts: A_ROLLOVER_WITH_DS, begin: roll({ key: 'ksk' }), isOver: isRolled },
  {
    name: 'algorithm',
    lasts: A_ROLLOVER_WITH_DS,
    begin: roll({ key: 'algorithm', algorithm: 'ED25519' }),
    isOver: isRolled,
  },
  { name: 'nsec', lasts: A_RUN, begin: put({ enabled: true, denial: 'nsec' }), isOver: isPublishedAnew },
  { name: 'end', lasts: AN_END, begin: end, isOver: isUnsigned },
  { name: 'firstOfOneKey', lasts: A_RUN, begin: put({ enabled: true, single_key: true }), isOver: isPublishedAnew },
  { name: 'csk', lasts: A_ROLLOVER_WITH_DS, begin: roll({ key: 'csk' }), isOver: isRolled },
  { name: 'endOfOneKey', lasts: AN_END, begin: end, isOver: isUnsigned },
];

/** Each of them waits until a new process has the lease of the one that was killed. */
const KILLED = ROUNDS > FEWEST_ROUNDS ? KINDS : KINDS.filter(({ name }) => ['first', 'nsec3'].includes(name));

let store: Store;
let port: number;
let running: ServiceProcess | null;

beforeEach(async () => {
  port = await freePort();
  running = null;
  store = await openStore({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_CENTRAL__SOA_MINIMUM: '1',
    ...DNSSEC_ON,
  });
});
afterEach(async () => {
  await kill();
  await store.remove();
});

async function start(): Promise<Clients> {
  running = await startServiceProcess(store.directory, store.env);
  return clientsOf(running.url);
}

async function kill(): Promise<void> {
  if (running === null) return;
  killAll(running);
  await running.ended;
  await store.settled();
}

function stateOf({ id }: TestDomain): State {
  return lookInto(databaseFileIn(store.directory), ({ rows }) => {
    const [zone] = rows<{ published_serial: number | string | null }>(
      'SELECT published_serial FROM zones WHERE id = ?',
      id,
    );
    const serial = zone?.published_serial ?? null;
    const rollovers = rows('SELECT zone_id FROM zone_rollovers WHERE zone_id = ?', id).length;
    return { serial: serial === null ? null : Number(serial), rollovers };
  });
}

itWithJudges(
  '23.1, 23.3, 23.6, 23.8, 23.9: killed in any signing run, a zone is whole at all times, and the run comes to its end',
  async () => {
    const figures = Object.fromEntries(KILLED.map(({ name }) => [name, { kills: 0, inTheMiddle: 0 }]));
    let clients = await start();
    const domain = await newDomain(clients, freshName(), { ttl: 1 });
    await domain.import(Array.from({ length: NAMES }, (_, at) => `n${at} A 192.0.2.1\n`).join(''));
    const watch = new Watch(domain);
    const random = new Random(SEED);
    const path = `/v1/domains/${domain.id}/dnssec`;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, lasts, begin, isOver } of KILLED) {
        const before = stateOf(domain);
        await begin(clients, path);
        await withParent(clients, path, delay(random.below(lasts)));
        await kill();
        const figure = figures[name]!;
        figure.kills += 1;
        if (!isOver(before, stateOf(domain))) figure.inTheMiddle += 1;
        clients = await start();
        await withParent(
          clients,
          path,
          until(() => isOver(before, stateOf(domain))),
        );
        if (isOver !== isUnsigned) await settled(clients, path);
        await watch.look();
        expect({ seed: SEED, round, name, faults: await judged(domain) }).toEqual({
          seed: SEED,
          round,
          name,
          faults: [],
        });
      }
    }
    await watch.end();
    if (ROUNDS > FEWEST_ROUNDS)
      process.stderr.write(
        `kills on ${ON_POSTGRES ? 'PostgreSQL' : 'SQLite'}, seed ${SEED}: ${JSON.stringify({ figures, zones: watch.seen })}\n`,
      );
    expect({ seed: SEED, faults: watch.faults }).toEqual({ seed: SEED, faults: [] });
  },
);

/** Resolves when the next run of another kind may begin. */
async function settled(clients: Clients, path: string): Promise<void> {
  await until(async () => ['ready', 'secure'].includes((await bodyOf<Dnssec>(clients.call('get', path))).state));
}

/** The parent zone has the DS of a new key as soon as that is waited for. */
async function withParent(clients: Clients, path: string, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const telling = (async () => {
    while (!over.signal.aborted) {
      const { waits_for: waitsFor } = await bodyOf<Dnssec>(clients.call('get', path));
      if (isNewDsAwaited(waitsFor)) await answerOf(clients.call('post', `${path}/parent`, { ds: 'published', ttl: 1 }));
      await delay(50);
    }
  })();
  try {
    await Promise.race([work, telling]);
  } finally {
    over.abort();
    await telling;
  }
}

async function judged({ name }: TestDomain): Promise<string[]> {
  const { records } = await transfer(port, query(MetaType.AXFR, {}, DomainName.parse(name)));
  if (!records.some(({ type }) => type === Type.DNSKEY)) return [];
  return faultsOf(name, genericText(records.slice(0, -1)));
}

/** Keys of an algorithm that is not published yet, or not any more: they sign next to the published ones. */
function hiddenBehind({ id }: TestDomain, records: readonly ResourceRecord[]): PublishedKey[] {
  const known = lookInto(databaseFileIn(store.directory), ({ rows }) =>
    rows<{ dnskey: string }>('SELECT dnskey FROM zone_keys WHERE zone_id = ?', id),
  ).map(({ dnskey }) => new PublishedKey(Buffer.from(dnskey, 'base64')));
  const published = records.filter(({ type }) => type === Type.DNSKEY).map(({ rdata }) => new PublishedKey(rdata));
  const algorithms = new Set(published.map(({ algorithm }) => algorithm));
  return known.filter(({ algorithm }) => !algorithms.has(algorithm));
}

/** Checks each served serial of a zone once, continuously. */
class Watch {
  readonly faults: string[] = [];
  seen = 0;
  private readonly serials = new Set<number>();
  private readonly over = new AbortController();
  private readonly looking: Promise<void>;

  constructor(private readonly domain: TestDomain) {
    this.looking = this.lookOn();
  }

  async end(): Promise<void> {
    this.over.abort();
    await this.looking;
  }

  /** A service that is not there hands out nothing. */
  private async lookOn(): Promise<void> {
    while (!this.over.signal.aborted) {
      await this.look().catch(() => undefined);
      await delay(20);
    }
  }

  async look(): Promise<void> {
    const { name } = this.domain;
    const { records } = await transfer(port, query(MetaType.AXFR, {}, DomainName.parse(name)));
    const [soa] = records;
    const serial = soa === undefined ? 0 : SOA.values(soa.rdata).serial;
    if (this.serials.has(serial)) return;
    this.serials.add(serial);
    this.seen += 1;
    const types = new Set(records.map(({ type }) => type));
    if (types.has(Type.DNSKEY)) {
      const denial = types.has(Type.NSEC3) ? 'nsec3' : 'nsec';
      const faults = await ownFaultsOf(name, denial, records.slice(0, -1), hiddenBehind(this.domain, records));
      this.faults.push(...faults.map((fault) => `${serial}: ${fault}`));
    } else if (types.has(Type.RRSIG)) this.faults.push(`${serial} has signatures and no keys`);
  }
}
