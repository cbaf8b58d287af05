import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import { Random, seedFrom } from '../crash/random.js';
import { Pool } from '../publishing/pool.js';
import { serversOf } from '../publishing/software.js';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { childrenOf } from '../support/process.js';
import { isInstalled, itUnasked, itWith, type Program } from '../support/run-program.js';
import { type Answered, AskingNameServer } from './asking-name-server.js';
import { Clients, type ToldDomain } from './clients.js';
import { PATRONI, PatroniCluster, type Trouble, TROUBLES } from './patroni-cluster.js';
import { differences, type Differences } from './told.js';

/** `npm run test:failover` runs 20 and prints its actions; `npm run test:all` runs one, by multi-host URL. */
const ASKED = process.env.ZONEWRIGHT_FAILOVER_ROUNDS;
const ROUNDS = Number(ASKED ?? 1);
const itWhenAsked = ASKED === undefined ? () => itUnasked('npm run test:failover') : itWith;
const SEED = seedFrom('ZONEWRIGHT_FAILOVER_SEED');
const CLIENTS = 8;
/** Minimum load time before the failure, in milliseconds. */
const SHORTEST_LOAD = 200;
const LONGEST_LOAD = 2000;
/** Until everybody can change something again, in milliseconds. */
const LONGEST_OUTAGE = 15_000;

jest.setTimeout(120_000 + ROUNDS * 60_000);

const NEEDS: Program = { name: 'Patroni and Knot', needs: { ...PATRONI.needs, ...serversOf(['Knot']).needs } };

let directory: string;
let cluster: PatroniCluster | undefined;
let pool: Pool | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-patroni-'));
  await chmod(directory, 0o755);
  if (isInstalled(NEEDS)) cluster = await PatroniCluster.start(join(directory, 'cluster'));
});
afterEach(() => pool?.stop());
afterAll(async () => {
  await cluster?.stop();
  await rm(directory, { recursive: true });
});

/** The outcome of one round, with times in milliseconds. */
interface Round extends Differences {
  readonly trouble: Trouble;
  readonly acknowledged: number;
  readonly refused: number;
  /** The longest that a client repeated a change for. */
  readonly outage: number;
  /** From the last change until the name server has all changes. */
  readonly told: number;
  /** The answers to a name server that queries continuously. */
  readonly asked: Answered;
}

interface Running {
  readonly cluster: PatroniCluster;
  readonly pool: Pool;
  /** The name of a zone that name servers ask for. */
  readonly zone: string;
}

/** Where the service finds the primary, and the standbys. */
interface Urls {
  readonly url: string;
  readonly readUrls: string;
}

/** Each round has its own clients and domains. */
async function runRound(
  { cluster, pool, zone }: Running,
  name: string,
  trouble: Trouble,
  loadTime: number,
): Promise<Round> {
  const clients = new Clients(pool.clients.url, CLIENTS, name);
  await clients.servedSince(performance.now());
  const server = new AskingNameServer(pool.port, zone);
  await delay(loadTime);
  await cluster.cause(trouble);
  await clients.servedSince(performance.now());
  await clients.stop();
  const asked = await server.stop();
  const { acknowledged, refused, longestChange } = clients.figures;
  const { lost, doubled } = differences(clients.domains, cluster.proxyUrl);
  // Lost records cannot be served either.
  if (lost > 0) throw new Error(`${trouble}: ${lost} records of ${acknowledged} acknowledged changes are lost`);
  const told = await timeUntilServed(pool, clients.domains);
  await cluster.settled();
  const times = { outage: Math.round(longestChange), told: Math.round(told) };
  return { trouble, acknowledged, refused, lost, doubled, ...times, asked };
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

/** Has the logs of all nodes outlive a round that fails. */
async function keepingLogs<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const kept = await mkdtemp(join(tmpdir(), 'zonewright-patroni-logs-'));
    await cp(join(directory, 'cluster', 'log'), kept, { recursive: true });
    throw new Error(`${String(error)}\nWhat the nodes have said is kept in ${kept}`, { cause: error });
  }
}

