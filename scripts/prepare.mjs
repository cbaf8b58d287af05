#!/usr/bin/env node
/**
 * Brings a checkout into a state it can run from: installs what is missing, builds what is stale. Silent when there is
 * nothing to do. It runs before anything is installed, so it uses node: modules only, and its progress goes to stderr.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
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
/** What tsc knows of its last run, as tsconfig.build.json names it. */
const COMPILED_SO_FAR = 'dist/.tsbuildinfo';
/** The fingerprint of what the console, which Vite builds into dist/console/, was built from. */
const CONSOLE_BUILT = 'dist/.console-built';
/** What is built, beside ormconfig.ts. */
const FOLDERS = ['src', 'examples/acme'].filter((folder) => fs.existsSync(at(folder)));

/**
 * @param {{ dev?: boolean; built?: boolean }} [needs] dev: the development tools too; a build always needs them. Whoever needs
 * nothing built gets no SQLite driver either.
 */
export async function prepare({ dev = false, built = true } = {}) {
  try {
    assertNodeVersion();
    if (isInstalled(dev) && (!built || (isBuilt() && sqliteFault() === null))) return;
    await takeLock();
    if (!isInstalled(dev || (built && !isBuilt()))) install();
    if (built && !isBuilt()) build();
    if (built) provideSqlite();
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
  return !FOLDERS.includes('src') || (isServiceBuilt() && isConsoleBuilt());
}

const isServiceBuilt = () => readText(BUILT) === fingerprint();
const isConsoleBuilt = () => !fs.existsSync(at('console')) || readText(CONSOLE_BUILT) === consoleFingerprint();

/** Contents, not times: a checkout, a copy or an image layer changes times without changing anything. */
const fingerprint = () => fingerprintOf(['tsconfig.json', 'tsconfig.build.json', ...sourceFiles()]);

/** With the packages that are built into it. */
function consoleFingerprint() {
  const sources = filesIn('console').filter((name) => /(?<!\.spec)\.(tsx?|js|css|html|svg)$/.test(name));
  return fingerprintOf(['package-lock.json', ...sources.sort()]);
}

function fingerprintOf(names) {
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n${readText(name)}\n`);
  return hash.digest('hex');
}

const filesIn = (folder) => fs.readdirSync(at(folder), { recursive: true }).map((name) => path.join(folder, name));

function sourceFiles() {
  const sources = FOLDERS.flatMap(filesIn).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  return ['ormconfig.ts', ...sources.sort()];
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

/**
 * Why SQLite does not load, or `null`: because install scripts were off, or Node.js has changed since. Another process
 * tries: a native module that did not load in one process does not load there when it has been built anew either.
 */
function sqliteFault() {
  const tried = spawnSync(process.execPath, ['--input-type=module', '--eval', TRY_SQLITE], {
    cwd: root,
    encoding: 'utf8',
  });
  return tried.status === 0 ? null : tried.stderr.trim() || `the attempt ended with ${tried.signal ?? tried.status}`;
}

const TRY_SQLITE = `
  const { loadSqlite } = await import('./dist/src/database/sqlite/sqlite-driver.js');
  try {
    loadSqlite();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
`;

/** @throws Error where there is nothing to build: newer ones load a module that comes built, as `loadSqlite` says */
function provideSqlite() {
  const fault = sqliteFault();
  if (fault === null) return;
  if (Number(process.versions.napi) >= 10) throw new Error(fault);
  // npm leaves it out where it could not be built, for whichever Node.js that was.
  if (!fs.existsSync(at(`${COMPILED}/package.json`)))
    run('installing better-sqlite3', 'npm', 'install', '--no-save', '--include=dev', '--ignore-scripts');
  run('building better-sqlite3', 'npm', 'rebuild', 'better-sqlite3');
  const left = sqliteFault();
  if (left !== null) throw new Error(left);
}

const COMPILED = 'node_modules/better-sqlite3';

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

/**
 * `npm ci` refuses a lock without other platforms' packages, which not every registry carries; `npm install` takes it, and
 * where packages are installed it adds and replaces only what differs.
 */
function install() {
  const installMissing = ['npm', 'install', '--no-save', '--include=dev'];
  if (fs.existsSync(at('node_modules/.package-lock.json'))) {
    run('installing what has changed', ...installMissing);
    return;
  }
  try {
    run('installing dependencies', 'npm', 'ci', '--include=dev');
  } catch {
    run('npm ci has failed, installing with npm install', ...installMissing);
  }
}

function build() {
  if (!isServiceBuilt()) buildService();
  if (!isConsoleBuilt()) buildConsole();
}

/** Only what has changed since the last build, and what depends on it, is compiled. */
function buildService() {
  const sources = fingerprint();
  // The record of an earlier build must not stay when this one fails.
  fs.rmSync(at(BUILT), { force: true });
  removeOutputsWithoutSource();
  if (!isComplete()) fs.rmSync(at(COMPILED_SO_FAR), { force: true });
  run('building', process.execPath, 'node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json');
  fs.writeFileSync(at(BUILT), sources);
}

function buildConsole() {
  const sources = consoleFingerprint();
  const vite = [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'console/vite.config.js',
    '--configLoader',
    'native',
  ];
  run('building the console', process.execPath, ...vite);
  fs.writeFileSync(at(CONSOLE_BUILT), sources);
}

/** What was renamed or removed must not stay behind. */
function removeOutputsWithoutSource() {
  for (const folder of FOLDERS.map((name) => `dist/${name}`).filter((name) => fs.existsSync(at(name))))
    for (const name of fs.readdirSync(at(folder), { recursive: true })) {
      const output = /^(.*?)(?:\.js|\.d\.ts|\.js\.map)$/.exec(path.join(folder, name));
      if (output !== null && !fs.existsSync(at(`${path.relative('dist', output[1])}.ts`)))
        fs.rmSync(at(path.join(folder, name)));
    }
}

/** tsc takes its own word for what it has written, even where somebody has removed that since. */
function isComplete() {
  const compiled = sourceFiles().filter((name) => !name.endsWith('.d.ts'));
  return compiled.every((name) => fs.existsSync(at(path.join('dist', name.replace(/\.ts$/, '.js')))));
}

/** @throws Error with what the command has written to stderr when it fails; its stdout goes to our stderr */
function run(step, command, ...args) {
  say(step);
  const shell = command === 'npm' && process.platform === 'win32';
  execFileSync(command, args, { cwd: root, shell, stdio: ['ignore', 2, 'pipe'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--rebuild'))
    for (const known of [BUILT, COMPILED_SO_FAR, CONSOLE_BUILT]) fs.rmSync(at(known), { force: true });
  await prepare({ dev: true });
}
