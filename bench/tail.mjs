#!/usr/bin/env node
/**
 * How long the slowest creates take under full load on SQLite: one in a thousand may wait for five times as long as half
 * of them do (issue 12).
 *
 *   npm run bench:tail
 *   npm run bench:tail -- --seconds 20 --connections 8
 *   npm run bench:tail -- --one-core
 *
 * The service has all cores, unlike elsewhere: what keeps work off its event loop, the copying of SQLite's log and the
 * garbage collector's threads, has nothing to run on beside it on one core.
 *
 * Prints a table, writes results/tail.json, and ends with 1 when the goal is missed.
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
