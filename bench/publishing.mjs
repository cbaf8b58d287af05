#!/usr/bin/env node
/**
 * How long a change takes from the API's answer to the name servers: BIND, Knot, NSD and PowerDNS on loopback, configured
 * as docs/publishing.md says, all messages signed. `silent` creates 30,000 zones with two name servers that never
 * answer (issue 45, point 4).
 *
 *   npm run bench:publishing
 *   npm run bench:publishing -- notified served burst lost catalog killed silent   some of the measurements
 *   npm run bench:publishing -- --quick --no-save
 *   npm run bench:publishing -- catalog --domains 10000 --no-save
 *
 * Nothing is pinned to a core, since the name servers want theirs. Prints a table, writes results/publishing.json, and
 * ends with 1 when a goal is missed.
 */
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import * as ofServers from './publishing/measurements.mjs';
import { silent } from './publishing/silent.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { round } from './statistics.mjs';

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    domains: { type: 'string' },
    save: { type: 'boolean', default: true },
  },
});
const measurements = { ...ofServers, silent };
const ORDER = ['notified', 'served', 'burst', 'lost', 'catalog', 'killed', 'silent'];
const USUAL = values.quick
  ? { changes: 25, seconds: 3, domains: 100, silentZones: 3000 }
  : { changes: 300, seconds: 10, domains: 1000, silentZones: 30_000 };
const SIZES = { ...USUAL, domains: Number(values.domains ?? USUAL.domains) };

const machine = machineFacts();
const figures = await inScratch(async (directory) => {
  const found = [];
  for (const name of ORDER.filter((one) => positionals.length === 0 || positionals.includes(one))) {
    process.stderr.write(`${name}\n`);
    found.push(...(await measurements[name](directory, SIZES)));
  }
  return found;
});
const results = figures.map(({ measured, ...rest }) => ({ ...rest, measured: round(measured, 1) }));
const goals = results
  .filter(({ goal }) => goal !== null)
  .map(({ figure, unit, goal, measured }) => judgedAtMost(`${figure}, ${unit}`, goal, measured));
console.table(results);
console.table(goals.filter(isMissed));
if (values.save) await saveResults('publishing', machine, { sizes: SIZES, goals, results });
process.exitCode = goals.some(isMissed) ? 1 : 0;
