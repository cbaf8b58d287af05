import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, IS_LONG } from './form.js';
import { type LargeDomain, makeLargeDomain } from './large-domains.js';
import { WATCHED, whileStatementsAreShort } from './long-statements.js';
import { OWNER, type Statistics, storeManyRows, TOKENS } from './many-rows.js';
import { unlimitedChanges } from './options.js';
import { walkLists } from './walked-lists.js';

jest.setTimeout(inForm(900_000, 7_200_000));

/** Longest stop beyond the grace on a busy machine, in milliseconds. */
const LONGEST_END = 10_000;
const ADMIN = { 'X-Auth-Project-ID': OWNER, 'X-Roles': 'admin' };
/** Filling the tables takes most of the time, and a table that is read from end to end is noticed with few rows too. */
const ROWS = inForm(20_000, 100_000);
const ZONES = inForm(10_000, ROWS);
const SETTINGS = {
  SERVICE_API__AUTH_STRATEGY: 'token',
  SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks,events',
  SERVICE_API__ENABLE_API_ADMIN: 'True',
  SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,audit',
  SERVICE_API__EVENT_HEARTBEAT: '1',
};
/** The short form has the worst plans: PostgreSQL with statistics in which one tenant owns nearly everything. */
const STATISTICS: readonly Statistics[] = inForm(
  [ON_POSTGRES ? 'right' : 'of other data'],
  ['none', 'right', 'of other data'],
);

/** A database with one zone, which says how zones are made by a service of this configuration. */
async function makeDatabase(directory: string, env: Record<string, string>): Promise<void> {
  // The caller's token is stored with the other rows.
  const service = await startServiceProcess(directory, { ...env, ZONEWRIGHT_SERVICE_API__AUTH_STRATEGY: 'noauth' });
  const body = { name: 'first.example.org.', email: 'hostmaster@example.org' };
  const made = await clientsOf(service.url).as('first').call('post', '/v1/domains', body);
  service.signal('SIGTERM');
  expect(made.status).toBe(200);
  expect((await service.ended).code).toBe(0);
}

const LONG_PATTERN = `*${'x'.repeat(1000)}y*`;
const PATTERNS = [`data=${LONG_PATTERN}`, `data=${'x'.repeat(4000)}`, 'data=*x*x*x*x*x*x*x*y', `name=${LONG_PATTERN}`];

/** Long TXT values that almost match the search. */
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
    // These clients disconnect immediately and reconnect.
    target.flood({
      ...{ kind: 'connections', connections: 4, octets: getRequest(path(filter), MALLORY), times: 1 },
      ...{ reads: 'nothing', reopens: true },
    }),
  ]);
  await target.hold(inForm(4000, 20_000));
  target.note({ floods: await Promise.all(floods.map((flood) => flood.end())) });
}

describe('searches that cost as much as they can', () => {
  it('1.12 do not slow down others: patterns on TXT values of 60 kB', async () => {
    const violations = await violationsUnder({
      name: 'patterns on long values',
      settings: unlimitedChanges(),
      prepare: (target) => makeLargeDomain(target, 'mallory', inForm(100, 500)),
      run: searchLongValues,
    });
    expect(violations).toEqual([]);
  });

  // PostgreSQL ends them with their connections, as its own suites show of other work.
  const itOnSqlite = ON_POSTGRES && !IS_LONG ? it.skip : it;
  itOnSqlite('18.3 do not keep the service from stopping', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-abuse-'));
    const env = environmentOf(directory, { SERVICE_API__SHUTDOWN_GRACE: '3' });
    await makeDatabase(directory, env);
    storeManyRows(databaseFileIn(directory), inForm(30_000, 100_000), 'none');
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
  it.each(STATISTICS)('1.12, 6.4 do not slow down others on any data, with statistics: %s', async (statistics) => {
    const violations = await violationsUnder({
      name: `all lists, statistics ${statistics}`,
      settings: SETTINGS,
      seed: async (directory, env) => {
        await makeDatabase(directory, env);
        storeManyRows(databaseFileIn(directory), ROWS, statistics, ZONES);
      },
      environment: WATCHED,
      goodHeaders: { 'X-Auth-Token': TOKENS.good.token },
      run: (target) => whileStatementsAreShort(target, ROWS, () => walkLists(target)),
      // Rows inserted without the service do not add up.
      isUnaudited: true,
    });
    expect(violations).toEqual([]);
  });
});
