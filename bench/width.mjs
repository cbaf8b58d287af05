#!/usr/bin/env node
/**
 * What many domains cost: the service with a pool of four name servers, of which one is down, as it gets more and more domains
 * of ten records.
 *
 *   npm run bench:width                       1,000, 10,000 and 100,000 domains
 *   npm run bench:width -- 1000000            as the long form
 *   npm run bench:width -- --database postgres 1000 10000
 *
 * For each size: how fast domains are made, what the service has in memory and how much of a core it takes when nobody asks, how
 * long a start and the first NOTIFY behind it take, pages of lists at any depth, the catalog zone as a whole and what one more
 * domain adds to it, and how fast the server that was down gets what it lacks. The name servers are stand-ins that only learn
 * serials. Prints tables, writes results/width.json or width-postgres.json, and ends with 1 when a goal is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMissed, judged, judgedAtMost } from './goals.mjs';
import { cpuSeconds, freePort, runOnLoadCore, stop } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { runZonewright, startZonewright } from './servers/zonewright.mjs';
import { round } from './statistics.mjs';

const CATALOG = 'catalog.example.';
const KEY = { name: 'width.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7).toString('base64') };
const SERVERS = 4;
const DOWN = [0];
const CONNECTIONS = 32;
const RECORDS = 10;
const PAGE = 100;
const QUIET_SECONDS = 10;
const COMES_BACK_SECONDS = 20;
/** SOA twice, NS and version. */
const FIXED = 4;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
/** How many domains there are. */
let made = 0;

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'sqlite' },
    save: { type: 'boolean', default: true },
  },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [1000, 10_000, 100_000];
const machine = machineFacts();
const results = await inScratch(measureAll);
const goals = results.flatMap(judge);
console.table(Object.fromEntries(results.map(({ domains, ...figures }) => [domains, figures])));
console.table(goals.filter(isMissed));
if (values.save)
  await saveResults(values.database === 'sqlite' ? 'width' : `width-${values.database}`, machine, { goals, results });
process.exitCode = goals.some(isMissed) ? 1 : 0;

/** Issue 25, point 1. */
function judge(figures) {
  const at = (what) => `${what}, ${figures.domains} domains`;
  return [
    judgedAtMost(at('memory, MB'), 400, Math.max(figures['MB after making'], figures['MB after start'])),
    judgedAtMost(at('first NOTIFY after a start, s'), 1, figures['first NOTIFY, s']),
    judgedAtMost(at('pages of lists, ms'), 20, figures['slowest page, ms']),
    judgedAtMost(at('catalog AXFR cold, s'), 3, figures['catalog AXFR, s']),
    judgedAtMost(at('start, times that of the smallest'), 1.2, figures['start, s'] / results[0]['start, s']),
    judged({ what: at('making, of that of the smallest'), least: 0.8 }, figures['made, 1/s'] / results[0]['made, 1/s']),
  ];
}

