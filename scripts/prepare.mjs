#!/usr/bin/env node
/**
 * Brings a checkout into a state it can run from: installs what is missing, builds what is stale. Silent when there is
 * nothing to do. It runs before anything is installed, so it uses node: modules only, and its progress goes to stderr.
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
/** What tsc knows of its last run, as tsconfig.build.json names it. */
const COMPILED_SO_FAR = 'dist/.tsbuildinfo';
/** The fingerprint of what the console, which Vite builds into dist/console/, was built from. */
const CONSOLE_BUILT = 'dist/.console-built';
/** What is built, beside ormconfig.ts. */
const FOLDERS = ['src', 'examples/acme'].filter((folder) => fs.existsSync(at(folder)));

/**
 * @param {{ dev?: boolean; built?: boolean }} [needs] dev: the development tools too; a build needs some of them. Whoever needs
 * nothing built gets no SQLite driver either.
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
    await compiled;
    if (built) provideSqlite();
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
  const sources = FOLDERS.flatMap(filesIn).filter((name) => /(?<!\.spec)\.ts$/.test(name));
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
 * Runs beside the build. GCC takes 34 s for SQLite with the package's -O3, and 26 s with -O2, which is as fast afterwards and
 * what SQLite's authors use.
 */
async function compileSqlite() {
  if (!COMPILES) return;
  say('compiling better-sqlite3');
  const shell = process.platform === 'win32';
  const npm = spawn('npm', ['rebuild', 'better-sqlite3'], {
    cwd: root,
    shell,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { CFLAGS: '-O2', CXXFLAGS: '-O2', ...process.env, JOBS: 'max' },
  });
  // `provideSqlite` tries once more and tells why it fails.
  await once(npm, 'exit').catch(() => undefined);
}

/** @throws Error if SQLite does not load, and cannot be compiled */
function provideSqlite() {
  const fault = sqliteFault();
  if (fault === null) return;
  if (!COMPILES) throw new Error(fault);
  // npm leaves it out where it could not be built, for whichever Node.js that was.
  if (!fs.existsSync(at(`${DRIVER}/package.json`)))
    run('installing better-sqlite3', 'npm', 'install', '--no-save', '--include=dev', '--ignore-scripts');
  run('building better-sqlite3', 'npm', 'rebuild', 'better-sqlite3');
  const left = sqliteFault();
  if (left !== null) throw new Error(left);
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

function run(step, command, ...parameters) {
  say(step);
  execute(root, command, parameters);
}

/** @throws Error with what the command has written to stderr when it fails; its stdout goes to our stderr */
function execute(cwd, command, parameters) {
  const shell = command === 'npm' && process.platform === 'win32';
  execFileSync(command, parameters, { cwd, shell, stdio: ['ignore', 2, 'pipe'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--rebuild'))
    for (const known of [BUILT, COMPILED_SO_FAR, CONSOLE_BUILT]) fs.rmSync(at(known), { force: true });
  await prepare({ dev: true, built: !process.argv.includes('--install') });
}
