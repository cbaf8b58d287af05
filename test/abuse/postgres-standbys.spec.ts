import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest } from '@jest/globals';
import { REPLICATED_POSTGRES, ReplicatedPostgres, type PostgresServer } from '../failover/replicated-postgres.js';
import { newDomain } from '../support/domain.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { linesOf, ROOMY } from './roomy.js';
import { Statuses } from './statuses.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const DATABASE = 'abused';
const ROUNDS = inForm(1, 10);
const RECORDS = inForm(2000, 10_000);
const READERS = 4;
/** In milliseconds: as long as it takes to notice that a server is silent, and a little more. */
const TROUBLE = 5000;

let cluster: ReplicatedPostgres;
let standbys: readonly PostgresServer[] = [];

beforeAll(async () => {
  if (!isInstalled(REPLICATED_POSTGRES)) return;
  cluster = await ReplicatedPostgres.start();
  await cluster.createDatabase(DATABASE);
  standbys = [await cluster.addReader(), await cluster.addReader()];
});
afterAll(async () => {
  if (isInstalled(REPLICATED_POSTGRES)) await cluster.remove();
});

/** Standby failures that affect readers, each with its recovery. */
const TROUBLES: readonly ((standby: PostgresServer) => Promise<() => unknown>)[] = [
  async (standby) => {
    await standby.pauseReplay();
    return () => standby.resumeReplay();
  },
  async (standby) => standby.silence(),
  async (standby) => {
    await standby.kill();
    return () => standby.daemon.start();
  },
];

async function trouble(): Promise<void> {
  for (const begin of TROUBLES)
    for (const standby of standbys) {
      const end = await begin(standby);
      await delay(TROUBLE);
      await end();
    }
}

describe('18.9 standbys that stand still, fall silent and die while they are read', () => {
  itWith(REPLICATED_POSTGRES)('do not delay readers of other databases and change no response', async () => {
    const urls = standbys.map(({ port }) => cluster.urlAt(port, DATABASE));
    const violations = await violationsUnder({
      name: 'standbys in trouble',
      settings: { ...ROOMY, DEFAULT__QUOTA_API_EXPORT_SIZE: String(RECORDS) },
      environment: {
        ZONEWRIGHT_DATABASE__URL: cluster.urlAt(cluster.primaryPort, DATABASE),
        ZONEWRIGHT_DATABASE__READ_URLS: urls.join(','),
      },
      isUnaudited: true,
      prepare: async (target) => {
        const domain = await newDomain(target.clients.as('mallory'));
        await domain.import(`$ORIGIN ${domain.name}\n${linesOf(RECORDS)}`);
        return domain;
      },
      run: async (target, { id }) => {
        const statuses = new Statuses();
        const ending = new AbortController();
        const paths = [
          `/v1/domains/${id}/export`,
          `/v1/domains/${id}/records?data=192.0.2.250`,
          `/v1/domains/${id}/check`,
        ];
        const reading = Array.from({ length: READERS }, (_, at) => readAll(target, paths, statuses, ending.signal, at));
        for (let round = 0; round < ROUNDS; round += 1) await trouble();
        ending.abort();
        await Promise.all(reading);
        statuses.expect(target, 'reads', [200]);
      },
    });
    expect(violations).toEqual([]);
  });
});

async function readAll(
  target: Target,
  paths: readonly string[],
  statuses: Statuses,
  end: AbortSignal,
  first: number,
): Promise<void> {
  for (let at = first; !end.aborted && !target.signal.aborted; at += 1) {
    const { status } = await target.clients.as('mallory').call('get', paths[at % paths.length] ?? '');
    statuses.count(status);
  }
}
