#!/usr/bin/env node
/**
 * `npm run bench:profile -- [workload…]`: where the service spends its processor time under a workload, as V8 samples
 * it. Writes results/<workload>.cpuprofile, which Chrome's developer tools (Performance, "Load profile"), VS Code and
 * https://www.speedscope.app show as flame graphs and as lists of the costliest functions, and prints the microseconds
 * of one request by stage.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stop } from './processes.mjs';
import { stagesOf } from './profile-stages.mjs';
import { formatNumber } from './report.mjs';
import { saveText } from './results.mjs';
import { measure } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { zonewrightOnSqlite } from './servers/zonewright.mjs';
import { WORKLOADS } from './workloads.mjs';

const USUAL = ['create', 'get', 'list of 20'];
const WARM_UP = 2;
const SECONDS = 5;
const FILE = 'service.cpuprofile';
const SAMPLE_EVERY_US = 500;

const named = process.argv.slice(2);
for (const workload of named.length > 0 ? named : USUAL) {
  const { rate, profile } = await inScratch((directory) => profileOf(workload, directory));
  const file = `${workload.replaceAll(' ', '-')}.cpuprofile`;
  await saveText(file, JSON.stringify(profile));
  console.log(`${workload}: ${formatNumber(rate)} requests/s while it was profiled, bench/results/${file}`);
  console.table(stagesOf(profile, rate * SECONDS));
}

async function profileOf(workload, directory) {
  const nodeOptions = ['--cpu-prof', `--cpu-prof-interval=${SAMPLE_EVERY_US}`, `--cpu-prof-name=${FILE}`];
  const service = await zonewrightOnSqlite({ name: 'Zonewright, profiled', directory, nodeOptions });
  if (service.templates[workload] === undefined)
    throw new Error(`unknown workload ${workload}; there are ${Object.keys(service.templates).join(', ')}`);
  const connections = Math.max(...WORKLOADS.find(({ name }) => name === workload).connections);
  await measure(service, { workload, connections, seconds: WARM_UP });
  const from = now();
  const { rate, failed } = await measure(service, { workload, connections, seconds: SECONDS });
  const to = now();
  if (failed > 0) throw new Error(`${workload}: ${failed} requests failed`);
  // The profile is written as the process ends by itself.
  await stop(service.child);
  const whole = JSON.parse(await readFile(path.join(directory, FILE), 'utf8'));
  return { rate, profile: between(whole, from, to) };
}

/** Without the start of the service and the warm-up. Times are in microseconds. */
function between({ samples, timeDeltas, startTime, ...profile }, from, to) {
  let time = startTime;
  const times = timeDeltas.map((delta) => (time += delta));
  const isInside = (_, at) => times[at] >= from && times[at] <= to;
  return {
    ...profile,
    startTime: from,
    endTime: to,
    samples: samples.filter(isInside),
    timeDeltas: timeDeltas.filter(isInside),
  };
}

/** On the clock that all processes of a machine share and V8 stamps its samples with, in microseconds. */
function now() {
  return Number(process.hrtime.bigint() / 1000n);
}
