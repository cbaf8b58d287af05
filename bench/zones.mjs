#!/usr/bin/env node
/**
 * How long `zone import` and `zone export` take, and what they hold in memory, for zones of given sizes:
 *
 *   npm run bench:zones                    100,000 and 1,000,000 records
 *   npm run bench:zones -- 10000 --runs 5
 *
 * Every run is a process of its own on a fresh database; of several runs the best counts, because others may use the
 * machine meanwhile. Prints a table, writes results/zones.json, and ends with 1 when a goal is missed.
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import { formatNumber } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { round } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const ROOT = path.dirname(import.meta.dirname);
const COMMAND_LINE = path.join(ROOT, 'dist/src/cli/main.js');
const DOMAIN = 'bench.example.';
/** SOA and the service's own name server. */
const GENERATED = 2;

/** Issue 4, point 8, on two cores. */
const GOALS = [
  { records: 100_000, operation: 'import', seconds: 5 },
  { records: 100_000, operation: 'export', seconds: 2 },
  { records: 1_000_000, operation: 'import', megabytes: 300 },
  { records: 1_000_000, operation: 'export', megabytes: 300 },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string' }, save: { type: 'boolean', default: true } },
  allowNegative: true,
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [100_000, 1_000_000];
const machine = machineFacts();
const results = [];
for (const size of sizes) results.push(...(await measure(size, Number(values.runs ?? (size > 500_000 ? 1 : 3)))));
const goals = results.flatMap(judge);
console.table(results.map(({ runs, ...best }) => ({ ...best, runs: runs.length })));
console.table(goals);
if (values.save) await saveResults('zones', machine, { goals, results });
process.exitCode = goals.some(isMissed) ? 1 : 0;

async function measure(size, runs) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'zonewright-bench-'));
  try {
    await writeZone(path.join(directory, 'in.zone'), size);
    const imports = [];
    const exports = [];
    for (let run = 0; run < runs; run += 1) {
      await forget(directory);
      const into = ['--domain', DOMAIN, '--create', '--email', 'hostmaster@bench.example'];
      imports.push(await command(directory, ['import', 'in.zone', ...into]));
      exports.push(await command(directory, ['export', DOMAIN, '-o', 'out.zone']));
      await assertWhole(path.join(directory, 'out.zone'), size);
    }
    return [best(size, 'import', imports), best(size, 'export', exports)];
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function writeZone(file, size) {
  await pipeline(Readable.from(wholeZone(size)), createWriteStream(file));
}

function* wholeZone(size) {
  yield `$TTL 3600\n@ SOA ns1.example.net. hostmaster 1 3600 600 1209600 3600\n`;
  yield* zoneText(size);
}

async function forget(directory) {
  for (const suffix of ['', '-wal', '-shm']) await rm(path.join(directory, `bench.sqlite${suffix}`), { force: true });
}

/** Runs `zonewright zone …` and tells what it took; bench/peak.mjs reports the process's own figures on descriptor 3. */
function command(cwd, args) {
  const env = { PATH: process.env.PATH, ZONEWRIGHT_DATABASE__URL: 'sqlite:bench.sqlite' };
  const peak = path.join(import.meta.dirname, 'peak.mjs');
  const started = performance.now();
  const stdio = ['ignore', 'ignore', 'inherit', 'pipe'];
  const child = spawn(process.execPath, ['--import', peak, COMMAND_LINE, 'zone', ...args], { cwd, env, stdio });
  let report = '';
  child.stdio[3].on('data', (text) => (report += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) return reject(new Error(`zone ${args.join(' ')} ended with ${code}`));
      resolve({ seconds: (performance.now() - started) / 1000, ...JSON.parse(report) });
    });
  });
}

/** An export that is fast because it is short would be no result. */
async function assertWhole(file, size) {
  let records = 0;
  for await (const line of createInterface(createReadStream(file))) if (!line.startsWith(';')) records += 1;
  if (records !== size + GENERATED) throw new Error(`the export has ${records} records instead of ${size + GENERATED}`);
}

function best(records, operation, runs) {
  const of = (figure) => Math.min(...runs.map((run) => run[figure]));
  const seconds = round(of('seconds'));
  return {
    records,
    operation,
    seconds,
    recordsPerSecond: Math.round(records / seconds),
    cpuSeconds: round(of('cpuSeconds')),
    // The highest of all: memory must hold every time.
    peakMegabytes: Math.max(...runs.map((run) => run.peakMegabytes)),
    runs: runs.map((run) => round(run.seconds)),
  };
}

function judge({ records, operation, seconds, peakMegabytes }) {
  const goal = GOALS.find((candidate) => candidate.records === records && candidate.operation === operation);
  if (goal === undefined) return [];
  const what = `zone ${operation} of ${formatNumber(records)} records`;
  return goal.seconds === undefined
    ? [judgedAtMost(`${what}, MB`, goal.megabytes, peakMegabytes)]
    : [judgedAtMost(`${what}, s`, goal.seconds, seconds)];
}
