#!/usr/bin/env node
/**
 * Start times of the program, from process start to its end, or to the first response of the service:
 *
 *   npm run bench:start
 *   npm run bench:start -- --runs 5 --no-save
 *
 * Starts the built `bin` of the package, like an installed `zonewright`; the last line is a checkout. After a warm-up
 * all take turns, so that other load affects them equally. Prints a table, writes results/start.json, and exits with 1
 * when it misses a goal.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import { freePort, ROOT, run, spawnServer, stop } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { round, summarize } from './statistics.mjs';

const BIN = path.join(ROOT, JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).bin.zonewright);
const CHECKOUT = path.join(ROOT, 'scripts/start.mjs');
const READY = /listens on ([^\s"]+)["\n]/;

/** Issue 10, point 11; in seconds. Without a goal: Node alone, and the overhead of a checkout. */
const STARTS = [
  { what: 'node, nothing to do', args: ['--eval', '0'] },
  { what: 'zonewright --version', args: [BIN, '--version'], goal: 0.3 },
  { what: 'zonewright --help', args: [BIN, '--help'], goal: 0.3 },
  { what: 'zonewright token list', args: [BIN, 'token', 'list'], goal: 0.7 },
  { what: 'zonewright serve, until it answers', args: [BIN, 'serve'], serves: true, goal: 1.2 },
  { what: 'npm start, until it answers, without npm', args: [CHECKOUT], serves: true },
];

const { values } = parseArgs({
  allowNegative: true,
  options: { runs: { type: 'string', default: '15' }, save: { type: 'boolean', default: true } },
});
const machine = machineFacts();
const results = await inScratch((directory) => measureAll(directory, Number(values.runs)));
const goals = results.flatMap(judge);
console.table(results.map(({ runs, ...figures }) => ({ ...figures, runs: runs.length })));
console.table(goals);
if (values.save) await saveResults('start', machine, { goals, results });
process.exitCode = goals.some(isMissed) ? 1 : 0;

async function measureAll(directory, runs) {
  const installation = {
    cwd: directory,
    env: {
      ZONEWRIGHT_DATABASE__URL: 'sqlite:bench.sqlite',
      ZONEWRIGHT_SERVICE_API__LISTEN: `127.0.0.1:${await freePort()}`,
    },
  };
  // The database that they find, with a token to list.
  run(process.execPath, [BIN, 'migrate'], installation);
  run(process.execPath, [BIN, 'token', 'create', '--tenant', 'bench'], installation);
  const measured = STARTS.map((start) => ({ ...start, seconds: [] }));
  for (let turn = -1; turn < runs; turn += 1) {
    for (const { args, serves = false, seconds } of measured) {
      const taken = serves ? await secondsToAnswer(args, installation) : secondsToEnd(args, installation);
      if (turn >= 0) seconds.push(round(taken, 3));
    }
  }
  return measured.map(({ what, seconds }) => ({ what, ...rounded(summarize(seconds)), runs: seconds }));
}

function secondsToEnd(args, installation) {
  const started = performance.now();
  run(process.execPath, args, installation);
  return (performance.now() - started) / 1000;
}

/** Until the first request is answered, which is sent as soon as the service says that it listens. */
async function secondsToAnswer(args, installation) {
  const started = performance.now();
  const { child, output } = spawnServer({ command: process.execPath, args, ...installation });
  try {
    const answer = await fetch(`${await printedUrl(child, output)}/healthz`);
    if (!answer.ok) throw new Error(`GET /healthz answered ${answer.status}`);
    return (performance.now() - started) / 1000;
  } finally {
    await stop(child);
  }
}

function printedUrl(child, output) {
  return new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, url] = READY.exec(output()) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${output()}`)));
  });
}

function rounded(figures) {
  return Object.fromEntries(Object.entries(figures).map(([name, seconds]) => [name, round(seconds, 3)]));
}

function judge({ what, median }) {
  const { goal } = STARTS.find((start) => start.what === what);
  return goal === undefined ? [] : [judgedAtMost(`${what}, s`, goal, median)];
}
