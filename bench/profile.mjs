#!/usr/bin/env node
/**
 * `npm run bench:profile -- [workload…]`: what the service does with its processor time under a workload. Prints the
 * shares of who takes it and draws results/flame-<workload>.svg.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readProfile } from './cpu-profile.mjs';
import { flameGraphOf } from './flame-graph.mjs';
import { stop } from './processes.mjs';
import { formatNumber, textTable } from './report.mjs';
import { saveText } from './results.mjs';
import { measure } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { zonewrightOnSqlite } from './servers/zonewright.mjs';
import { sharesOf } from './shares.mjs';

const WORKLOADS = ['create', 'get', 'list of 20'];
const CONNECTIONS = 32;
const WARM_UP = 2;
const SECONDS = 5;
const FILE = 'service.cpuprofile';
const SAMPLE_EVERY_US = 500;

const wishes = process.argv.slice(2);
for (const workload of wishes.length > 0 ? wishes : WORKLOADS) {
  const { rate, frames } = await inScratch((directory) => profile(workload, directory));
  const title = `${workload}, ${CONNECTIONS} connections: where the service spends its processor time`;
  const file = `flame-${workload.replaceAll(' ', '-')}.svg`;
  await saveText(file, flameGraphOf(frames, title));
  const rows = sharesOf(frames).map(({ who, share }) => [who, `${(100 * share).toFixed(1)} %`]);
  console.log(`\n${textTable([[workload, 'of processor time'], ...rows])}`);
  console.log(`\n${formatNumber(rate)} requests/s while it was watched. results/${file}`);
}

async function profile(workload, directory) {
  const nodeOptions = ['--cpu-prof', `--cpu-prof-interval=${SAMPLE_EVERY_US}`, `--cpu-prof-name=${FILE}`];
  const service = await zonewrightOnSqlite({ name: 'Zonewright, watched', directory, nodeOptions });
  if (service.templates[workload] === undefined)
    throw new Error(`unknown workload ${workload}; there are ${Object.keys(service.templates).join(', ')}`);
  await measure(service, { workload, connections: CONNECTIONS, seconds: WARM_UP });
  const from = now();
  const { rate, failed } = await measure(service, { workload, connections: CONNECTIONS, seconds: SECONDS });
  const to = now();
  if (failed > 0) throw new Error(`${workload}: ${failed} requests failed`);
  // The profile is written as the process ends by itself.
  await stop(service.child);
  const written = JSON.parse(await readFile(path.join(directory, FILE), 'utf8'));
  return { rate, frames: readProfile(written, { from, to }) };
}

/** On the clock that all processes of a machine share and V8 stamps its samples with, in microseconds. */
function now() {
  return Number(process.hrtime.bigint() / 1000n);
}
