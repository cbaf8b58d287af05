#!/usr/bin/env node
/**
 * `npm run bench:guard`: detects regressions by ratios within one run, since these compare across machines: requests per
 * second to those of Nest without a database, in alternating turns; a search to a get; and the waiting time of changes
 * beside an import to the time of the import. Exits with 1 when a ratio is bad twice.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { startContestants } from './contestants.mjs';
import { cores, stop } from './processes.mjs';
import { textTable } from './report.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { startZonewright } from './servers/zonewright.mjs';
import { quantiles } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const SERVICE = 'Zonewright, SQLite';
const FLOOR = 'Nest';
/** Well below measured ratios, so that regressions trip them and other load does not. */
const LEAST = { create: 0.4, get: 0.6, 'list of 20': 0.3 };
const SETTINGS = { connections: 32, rounds: 3, seconds: 0.7, warmUp: 0.5 };
/** On a slow machine, a process needs longer until V8 has compiled what a list runs through. */
const LONGER = { ...SETTINGS, seconds: 2, warmUp: 2 };
const LARGE = 100_000;
const SEARCH = 'time of a search in 100,000 records, in gets';
const BESIDE = 'p99 of creates beside an import of 100,000 records, of its time';
const MOST = { [SEARCH]: 120, [BESIDE]: 0.3 };
const PACE = 20;

process.exitCode = await inScratch(async (directory) => {
  const { contestants, close } = await startContestants(directory, (name) => name === SERVICE || name === FLOOR);
  const areFast = await isFastEnough(contestants);
  await close();
  return areFast && ((await isFair(path.join(directory, 'first'))) || (await isFair(path.join(directory, 'second'))))
    ? 0
    : 1;
});

/** Whether one service with a large zone keeps its ratios. */
async function isFair(directory) {
  await mkdir(directory);
  const service = await startZonewright({
    name: SERVICE,
    directory,
    databaseUrl: 'sqlite:guard.sqlite',
    core: cores.server,
  });
  const make = (name) => service.call('POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  const [large, other] = [await make('large.example.'), await make('other.example.')];
  const begun = performance.now();
  let isDone = false;
  const importing = service
    .call('POST', `/v1/domains/${large.id}/import`, [...zoneText(LARGE)].join(''), 'text/dns')
    .finally(() => (isDone = true));
  const creates = [];
  while (!isDone) {
    const body = { name: `r-${creates.length}.other.example.`, type: 'A', data: '192.0.2.1' };
    creates.push(timed(() => service.call('POST', `/v1/domains/${other.id}/records`, body)));
    await delay(PACE);
  }
  await importing;
  const seconds = (performance.now() - begun) / 1000;
  const waits = await Promise.all(creates);
  const { records } = await service.call('GET', `/v1/domains/${other.id}/records?limit=5`);
  const get = () => service.call('GET', `/v1/domains/${other.id}/records/${records.at(-1).id}`);
  const search = () => service.call('GET', `/v1/domains/${large.id}/records?limit=20&q=h99-999`);
  const ratios = {
    [SEARCH]: (await medianOf(search, 30)) / (await medianOf(get, 300)),
    [BESIDE]: quantiles(waits).p99 / 1000 / seconds,
  };
  await stop(service.child);
  const rows = Object.entries(ratios).map(([what, ratio]) => [
    what,
    ratio.toFixed(2),
    MOST[what].toFixed(2),
    ratio <= MOST[what] ? 'ok' : 'too slow',
  ]);
  console.log(textTable([['workload', 'ratio', 'at most', 'verdict'], ...rows]));
  return Object.entries(ratios).every(([what, ratio]) => ratio <= MOST[what]);
}

/** In milliseconds, one request after the other. */
async function medianOf(send, times) {
  const found = [];
  for (let at = 0; at < times; at += 1) found.push(await timed(send));
  return quantiles(found).p50;
}

async function timed(send) {
  const begun = performance.now();
  await send();
  return performance.now() - begun;
}

async function isFastEnough(contestants) {
  const slow = await tooSlow(contestants, Object.keys(LEAST));
  if (slow.length === 0) return true;
  console.log(`\n${slow.join(' and ')}: once more, since it may have been the machine`);
  return (await tooSlow(contestants, slow, LONGER)).length === 0;
}

/** Workloads below their ratio. */
async function tooSlow(contestants, workloads, settings = SETTINGS) {
  const ratios = [];
  for (const workload of workloads) ratios.push(await ratioOf(contestants, workload, settings));
  console.log(textTable([['workload', 'of Nest', 'at least', 'verdict'], ...ratios.map(rowOf)]));
  return ratios.filter(({ holds }) => !holds).map(({ workload }) => workload);
}

/** The best round counts: other load only slows a round down. */
async function ratioOf(contestants, workload, settings) {
  const results = await inTurns(contestants, { workload, ...settings });
  const best = (name) => results.find(({ contestant }) => contestant === name).max;
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const ratio = best(SERVICE) / best(FLOOR);
  return { workload, ratio, failed, holds: ratio >= LEAST[workload] && failed === 0 };
}

function rowOf({ workload, ratio, failed, holds }) {
  const verdict = failed > 0 ? `${failed} failed` : holds ? 'ok' : 'too slow';
  return [workload, ratio.toFixed(2), LEAST[workload].toFixed(2), verdict];
}
