#!/usr/bin/env node
/**
 * Latencies for others while the signatures of many small domains are renewed:
 *
 *   npm run bench:renewals                    10,000 domains of ten records
 *   npm run bench:renewals -- 1000 --no-save
 *
 * Marks all signatures as due while the service is stopped: the worst result of an outage, since renewals otherwise
 * spread over four days. Then starts the service and sends creates of another domain at a fixed rate until all are
 * renewed. Prints a table, writes results/renewals.json, and exits with 1 when it misses a goal.
 */
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { loadSqlite } from '../dist/src/database/sqlite/sqlite-driver.js';
import { isMissed, judgedAtMost } from './goals.mjs';
import { atOnce } from './json-client.mjs';
import { cpuSeconds, freePort, peakOf, stop } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { runZonewright, startZonewright } from './servers/zonewright.mjs';
import { createAddress, paced, signingSettings, until } from './signing/service.mjs';
import { quantiles, round } from './statistics.mjs';
import { call, fillTimed } from './width/filling.mjs';

const Database = loadSqlite();
const CONNECTIONS = 16;
const PAGE = 1000;
const UNSIGNED = 'SELECT COUNT(*) AS count FROM zone_signing WHERE signed_version IS NULL';
const DUE = 'SELECT COUNT(*) AS count FROM zone_signing WHERE next_due_at <= ?';

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: { save: { type: 'boolean', default: true } },
});
const domains = Number(positionals[0] ?? 10_000);
const machine = machineFacts();
const results = await inScratch(measure);
const goals = [
  judgedAtMost('creates of another domain while signatures are renewed, p99, ms', 50, results.renewing.p99),
];
console.table(results);
console.table(goals);
if (values.save) await saveResults('renewals', machine, { domains, goals, ...results });
process.exitCode = goals.some(isMissed) ? 1 : 0;

async function measure(directory) {
  const file = path.join(directory, 'bench.sqlite');
  const program = { name: 'Zonewright', core: null };
  const settings = signingSettings(await freePort(), '');
  const making = await startZonewright({ ...program, directory, databaseUrl: `sqlite:${file}`, settings });
  await fillTimed(making, 0, domains);
  const other = await making.call('POST', '/v1/domains', { name: 'other.example.', email: 'hostmaster@example.org' });
  const signing = await signAll(making, file, other);
  await stop(making.child);
  const since = makeAllDue(file);
  const service = await runZonewright({ ...making, ...program });
  const renewing = await watched(service, other, 'renewed', () => countIn(file, DUE, since) === 0);
  await stop(service.child);
  return { signing, renewing };
}

async function signAll(service, file, other) {
  const ids = await idsOf(service);
  const enable = (at) => call(service, 'PUT', `/v1/domains/${ids[at]}/dnssec`, { enabled: true });
  const asked = atOnce(CONNECTIONS, [0, ids.length], enable);
  let isAsked = false;
  void asked.then(() => (isAsked = true));
  const figures = await watched(service, other, 'signed', () => isAsked && countIn(file, UNSIGNED) === 0);
  await asked;
  return figures;
}

async function idsOf(service) {
  const ids = [];
  for (let marker = ''; ids.length < domains;) {
    const { domains: page } = await service.call('GET', `/v1/domains?limit=${PAGE}${marker}`);
    if (page.length === 0) throw new Error(`only ${ids.length} of ${domains} domains are listed`);
    ids.push(...page.filter(({ name }) => name.endsWith('.width.example.')).map(({ id }) => id));
    marker = `&marker=${page.at(-1).id}`;
  }
  return ids;
}

/** How long creates of another domain take until it is so. */
async function watched(service, other, label, isSo) {
  const { pid } = service.child;
  const [cpu, begun] = [cpuSeconds([pid]), performance.now()];
  const creates = paced((at) => createAddress(service, other, `${label}-${at}`));
  await until(isSo);
  const seconds = (performance.now() - begun) / 1000;
  const taken = cpu === null ? null : round(cpuSeconds([pid]) - cpu, 1);
  const times = quantiles(await creates.end());
  const rest = { cpu: taken, megabytes: Math.round(peakOf(pid)) };
  return { seconds: round(seconds, 1), perSecond: Math.round(domains / seconds), ...rest, ...times };
}

/** Returns since when they are. */
function makeAllDue(file) {
  const now = Math.floor(Date.now() / 1000);
  const database = new Database(file);
  database.prepare('UPDATE signed_sets SET due_at = ?').run(now);
  database.prepare('UPDATE zone_signing SET next_due_at = ?').run(now * 1_000_000);
  database.close();
  return now * 1_000_000;
}

function countIn(file, statement, ...parameters) {
  const database = new Database(file, { readonly: true });
  const { count } = database.prepare(statement).get(...parameters);
  database.close();
  return count;
}
