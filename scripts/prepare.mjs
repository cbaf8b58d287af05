#!/usr/bin/env node
/**
 * Brings a checkout into a state it can run from: installs what is missing, builds what is stale. Silent when there is
 * nothing to do. It runs before anything is installed, so it uses node: modules only, and its progress goes to stderr.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const at = (name) => path.join(root, name);
const say = (line) => process.stderr.write(`zonewright: ${line}\n`);
const readText = (name) => (fs.existsSync(at(name)) ? fs.readFileSync(at(name), 'utf8') : null);

const LOCK = 'dist/.prepare.lock';
/** Holds the fingerprint of the sources that dist/ was built from. */
const BUILT = 'dist/.built';
/** What is built, beside ormconfig.ts. */
const FOLDERS = ['src', 'examples/acme'].filter((folder) => fs.existsSync(at(folder)));

/** @param {{ dev?: boolean }} [needs] dev: the development tools too; a build always needs them */
export async function prepare({ dev = false } = {}) {
  try {
    assertNodeVersion();
    if (isBuilt() && isInstalled(dev) && loadsSqlite()) return;
    await takeLock();
    if (!isInstalled(dev || !isBuilt())) install();
    if (!loadsSqlite()) run('building better-sqlite3', 'npm', 'rebuild', 'better-sqlite3');
    if (!isBuilt()) build();
    fs.rmSync(at(LOCK));
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

function assertNodeVersion() {
  const wanted = JSON.parse(readText('package.json')).engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0)
    throw new Error(`needs Node.js ${wanted} or newer, this is ${process.versions.node}`);
}

/** A package without sources comes with its build. */
function isBuilt() {
  return !FOLDERS.includes('src') || readText(BUILT) === fingerprint();
}

/** Contents, not times: a checkout, a copy or an image layer changes times without changing anything. */
function fingerprint() {
  const inFolder = (folder) => fs.readdirSync(at(folder), { recursive: true }).map((name) => path.join(folder, name));
  const sources = FOLDERS.flatMap(inFolder).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  const hash = createHash('sha256');
  for (const name of ['ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', ...sources.sort()])
    hash.update(`${name}\n${readText(name)}\n`);
  return hash.digest('hex');
}

/** npm's own record of what it put into node_modules, held against the lock, whose first entry is this package. */
function isInstalled(dev) {
  const found = JSON.parse(readText('node_modules/.package-lock.json') ?? '{}').packages ?? {};
  const [, ...locked] = Object.entries(JSON.parse(readText('package-lock.json')).packages);
  return locked.every(([place, wanted]) => {
    if (place in found) return found[place].version === wanted.version;
    // Packages for other platforms are in the lock and never installed.
    return wanted.optional || (!dev && (wanted.dev || wanted.devOptional));
  });
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

/** One process at a time. A lock whose process has ended, by Ctrl-C for example, is nobody's. */
async function takeLock() {
  try {
    fs.mkdirSync(at('dist'), { recursive: true });
    fs.writeFileSync(at(LOCK), String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isRunning(Number(readText(LOCK)))) await delay(250);
    else fs.rmSync(at(LOCK), { force: true });
    await takeLock();
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

/** `npm ci` refuses a lock without other platforms' packages, which not every registry carries; `npm install` takes it. */
function install() {
  try {
    run('installing dependencies', 'npm', 'ci', '--include=dev');
  } catch {
    run('npm ci has failed, installing with npm install', 'npm', 'install', '--no-save', '--include=dev');
  }
}

function build() {
  const sources = fingerprint();
  // What was renamed or removed must not stay behind, nor the record of an earlier build when this one fails.
  for (const stale of ['.built', 'src', 'examples']) fs.rmSync(at(`dist/${stale}`), { recursive: true, force: true });
  run('building', process.execPath, 'node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json');
  fs.writeFileSync(at(BUILT), sources);
}

/** @throws Error with what the command has written to stderr when it fails; its stdout goes to our stderr */
function run(step, command, ...args) {
  say(step);
  const shell = command === 'npm' && process.platform === 'win32';
  execFileSync(command, args, { cwd: root, shell, stdio: ['ignore', 2, 'pipe'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--rebuild')) fs.rmSync(at(BUILT), { force: true });
  await prepare({ dev: true });
}
