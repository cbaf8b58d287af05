#!/usr/bin/env node
/**
 * Brings a checkout into a state it can run from: installs what is missing, builds what is stale. Silent when there is
 * nothing to do. It runs before anything is installed, so it uses node: modules only, and its progress goes to stderr, so
 * that a command behind it keeps stdout for itself.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const at = (name) => path.join(root, name);
const say = (line) => process.stderr.write(`zonewright: ${line}\n`);
const readText = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null);

const LOCK = at('dist/.prepare.lock');
/** Holds the fingerprint of the sources that dist/ was built from. */
const BUILT = at('dist/.built');
/** What is built, beside ormconfig.ts. */
const FOLDERS = ['src', 'examples'];

/** @param {{ dev?: boolean }} [needs] dev: the development tools too; a build always needs them */
export async function prepare({ dev = false } = {}) {
  try {
    assertNodeVersion();
    if (isBuilt() && isInstalled(dev) && loadsSqlite()) return;
    await takeLock();
    const builds = !isBuilt();
    if (!isInstalled(dev || builds)) install(dev || builds);
    if (!loadsSqlite()) buildSqlite();
    if (builds) build();
    fs.rmSync(LOCK);
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

function assertNodeVersion() {
  const wanted = JSON.parse(readText(at('package.json'))).engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0)
    throw new Error(`needs Node.js ${wanted} or newer, this is ${process.versions.node}`);
}

/** npm's own record of what it put into node_modules, held against the lock; absent after an interrupted install. */
function isInstalled(dev) {
  const found = JSON.parse(readText(at('node_modules/.package-lock.json')) ?? '{}').packages ?? {};
  const locked = JSON.parse(readText(at('package-lock.json'))).packages;
  // Packages for other platforms are in the lock and never installed.
  const mayMiss = (wanted) => wanted.optional || (!dev && (wanted.dev || wanted.devOptional));
  return Object.entries(locked).every(
    ([place, wanted]) =>
      place === '' || found[place]?.version === wanted.version || (!(place in found) && mayMiss(wanted)),
  );
}

/**
 * `npm ci` refuses a lock that lacks other platforms' packages, which npm drops when a registry does not carry them;
 * `npm install` accepts it. `--no-save` keeps that from rewriting the lock.
 */
function install(dev) {
  const scope = dev ? ['--include=dev'] : [];
  try {
    npm('installing dependencies', ['ci', ...scope]);
  } catch {
    npm('npm ci has failed, installing with npm install', ['install', '--no-save', ...scope]);
  }
}

/** Not when install scripts were off, nor when Node.js has changed since. */
function loadsSqlite() {
  try {
    const Database = createRequire(at('package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

function buildSqlite() {
  npm('building better-sqlite3', ['rebuild', 'better-sqlite3']);
  if (!loadsSqlite())
    say('SQLite databases cannot be opened; if npm ignores scripts: npm rebuild better-sqlite3 --ignore-scripts=false');
}

/** A package without sources comes with its build. */
function isBuilt() {
  return !fs.existsSync(at('src')) || readText(BUILT) === fingerprint();
}

function build() {
  const sources = fingerprint();
  // What was renamed or removed must not stay behind.
  for (const folder of FOLDERS) fs.rmSync(at(`dist/${folder}`), { recursive: true, force: true });
  run('building', process.execPath, [at('node_modules/typescript/bin/tsc'), '--project', 'tsconfig.build.json']);
  fs.writeFileSync(BUILT, sources);
}

/** Contents, not times: a checkout, a copy or an image layer changes times without changing anything. */
function fingerprint() {
  const names = ['ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', ...FOLDERS.flatMap(sourcesIn)];
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n${readText(at(name))}\n`);
  return hash.digest('hex');
}

function sourcesIn(folder) {
  if (!fs.existsSync(at(folder))) return [];
  const sources = fs.readdirSync(at(folder), { recursive: true }).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  return sources.sort().map((source) => path.join(folder, source));
}

/** One process at a time. A lock whose process has ended, by Ctrl-C for example, is nobody's. */
async function takeLock() {
  fs.mkdirSync(path.dirname(LOCK), { recursive: true });
  for (let waits = 0; ; waits += 1) {
    try {
      return fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (waits === 1) say('waiting for another process that prepares this directory');
    if (isRunning(Number(readText(LOCK)))) await delay(250);
    else fs.rmSync(LOCK, { force: true });
  }
}

function isRunning(pid) {
  try {
    // Signal 0 asks without sending anything.
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function npm(step, args) {
  run(step, 'npm', args, { shell: process.platform === 'win32' });
}

/** @throws Error with what the command has printed when it fails */
function run(step, command, args, options = {}) {
  say(step);
  const settings = { cwd: root, encoding: 'utf8', maxBuffer: Infinity, ...options };
  const { status, error, stdout, stderr } = spawnSync(command, args, settings);
  if (status !== 0) throw error ?? new Error(`${step} has failed:\n${stdout}${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--rebuild')) fs.rmSync(BUILT, { force: true });
  await prepare({ dev: true });
}