async function measureAll(directory) {
  const primary = await freePort();
  const pool = await startPool(primary);
  const database = values.database === 'sqlite' ? null : await startPostgres(path.join(directory, 'postgres'));
  try {
    let service = await startZonewright({
      name: 'Zonewright',
      directory,
      databaseUrl: await databaseOn(database),
      core: null,
      settings: {
        ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
        ZONEWRIGHT_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}`,
        ZONEWRIGHT_SERVICE_MDNS__SECONDARIES: pool.ports.map((port) => `127.0.0.1:${port}`).join(','),
        ZONEWRIGHT_SERVICE_MDNS__TSIG_KEYS: `${KEY.name}:${KEY.algorithm}:${KEY.secret}`,
        ZONEWRIGHT_SERVICE_MDNS__CATALOG_ZONE: CATALOG,
      },
    });
    const measured = [];
    for (const size of sizes) {
      process.stderr.write(`${size} domains\n`);
      const before = measured.at(-1)?.domains ?? 0;
      const figures = { domains: size, ...(await making(service, before, size)) };
      await pool.whenCalm();
      Object.assign(figures, await atRest(service, 'making'));
      const stopped = performance.now();
      await stop(service.child);
      const started = performance.now();
      service = await runZonewright({ ...service, core: null });
      figures['stop, s'] = round((started - stopped) / 1000, 2);
      figures['start, s'] = round((performance.now() - started) / 1000, 2);
      figures['first NOTIFY, s'] = await firstNotify(service, pool, size);
      Object.assign(figures, await lists(service, size), await catalog(service, primary, size));
      Object.assign(figures, await atRest(service, 'start'), await comesBack(service, pool, size));
      measured.push(figures);
      console.table(figures);
    }
    return measured;
  } finally {
    pool.end();
    await database?.stop();
  }
}

async function databaseOn(server) {
  if (server === null) return 'sqlite:bench.sqlite';
  await server.createDatabase('bench');
  return server.url('bench');
}

async function startPool(primary) {
  const child = fork(path.join(import.meta.dirname, 'servers/stand-ins.mjs'), { stdio: 'inherit' });
  const tell = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  const { ports } = await tell({ count: SERVERS, primary });
  const setDown = async (down) => (await tell({ down })).has;
  await setDown(DOWN);
  return {
    ports,
    setDown,
    /** Until no server learns anything any more. */
    whenCalm: async () => {
      for (let before = ''; ;) {
        const now = String(await setDown(DOWN));
        if (now === before) return;
        before = now;
        await delay(3000);
      }
    },
    end: () => child.kill('SIGKILL'),
  };
}

function call({ url, headers }, method, place, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(
      `${url}${place}`,
      { method, agent, headers: { ...headers, 'Content-Type': 'application/json' } },
      (answer) => {
        let read = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (read += chunk));
        answer.on('end', () => {
          if (answer.statusCode >= 300) reject(new Error(`${method} ${place}: ${answer.statusCode} ${read}`));
          else resolve(read === '' ? null : JSON.parse(read));
        });
      },
    );
    sent.once('error', reject);
    sent.end(text);
  });
}

async function makeDomain(service, name) {
  const { id } = await call(service, 'POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  made += 1;
  return id;
}

function nameOf(at) {
  return `d${String(at).padStart(7, '0')}.width.example.`;
}

/** Domains alone, and then their records. */
async function making(service, from, to) {
  const ids = [];
  const begun = performance.now();
  await atOnce(from, to, async (at) => {
    ids.push(await makeDomain(service, nameOf(at)));
  });
  const between = performance.now();
  const names = Array.from({ length: RECORDS }, (_, at) => `h${at}`);
  await atOnce(0, ids.length, async (at) => {
    const { name: zone } = await call(service, 'GET', `/v1/domains/${ids[at]}`);
    const record = (name) => ({ name: `${name}.${zone}`, type: 'A', data: '192.0.2.1' });
    const changes = names.map((name) => ({ action: 'create', record: record(name) }));
    await call(service, 'POST', `/v1/domains/${ids[at]}/changes`, { changes });
  });
  return {
    'made, 1/s': round((to - from) / ((between - begun) / 1000), 0),
    'filled, 1/s': round((to - from) / ((performance.now() - between) / 1000), 0),
    'peak MB': megabytes(service.child.pid, 'VmHWM'),
  };
}

async function atOnce(from, to, work) {
  let next = from;
  const run = async () => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
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
  const before = await pool.setDown(DOWN);
  await makeDomain(service, `after-start-${at}.example.`);
  while ((await pool.setDown(DOWN)).some((has, server) => !DOWN.includes(server) && has === before[server]))
    await delay(5);
  return round((performance.now() - begun) / 1000, 2);
}

/** The slowest of several pages, each by its best of some tries. */
async function lists(service, size) {
  const middle = (await call(service, 'GET', `/v1/domains?limit=1&name=${nameOf(Math.floor(size / 2))}`)).domains[0].id;
  const places = {
    'v1, first': `/v1/domains?limit=${PAGE}`,
    'v1, middle': `/v1/domains?limit=${PAGE}&marker=${middle}`,
    'v1, by name': `/v1/domains?limit=${PAGE}&name=${nameOf(size - 1)}`,
    'v2, first': `/v2/zones?limit=${PAGE}`,
    'v2, middle': `/v2/zones?limit=${PAGE}&marker=${middle}`,
  };
  for (const key of ['name', 'created_at', 'updated_at', 'serial', 'ttl', 'status'])
    for (const direction of ['asc', 'desc'])
      places[`v2, ${key} ${direction}`] =
        `/v2/zones?limit=${PAGE}&marker=${middle}&sort_key=${key}&sort_dir=${direction}`;
  for (const filter of ['name=*999.width.example.', 'name=d00*', 'email=nobody@example.org', 'status=ACTIVE', 'ttl=1'])
    places[`v2, ${filter}`] = `/v2/zones?limit=${PAGE}&${filter}`;
  const taken = {};
  for (const [what, place] of Object.entries(places)) {
    const times = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const begun = performance.now();
      await call(service, 'GET', place);
      times.push(performance.now() - begun);
    }
    taken[what] = round(Math.min(...times), 1);
  }
  console.table(taken);
  const [slowest, milliseconds] = Object.entries(taken).sort(([, one], [, other]) => other - one)[0];
  return { 'slowest page, ms': milliseconds, 'slowest page': slowest };
}

/** As a whole, of a serial that nobody has had, and what one more domain adds. */
async function catalog(service, primary, size) {
  const ask = (plan) =>
    runOnLoadCore('dns-client.mjs', [], JSON.stringify({ port: primary, key: KEY, name: CATALOG, ...plan }));
  const { seconds } = await ask({ kind: 'transfers', parallel: 1, records: made + FIXED });
  const since = await ask({ kind: 'serial' });
  const begun = performance.now();
  await makeDomain(service, `one-more-${size}.example.`);
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
  const [before] = await pool.setDown([]);
  const begun = performance.now();
  let has = before;
  while (has < size && performance.now() - begun < COMES_BACK_SECONDS * 1000) {
    await delay(100);
    [has] = await pool.setDown([]);
  }
  const seconds = (performance.now() - begun) / 1000;
  const memory = megabytes(service.child.pid, 'VmRSS');
  await pool.setDown(DOWN);
  return { 'comes back, zones/s': round((has - before) / seconds, 0), 'MB while it does': memory };
}

function megabytes(pid, field) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
  return round(Number(line[1]) / 1024, 0);
}
