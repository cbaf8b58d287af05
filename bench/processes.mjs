import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const ROOT = path.dirname(import.meta.dirname);

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const KEPT_OUTPUT = 4000;

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
export const canPin = hasTaskset && os.availableParallelism() >= 2;
const CORES = os.availableParallelism();

/** Which cores serve whom; `null` leaves the choice to the system. */
export const cores = {
  server: canPin ? '0' : null,
  load: canPin ? String(CORES - 1) : null,
  // Two processes and a database need more than two or three cores: there the system shares them out.
  workers: canPin && CORES >= 4 ? '0-1' : null,
  oneWorker: canPin && CORES >= 4 ? '0' : null,
  database: canPin && CORES >= 4 ? (CORES > 4 ? `2-${CORES - 2}` : '2') : null,
};

const running = new Set();

/** Starts a Zonewright server and returns once it answers at `url`; it exits with this process. */
export async function startServer({ name, url, headers = {}, ...program }) {
  const { child, output } = spawnServer(program);
  await answering(url, headers, child, () => `${name} does not answer:\n${output()}`);
  return child;
}

/** Starts a server without waiting: returns the process, and its latest output. */
export function spawnServer({ command, args, core = null, cwd, env = {} }) {
  const [file, ...rest] = pinned(core, [command, ...args]);
  const child = spawn(file, rest, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let printed = '';
  const keep = (text) => (printed = (printed + text).slice(-KEPT_OUTPUT));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('exit', () => running.delete(child));
  child.once('error', (error) => keep(String(error)));
  return { child, output: () => printed };
}

/** Runs a program to its end and returns its stdout. */
export function run(command, args, { cwd, env = {}, input } = {}) {
  return execFileSync(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
}

/** Runs one measurement on the load's own core. */
export function load(plan) {
  return runOnLoadCore('load.mjs', [], JSON.stringify(plan));
}

/** Runs a script of this folder on the load core, and returns its JSON report. */
export async function runOnLoadCore(script, args, input = '') {
  const [file, ...rest] = pinned(cores.load, [process.execPath, path.join(import.meta.dirname, script), ...args]);
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  child.stdin.end(input);
  let report = '';
  child.stdout.on('data', (text) => (report += text));
  const [code] = await once(child, 'close');
  running.delete(child);
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(report);
}

/** A script of this folder on a separate core, as a child process with messages. */
export function forkOnCore(core, script, args) {
  const child = fork(path.join(import.meta.dirname, script), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  pinTo(core, child.pid);
  return child;
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  if ((await Promise.race([ended, delay(STOP_TIMEOUT_MS, 'late', { ref: false })])) === 'late') child.kill('SIGKILL');
  await ended;
}

export async function stopAll() {
  await Promise.all([...running].map(stop));
}

/** Kills immediately, without time to wait. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Processor seconds that a process and all below it have taken so far; `null` where the system does not tell. */
export function cpuSeconds(pids) {
  if (!existsSync('/proc/self/stat')) return null;
  return pids.flatMap(withDescendants).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
}

/** Linux: 5 resets the peak that the kernel keeps of a process's resident memory. */
export function forgetPeak(pid) {
  writeProcess(`${pid}/clear_refs`, '5');
}

/** The most memory that a process has had since, in MB; `NaN` where the system does not tell. */
export function peakOf(pid) {
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readProcess(`${pid}/status`))?.[1] ?? NaN) / 1024;
}

export function pinTo(core, pid) {
  if (core !== null) run('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(pid)]);
}

function pinned(core, command) {
  return core === null ? command : ['taskset', '--cpu-list', core, ...command];
}

async function answering(url, headers, child, describeFailure) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null || child.pid === undefined || Date.now() > deadline) throw new Error(describeFailure());
    const answer = await fetch(url, { headers }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await delay(POLL_MS);
  }
}

function withDescendants(pid) {
  const children = readProcess(`${pid}/task/${pid}/children`)?.trim() ?? '';
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap(withDescendants))];
}

const TICKS_PER_SECOND = 100;

/** Its own, and that of children that have ended: PostgreSQL has a process for each connection. */
function cpuSecondsOf(pid) {
  // The second field is the program's name, which may hold blanks.
  const fields =
    readProcess(`${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** `null` when the process has ended meanwhile, as PostgreSQL's do. */
function readProcess(name) {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return null;
  }
}

function writeProcess(name, text) {
  try {
    writeFileSync(`/proc/${name}`, text);
  } catch {
    // Systems without a peak figure report none.
  }
}
