#!/usr/bin/env node
/**
 * Prepares a checkout to run: installs missing packages, builds stale output. Silent if up to date. It runs before any
 * installation, so it uses node: modules only, and reports progress on stderr.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installer } from './install.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const at = (name) => path.join(root, name);
const say = (line) => process.stderr.write(`zonewright: ${line}\n`);
const readText = (name) => (fs.existsSync(at(name)) ? fs.readFileSync(at(name), 'utf8') : null);

const LOCK = 'dist/.prepare.lock';
/** Holds the fingerprint of the sources that dist/ was built from. */
const BUILT = 'dist/.built';
/** The tsc build state, as tsconfig.build.json names it. */
const COMPILED_SO_FAR = 'dist/.tsbuildinfo';
/** The source fingerprint of the console, which Vite builds into dist/console/. */
const CONSOLE_BUILT = 'dist/.console-built';
/** Compiled folders, in addition to ormconfig.ts. */
const FOLDERS = ['src', 'examples/acme'].filter((folder) => fs.existsSync(at(folder)));

/**
 * @param {{ dev?: boolean; built?: boolean }} [needs] dev: also the development tools; a build needs some of them.
 * built: false also skips the SQLite driver.
 */
export async function prepare({ dev = false, built = true } = {}) {
  try {
    assertNodeVersion();
    if (isInstalled(dev ? 'all' : 'production') && (!built || (isBuilt() && sqliteFault() === null))) return;
    await takeLock();
    const extent = dev ? 'all' : built && !isBuilt() ? 'start' : 'production';
    const hasCompiled = isInstalled(extent) || install(dev ? 'all' : 'start');
    const compiled = built && !hasCompiled ? compileSqlite() : null;
    if (built && !isBuilt()) build();
    const failure = await compiled;
    if (built) provideSqlite(failure);
    fs.rmSync(at(LOCK));
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

const { isInstalled, install } = installer(root, (step, directory, ...parameters) => {
  say(step);
  execute(directory, 'npm', parameters);
});

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
  const sources = FOLDERS.flatMap(filesIn).filter((name) => /(?<!\.spec)\.ts$|\.template$/.test(name));
  return ['ormconfig.ts', ...sources.sort()];
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

/** Node.js 20 needs better-sqlite3 compiled; newer ones load a module that comes built, as `loadSqlite` says. */
const COMPILES = Number(process.versions.napi) < 10;
const DRIVER = 'node_modules/better-sqlite3';

/**
 * Runs during the build. GCC takes 34 s for SQLite with the package's -O3, and 26 s with -O2, which runs as fast and is
 * the choice of SQLite's authors. Returns the output of a failed compilation, or `null`.
 */
async function compileSqlite() {
  if (!COMPILES) return null;
  say('compiling better-sqlite3');
  const shell = process.platform === 'win32';
  const npm = spawn('npm', ['rebuild', 'better-sqlite3'], {
    cwd: root,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { CFLAGS: '-O2', CXXFLAGS: '-O2', ...process.env, JOBS: 'max' },
  });
  const output = [];
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (octets) => output.push(octets));
  const [code] = await once(npm, 'close');
  return code === 0 ? null : Buffer.concat(output).toString();
}

const COMPILATION_NEEDS =
  'better-sqlite3 could not be compiled. Use Node.js 22 or newer, which needs no compilation, or provide a C++ toolchain,' +
  ' Python 3 and the headers of Node.js: without access to nodejs.org, set npm_config_nodedir to the prefix of Node.js,' +
  ' such as /usr with /usr/include/node.';

/**
 * @param {string | null} [failure] output of a compilation that has failed
 * @throws Error if SQLite does not load, and cannot be compiled
 */
function provideSqlite(failure = null) {
  const fault = sqliteFault();
  if (fault === null) return;
  if (!COMPILES) throw new Error(fault);
  if (failure !== null) throw new Error(`${failure}\n${COMPILATION_NEEDS}`);
  // npm omits an optional package that could not be built.
  if (!fs.existsSync(at(`${DRIVER}/package.json`)))
    run('installing better-sqlite3', 'npm', 'install', '--no-save', '--include=dev', '--ignore-scripts');
  try {
    run('building better-sqlite3', 'npm', 'rebuild', 'better-sqlite3');
  } catch (error) {
    throw new Error(`${error.message}\n${COMPILATION_NEEDS}`, { cause: error });
  }
  const left = sqliteFault();
  if (left !== null) throw new Error(left);
}

/** One process at a time. A lock of an exited process, by Ctrl-C for example, is free. */
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

function build() {
  if (!isServiceBuilt()) buildService();
  if (!isConsoleBuilt()) buildConsole();
}

/** Copies templates, and compiles only changed files and their dependents. */
function buildService() {
  const sources = fingerprint();
  // The record of an earlier build must not stay when this one fails.
  fs.rmSync(at(BUILT), { force: true });
  removeOutputsWithoutSource();
  for (const name of sourceFiles().filter((source) => source.endsWith('.template')))
    fs.cpSync(at(name), at(path.join('dist', name)));
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

/** Deletes outputs of renamed and deleted sources. */
function removeOutputsWithoutSource() {
  for (const folder of FOLDERS.map((name) => `dist/${name}`).filter((name) => fs.existsSync(at(name))))
    for (const name of fs.readdirSync(at(folder), { recursive: true })) {
      const output = path.join(folder, name);
      const source = path.relative('dist', output).replace(/(?:\.js|\.d\.ts|\.js\.map)$/, '.ts');
      if (/\.(?:ts|template)$/.test(source) && !fs.existsSync(at(source))) fs.rmSync(at(output));
    }
}

/** tsc trusts its build state, even if outputs were deleted since. */
function isComplete() {
  const compiled = sourceFiles().filter((name) => !name.endsWith('.d.ts'));
  return compiled.every((name) => fs.existsSync(at(path.join('dist', name.replace(/\.ts$/, '.js')))));
}

function run(step, command, ...parameters) {
  say(step);
  execute(root, command, parameters);
}

/** @throws Error with the stderr of a failed command; its stdout goes to this stderr */
function execute(cwd, command, parameters) {
  const shell = command === 'npm' && process.platform === 'win32';
  execFileSync(command, parameters, { cwd, shell, stdio: ['ignore', 2, 'pipe'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--rebuild'))
    for (const known of [BUILT, COMPILED_SO_FAR, CONSOLE_BUILT]) fs.rmSync(at(known), { force: true });
  await prepare({ dev: true, built: !process.argv.includes('--install') });
}
