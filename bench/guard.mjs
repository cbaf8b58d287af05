#!/usr/bin/env node
/**
 * `npm run bench:guard`: detects regressions against Nest without a database, in alternating turns of one run, since
 * ratios compare across machines. Exits with 1 when a ratio is too low twice.
 */
import { startContestants } from './contestants.mjs';
import { textTable } from './report.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';

const SERVICE = 'Zonewright, SQLite';
const FLOOR = 'Nest';
/** Well below measured ratios, so that regressions trip them and other load does not. */
const LEAST = { create: 0.4, get: 0.6 };
const SETTINGS = { connections: 32, rounds: 3, seconds: 0.7, warmUp: 0.5 };

process.exitCode = await inScratch(async (directory) => {
  const { contestants } = await startContestants(directory, (name) => name === SERVICE || name === FLOOR);
  return (await isFastEnough(contestants)) ? 0 : 1;
});

async function isFastEnough(contestants) {
  const slow = await tooSlow(contestants, Object.keys(LEAST));
  if (slow.length === 0) return true;
  console.log(`\n${slow.join(' and ')}: once more, since it may have been the machine`);
  return (await tooSlow(contestants, slow)).length === 0;
}

/** Workloads below their ratio. */
async function tooSlow(contestants, workloads) {
  const ratios = [];
  for (const workload of workloads) ratios.push(await ratioOf(contestants, workload));
  console.log(textTable([['workload', 'of Nest', 'at least', 'verdict'], ...ratios.map(rowOf)]));
  return ratios.filter(({ holds }) => !holds).map(({ workload }) => workload);
}

/** The best round counts: other load only slows a round down. */
async function ratioOf(contestants, workload) {
  const results = await inTurns(contestants, { workload, ...SETTINGS });
  const best = (name) => results.find(({ contestant }) => contestant === name).max;
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const ratio = best(SERVICE) / best(FLOOR);
  return { workload, ratio, failed, holds: ratio >= LEAST[workload] && failed === 0 };
}

function rowOf({ workload, ratio, failed, holds }) {
  const verdict = failed > 0 ? `${failed} failed` : holds ? 'ok' : 'too slow';
  return [workload, ratio.toFixed(2), LEAST[workload].toFixed(2), verdict];
}
