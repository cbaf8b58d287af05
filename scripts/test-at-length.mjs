#!/usr/bin/env node
/**
 * `npm run test:crash`, `test:failover`, `test:chaos`, `test:dnssec`, `test:listeners` and `test:publishing`: tests that
 * `npm run test:all` runs in a short form, or not at all.
 *
 *   npm run test:crash -- --rounds 200 --seed N                     kill -9 of the service
 *   npm run test:failover -- --rounds 20 --seed N                   kill -9 of PostgreSQL primaries
 *   npm run test:chaos -- --minutes 60 --seed N                     all failures together
 *   npm run test:dnssec -- --changes 600 --kills 20 --seed N        signed zones: random changes, kills in every kind of run
 *   npm run test:listeners -- --events 10000                        kill -9 while a listener gets entries
 *   npm run test:publishing -- --rounds 20 --records 20000          name servers: many kills, larger domains
 *
 * The numbers are the defaults; the default seed is random. Further arguments go to
 * jest, such as `-t TITLE` or `--selectProjects sqlite`.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

/** Environment variables of the numbers, with their defaults. */
const SUITES = {
  crash: {
    folders: ['test/crash'],
    numbers: { rounds: ['CRASH_ROUNDS', '200'], seed: ['CRASH_SEED'] },
  },
  failover: {
    folders: ['test/failover'],
    numbers: { rounds: ['FAILOVER_ROUNDS', '20'], seed: ['FAILOVER_SEED'] },
    startsPostgres: true,
  },
  chaos: {
    folders: ['test/chaos'],
    numbers: { minutes: ['CHAOS_MINUTES', '60'], seed: ['CHAOS_SEED'] },
    startsPostgres: true,
  },
  dnssec: {
    folders: ['test/dnssec', 'test/interop/signed-zones', 'src/dns/dnssec', 'src/dnssec'],
    numbers: { changes: ['DNSSEC_CHANGE_SETS', '600'], kills: ['DNSSEC_KILLS', '20'], seed: ['DNSSEC_SEED'] },
    isLong: true,
  },
  listeners: {
    folders: ['test/change-listeners/killed'],
    numbers: { events: ['LISTENER_EVENTS', '10000'] },
  },
  publishing: {
    folders: ['test/publishing'],
    numbers: { rounds: ['PUBLISHING_ROUNDS', '20'], records: ['PUBLISHING_RECORDS', '20000'] },
  },
};

const [suite, ...given] = process.argv.slice(2);
const { folders, numbers, startsPostgres = false, isLong = false } = SUITES[suite];
const options = Object.fromEntries(
  Object.entries(numbers).map(([name, [, usual]]) => [name, { type: 'string', ...(usual && { default: usual }) }]),
);
const { values, tokens } = parseArgs({ args: given, options, strict: false, tokens: true });
const own = tokens
  .filter(({ name }) => name in options)
  .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1]));
const ofJest = given.filter((_, at) => !own.includes(at));

const env = { ...process.env, ...(isLong && { ZONEWRIGHT_TESTS_LONG: 'true' }) };
for (const [name, [variable]] of Object.entries(numbers))
  if (values[name] !== undefined) env[`ZONEWRIGHT_${variable}`] = values[name];
const test = [path.join(root, 'scripts/test.mjs'), '--run=chosen', ...folders, ...ofJest];
// Where tests start PostgreSQL themselves, the database that they are given makes no difference.
if (startsPostgres) test.push('--selectProjects', 'sqlite');
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
