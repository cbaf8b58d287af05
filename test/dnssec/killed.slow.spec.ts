import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Type } from '../../src/dns/dnssec/codes.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { Random } from '../crash/random.js';
import { openStore, type Store } from '../crash/store.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
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

/** More by `npm run test:dnssec`, which shows what was done. */
const FEWEST_ROUNDS = 1;
const ROUNDS = Number(process.env.ZONEWRIGHT_DNSSEC_KILLS ?? FEWEST_ROUNDS);
const SEED = Number(process.env.ZONEWRIGHT_DNSSEC_SEED ?? Date.now() % 1_000_000);
/** So many names take some tenths of a second to sign. */
const NAMES = 500;
const A_RUN = 500;
/** A rollover has several runs, and waits for ttls between them; in milliseconds. */
const A_ROLLOVER = 4000;

jest.setTimeout(120_000 + ROUNDS * 120_000);

/** What has a zone signed, or not any more, and how it is seen that it is over. */
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
const put = (body: object) => (clients: Clients, path: string) => answerOf(clients.call('put', path, body));

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
  {
    name: 'rollover',
    lasts: A_ROLLOVER,
    begin: (clients, path) => answerOf(clients.call('post', `${path}/rollovers`, { key: 'zsk' })),
    isOver: (before, now) => now.rollovers === 0 && isPublishedAnew(before, now),
  },
  { name: 'nsec', lasts: A_RUN, begin: put({ enabled: true, denial: 'nsec' }), isOver: isPublishedAnew },
  {
    name: 'end',
    lasts: 1500,
    begin: async (clients, path) => {
      await answerOf(clients.call('put', path, { enabled: false }));
      await answerOf(clients.call('post', `${path}/parent`, { ds: 'removed', ttl: 1 }));
    },
    isOver: (_, { serial }) => serial === null,
  },
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
    SERVICE_DNSSEC__ENABLED: 'True',
    SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
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
        await delay(random.below(lasts));
        await kill();
        const figure = figures[name]!;
        figure.kills += 1;
        if (!isOver(before, stateOf(domain))) figure.inTheMiddle += 1;
        clients = await start();
        await until(() => Promise.resolve(isOver(before, stateOf(domain))));
        if (name !== 'end') await settled(clients, path);
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
  await until(async () => (await bodyOf<Dnssec>(clients.call('get', path))).state === 'ready');
}

async function judged({ name }: TestDomain): Promise<string[]> {
  const { records } = await transfer(port, query(MetaType.AXFR, {}, DomainName.parse(name)));
  if (!records.some(({ type }) => type === Type.DNSKEY)) return [];
  return faultsOf(name, genericText(records.slice(0, -1)));
}

/** Looks at whatever is handed out of a zone all the time, each serial once. */
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
      this.faults.push(...(await ownFaultsOf(name, denial, records.slice(0, -1))));
    } else if (types.has(Type.RRSIG)) this.faults.push(`${serial} has signatures and no keys`);
  }
}
