import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { killAll, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, IS_LONG } from './form.js';
import { type LargeDomain, makeLargeDomain } from './large-domains.js';
import { requestsForAllLists } from './listed-paths.js';
import { OWNER, type Statistics, storeManyRows } from './many-rows.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(inForm(900_000, 7_200_000));

const ROWS = 100_000;
/** What the end takes beside the grace, on a busy machine, in milliseconds. */
const LONGEST_END = 10_000;
const ADMIN = { 'X-Auth-Project-ID': OWNER, 'X-Roles': 'admin' };
const SETTINGS = {
  SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks',
  SERVICE_API__ENABLE_API_ADMIN: 'True',
  SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,audit',
};
/** The short form has what plans go wrong by most. */
const STATISTICS: readonly Statistics[] = inForm(['of other data'], ['none', 'right', 'of other data']);

async function walk(target: Target): Promise<void> {
  const paths = requestsForAllLists(IS_LONG);
  // The zones and sets of all tenants are gone through in other ways than those of one.
  const asked = [
    ...paths.map((path) => ({ path, headers: ADMIN })),
    ...['/v2/zones?sort_key=name', '/v2/recordsets?data=*7*mail7*', '/v2/zones/tasks/exports?message=*7*q*'].map(
      (path) => ({ path, headers: { ...ADMIN, 'X-Auth-All-Projects': 'true' } }),
    ),
  ];
  const took: [milliseconds: number, path: string][] = [];
  for (const { path, headers } of asked) {
    if (target.signal.aborted) return;
    const start = performance.now();
    const answer = await fetch(new URL(path, target.url), { headers, signal: target.signal });
    const { byteLength: length } = await answer.arrayBuffer();
    took.push([Math.round(performance.now() - start), path]);
    target.must(answer.status === 200, `${path} was answered ${answer.status} in ${length} octets`);
  }
  took.sort(([one], [other]) => other - one);
  target.note({ requests: took.length, longest: took.slice(0, inForm(5, 20)) });
}

/** A database with one zone, which says how zones are made by a service of this configuration. */
async function makeDatabase(directory: string, env: Record<string, string>): Promise<void> {
  const service = await startServiceProcess(directory, env);
  const body = { name: 'first.example.org.', email: 'hostmaster@example.org' };
  const made = await clientsOf(service.url).as('first').call('post', '/v1/domains', body);
  service.signal('SIGTERM');
  expect(made.status).toBe(200);
  expect((await service.ended).code).toBe(0);
}

const LONG_PATTERN = `*${'x'.repeat(1000)}y*`;
const PATTERNS = [`data=${LONG_PATTERN}`, `data=${'x'.repeat(4000)}`, 'data=*x*x*x*x*x*x*x*y', `name=${LONG_PATTERN}`];

/** Long TXT values that are all but what is looked for. */
async function searchLongValues(target: Target, { id }: LargeDomain): Promise<void> {
  const path = (filter: string): string => `/v2/zones/${id}/recordsets?${filter}`;
  const floods = PATTERNS.flatMap((filter) => [
    target.flood({
      kind: 'requests',
      parallel: 4,
      times: inForm(2, 20),
      method: 'GET',
      path: path(filter),
      headers: MALLORY,
    }),
    // These go away at once, and come again.
    target.flood({
      ...{ kind: 'connections', connections: 4, octets: getRequest(path(filter), MALLORY), times: 1 },
      ...{ reads: 'nothing', reopens: true },
    }),
  ]);
  await target.hold(inForm(4000, 20_000));
  target.note({ floods: await Promise.all(floods.map((flood) => flood.end())) });
}

describe('searches that cost as much as they can', () => {
  it('1.12 hold nobody up: patterns on TXT values of 60 kB', async () => {
    const violations = await violationsUnder({
      name: 'patterns on long values',
      settings: unlimitedChanges(),
      prepare: (target) => makeLargeDomain(target, 'mallory', inForm(100, 500)),
      run: searchLongValues,
    });
    expect(violations).toEqual([]);
  });

  it('18.3 do not keep the service from stopping', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-abuse-'));
    const env = environmentOf(directory, { SERVICE_API__SHUTDOWN_GRACE: '3' });
    await makeDatabase(directory, env);
    storeManyRows(databaseFileIn(directory), inForm(20_000, 100_000), 'none');
    const service = await startServiceProcess(directory, env);
    try {
      // For far more than the grace.
      const searches = Array.from({ length: inForm(200, 100) }, () => {
        const asked = fetch(new URL(`/v2/recordsets?data=${LONG_PATTERN}`, service.url), { headers: ADMIN });
        return asked.then(
          ({ status }) => status,
          () => null,
        );
      });
      await Promise.race(searches);
      const stopped = performance.now();
      service.signal('SIGTERM');
      expect((await service.ended).code).toBe(0);
      expect(performance.now() - stopped).toBeLessThan(3000 + LONGEST_END);
      expect(await Promise.all(searches)).toContain(null);
    } finally {
      killAll(service);
      await service.ended;
      await removeTestData(directory);
    }
  });
});

describe('every filter and every sort of every list', () => {
  it.each(STATISTICS)('1.12, 6.4 holds nobody up at 100,000 entries, with statistics: %s', async (statistics) => {
    const violations = await violationsUnder({
      name: `all lists, statistics ${statistics}`,
      settings: SETTINGS,
      seed: async (directory, env) => {
        await makeDatabase(directory, env);
        storeManyRows(databaseFileIn(directory), ROWS, statistics);
      },
      run: walk,
      // What was stored behind its back does not add up.
      isUnaudited: true,
    });
    expect(violations).toEqual([]);
  });
});
