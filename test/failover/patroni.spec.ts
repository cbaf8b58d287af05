import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Random } from '../crash/random.js';
import { Pool } from '../publishing/pool.js';
import { serversOf } from '../publishing/software.js';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, type TestDomain } from '../support/domain.js';
import { childrenOf } from '../support/process.js';
import { isInstalled, itWith, type Program } from '../support/run-program.js';
import { Clients, type ToldDomain } from './clients.js';
import { PATRONI, PatroniCluster, type Trouble, TROUBLES } from './patroni-cluster.js';
import { differences, type Differences } from './told.js';

/** One kill and one partition in `npm run test:all`; 20 rounds by `npm run test:failover`, which shows what was done. */
const SHORT = 2;
const ROUNDS = Number(process.env.ZONEWRIGHT_FAILOVER_ROUNDS ?? SHORT);
const IS_LONG = ROUNDS > SHORT;
const SEED = Number(process.env.ZONEWRIGHT_FAILOVER_SEED ?? Date.now() % 1_000_000);
const CLIENTS = 8;
/** The load runs so long before something happens, in milliseconds. */
const SHORTEST_LOAD = 200;
const LONGEST_LOAD = 2000;
/** Until everybody can change something again, in milliseconds. */
const LONGEST_OUTAGE = 15_000;

jest.setTimeout(120_000 + ROUNDS * 60_000);

const NEEDS: Program = { name: 'Patroni and Knot', needs: { ...PATRONI.needs, ...serversOf(['Knot']).needs } };

let directory: string;
let cluster: PatroniCluster;
let pool: Pool | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-patroni-'));
  await chmod(directory, 0o755);
  if (isInstalled(NEEDS)) cluster = await PatroniCluster.start(join(directory, 'cluster'));
});
afterEach(() => pool?.stop());
afterAll(async () => {
  if (isInstalled(NEEDS)) await cluster.stop();
  await rm(directory, { recursive: true });
});

/** What one round has come to; times are in milliseconds. */
interface Round extends Differences {
  readonly trouble: Trouble;
  readonly acknowledged: number;
  readonly refused: number;
  /** The longest that a client repeated a change for. */
  readonly outage: number;
  /** Until the name server has all of what was changed, from the last change on. */
  readonly told: number;
}

/** Clients of its own change domains of its own, and are done when it is over. */
async function runRound(pool: Pool, name: string, trouble: Trouble, loadTime: number): Promise<Round> {
  const clients = new Clients(pool.clients.url, CLIENTS, name);
  await clients.servedSince(performance.now());
  await delay(loadTime);
  await cluster.cause(trouble);
  await clients.servedSince(performance.now());
  await clients.stop();
  const { acknowledged, refused, longestChange } = clients.figures;
  const { lost, doubled } = differences(clients.domains, cluster.proxyUrl);
  const told = await timeUntilServed(pool, clients.domains);
  await cluster.settled();
  return { trouble, acknowledged, refused, lost, doubled, outage: Math.round(longestChange), told: Math.round(told) };
}

/** How long the name server takes until it has all of them as they are now. */
async function timeUntilServed(pool: Pool, domains: readonly ToldDomain[]): Promise<number> {
  const began = performance.now();
  for (const { id } of domains) await pool.served(await domainWith(pool, id));
  return performance.now() - began;
}

async function domainWith({ clients }: Pool, id: string): Promise<TestDomain> {
  return domainOf(clients, await bodyOf<DomainBody>(clients.call('get', `/v1/domains/${id}`)));
}

/** As many of each trouble, in an order that depends on the seed. */
function troublesOf(random: Random, rounds: number): Trouble[] {
  const troubles = Array.from({ length: rounds }, (_, at) => TROUBLES[at % TROUBLES.length] ?? TROUBLES[0]);
  const shuffled = troubles.map((trouble) => ({ trouble, place: random.next() }));
  return shuffled.sort((one, other) => one.place - other.place).map(({ trouble }) => trouble);
}

/** One line for each trouble: what its rounds have come to, with the shortest and the longest times. */
function summaryOf(rounds: readonly Round[]): string {
  const sum = (of: readonly Round[], figure: (round: Round) => number): number =>
    of.reduce((total, round) => total + figure(round), 0);
  const range = (times: readonly number[]): string => `${Math.min(...times)} to ${Math.max(...times)} ms`;
  const lines = TROUBLES.map((trouble) => {
    const of = rounds.filter((round) => round.trouble === trouble);
    const counts = (['acknowledged', 'refused', 'lost', 'doubled'] as const).map(
      (figure) => `${sum(of, (round) => round[figure])} ${figure}`,
    );
    const times = `changes after ${range(of.map(({ outage }) => outage))}, told after ${range(of.map(({ told }) => told))}`;
    return `${trouble}: ${of.length} rounds, ${counts.join(', ')}, ${times}`;
  });
  return lines.join('\n');
}

describe('18.1, 18.2, 10.2, 12.1 a primary that Patroni replaces under load', () => {
  const run = async (url: string, way: string): Promise<void> => {
    const settings = { DATABASE__URL: url, SERVICE_API__WORKERS: '2' };
    pool = await Pool.start({ directory: await mkdtemp(join(directory, 'service-')), servers: ['Knot'], settings });
    const workers = childrenOf(pool.pid);
    const random = new Random(SEED);
    const rounds: Round[] = [];
    for (const trouble of troublesOf(random, ROUNDS)) {
      const loadTime = SHORTEST_LOAD + random.below(LONGEST_LOAD - SHORTEST_LOAD);
      rounds.push(await runRound(pool, `${way}${rounds.length}`, trouble, loadTime));
    }
    const done = `Patroni, ${way}, seed ${SEED}:\n${summaryOf(rounds)}\n`;
    if (IS_LONG) process.stderr.write(done);
    const failed = rounds.filter(({ lost, doubled, outage }) => lost + doubled > 0 || outage > LONGEST_OUTAGE);
    expect({ done, failed }).toEqual({ done, failed: [] });
    audit(cluster.proxyUrl);
    expect(childrenOf(pool.pid)).toEqual(workers);
    expect(pool.said()).not.toMatch(/unhandled|TypeError|RangeError/i);
  };

  itWith(NEEDS)(`18.7 costs nothing acknowledged where the URL names all servers (${ROUNDS} times)`, () =>
    run(cluster.url, 'list'),
  );
  (IS_LONG ? itWith(NEEDS) : it.skip)(`costs nothing acknowledged behind HAProxy (${ROUNDS} times)`, () =>
    run(cluster.proxyUrl, 'proxy'),
  );
});
