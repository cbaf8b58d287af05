#!/usr/bin/env node
/**
 * The slowest creates under full load on SQLite: the p99.9 may be five times the median (issue 12).
 *
 *   npm run bench:tail
 *   npm run bench:tail -- --seconds 20 --connections 8
 *   npm run bench:tail -- --one-core
 *
 * Unlike elsewhere the service has all cores: its background threads (SQLite log copies and garbage collection) could
 * not run in parallel on one core.
 *
 * Prints a table, writes results/tail.json, and exits with 1 when it misses the goal.
 */
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import { cores, runOnLoadCore } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { round } from './statistics.mjs';
import { inScratch } from './scratch.mjs';
import { zonewrightOnSqlite } from './servers/zonewright.mjs';

/** How many times the median one create in a thousand may take. */
const GOAL = 5;
const WARM_UP = 3;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '32' },
    'one-core': { type: 'boolean', default: false },
    workload: { type: 'string', default: 'create in 32 domains' },
    save: { type: 'boolean', default: true },
  },
});
const machine = machineFacts();
const figures = await inScratch(measure);
console.table([
  { ...figures, statuses: JSON.stringify(figures.statuses), ratio: round(figures.p999 / figures.p50, 1) },
]);
const goals = [judgedAtMost('p99.9 of creates under full load / p50', GOAL, figures.p999 / figures.p50)];
if (values.save) await saveResults('tail', machine, { seconds: Number(values.seconds), goals, figures });
process.exitCode = goals.some(isMissed) ? 1 : 0;

async function measure(directory) {
  const core = values['one-core'] ? cores.server : null;
  const { url, templates } = await zonewrightOnSqlite({ name: 'Zonewright', directory, core });
  const plan = { url, template: templates[values.workload], connections: Number(values.connections) };
  const run = (seconds, tag) => runOnLoadCore('tail-client.mjs', [], JSON.stringify({ ...plan, seconds, tag }));
  await run(WARM_UP, 'warm-up');
  return run(Number(values.seconds), 'tail');
}