/** As many of each trouble, in an order that depends on the seed; a single one is the primary's death. */
function troublesOf(random: Random, rounds: number): Trouble[] {
  const troubles = Array.from({ length: rounds }, (_, at) => TROUBLES[at % TROUBLES.length] ?? TROUBLES[0]);
  const shuffled = troubles.map((trouble) => ({ trouble, place: random.next() }));
  return shuffled.sort((one, other) => one.place - other.place).map(({ trouble }) => trouble);
}

/** One line for each failure: its outcomes, with the shortest and the longest times. */
function summaryOf(rounds: readonly Round[]): string {
  const sum = (of: readonly Round[], figure: (round: Round) => number): number =>
    of.reduce((total, round) => total + figure(round), 0);
  const range = (times: readonly number[]): string => `${Math.min(...times)} to ${Math.max(...times)} ms`;
  const lines = TROUBLES.flatMap((trouble) => {
    const of = rounds.filter((round) => round.trouble === trouble);
    if (of.length === 0) return [];
    const counts = (['acknowledged', 'refused', 'lost', 'doubled'] as const).map(
      (figure) => `${sum(of, (round) => round[figure])} ${figure}`,
    );
    const times = `changes after ${range(of.map(({ outage }) => outage))}, told after ${range(of.map(({ told }) => told))}`;
    const questions = sum(of, ({ asked }) => asked.questions);
    const refusals = sum(of, ({ asked }) => asked.refusals.length);
    const asked = `${refusals} of ${questions} questions of a name server refused`;
    return `${trouble}: ${of.length} rounds, ${counts.join(', ')}, ${times}, ${asked}`;
  });
  return lines.join('\n');
}

describe('18.1, 18.2, 10.2, 12.1 a primary that Patroni replaces under load', () => {
  const run = async (way: string, urlsOf: (cluster: PatroniCluster) => Promise<Urls>): Promise<void> => {
    if (cluster === undefined) throw new Error('the cluster has not started');
    const { url, readUrls } = await urlsOf(cluster);
    const settings = { DATABASE__URL: url, DATABASE__READ_URLS: readUrls, SERVICE_API__WORKERS: '2' };
    pool = await Pool.start({ directory: await mkdtemp(join(directory, 'service-')), servers: ['Knot'], settings });
    const { name: zone } = await newDomain(pool.clients);
    const workers = childrenOf(pool.pid);
    const random = new Random(SEED);
    const rounds: Round[] = [];
    for (const trouble of troublesOf(random, ROUNDS)) {
      const loadTime = SHORTEST_LOAD + random.below(LONGEST_LOAD - SHORTEST_LOAD);
      const round = await keepingLogs(runRound({ cluster, pool, zone }, `${way}${rounds.length}`, trouble, loadTime));
      rounds.push(round);
      if (ASKED !== undefined) process.stderr.write(`${way} ${rounds.length}: ${JSON.stringify(round)}\n`);
    }
    const done = `Patroni, ${way}, seed ${SEED}:\n${summaryOf(rounds)}\n`;
    if (ASKED !== undefined) process.stderr.write(done);
    const failed = rounds.filter(({ lost, doubled, outage }) => lost + doubled > 0 || outage > LONGEST_OUTAGE);
    expect({ done, failed }).toEqual({ done, failed: [] });
    audit(cluster.proxyUrl);
    expect(childrenOf(pool.pid)).toEqual(workers);
    expect(pool.said()).not.toMatch(/unhandled|TypeError|RangeError/i);
  };

  itWith(NEEDS)(`18.7 costs nothing acknowledged where the URL names all servers (${ROUNDS} times)`, () =>
    run('list', async (all) => ({ url: all.url, readUrls: (await all.standbyUrls()).join(',') })),
  );
  itWhenAsked(NEEDS)(`costs nothing acknowledged behind HAProxy (${ROUNDS} times)`, () =>
    run('proxy', async (all) => ({ url: all.proxyUrl, readUrls: all.standbysProxyUrl })),
  );
});
