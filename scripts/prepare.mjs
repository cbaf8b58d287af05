#!/usr/bin/env node
/**
 * Brings a checkout into a state it can run from: dependencies, the native SQLite binding, the build.
 * Silent when nothing is missing. It runs before anything is installed, so it uses node: modules only, and its
 * progress goes to stderr, so that a command behind it keeps stdout for itself.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import util from 'node:util';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const INSTALL_STAMP = 'node_modules/.zonewright-installed';
const BUILD_STAMP = 'dist/.built';
const LOCK = 'dist/.prepare.lock';
const HEARTBEAT_MS = 2_000;
const STALE_LOCK_MS = 20_000;
const TAIL_LINES = 40;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

class PrepareError extends Error {}

/**
 * @param {{ dev?: boolean, rebuild?: boolean }} [wish] dev: the development tools are needed too (a build always
 *   needs them); rebuild: build even if the sources have not changed.
 */
export async function prepare({ dev = false, rebuild = false } = {}) {
  try {
    assertNodeVersion();
    if (!rebuild && isPrepared(dev)) return;
    await withLock(async () => {
      const build = rebuild || !isBuilt();
      if (!isInstalled(dev || build)) await install(dev || build);
      await ensureSqliteBinding();
      if (build) await compile();
    });
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

function isPrepared(dev) {
  return isBuilt() && isInstalled(dev) && sqliteBindingFault() === null;
}

function assertNodeVersion() {
  const wanted = readJson('package.json').engines.node.replace(/^>=/, '');
  const isOlder = process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0;
  if (isOlder) throw new PrepareError(`needs Node.js ${wanted} or newer, this is ${process.versions.node}`);
}

/* ---- dependencies ---- */

/** npm's own record of what it put into node_modules, held against the lock; absent after an interrupted install. */
function isInstalled(dev) {
  const installed = readJson('node_modules/.package-lock.json');
  if (installed === null) return false;
  const [stamp, scope] = (readText(INSTALL_STAMP) ?? '').split(' ');
  if (stamp === installFingerprint() && (scope === 'dev' || !dev)) return true;
  return hasDirectDependencies(installed.packages, dev) && followsLock(installed.packages, dev);
}

function hasDirectDependencies(installed, dev) {
  const manifest = readJson('package.json');
  const direct = Object.entries({ ...manifest.dependencies, ...(dev ? manifest.devDependencies : {}) });
  return direct.every(([name, range]) => {
    const version = installed[`node_modules/${name}`]?.version;
    return version !== undefined && (version === range || !/^\d/.test(range));
  });
}

function followsLock(installed, dev) {
  const locked = readJson('package-lock.json')?.packages ?? {};
  return Object.entries(locked).every(([place, wanted]) => {
    const found = installed[place];
    if (place === '') return true;
    // Packages for other platforms are in the lock and never installed.
    if (found === undefined) return wanted.optional || ((wanted.dev || wanted.devOptional) && !dev);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/**
 * `npm ci` refuses a lock that lacks other platforms' packages, which npm drops when a registry does not carry them;
 * `npm install` accepts it. `--no-save` keeps that from rewriting the lock.
 */
async function install(dev) {
  const scope = dev ? ['--include=dev'] : [];
  const clean = ['ci', ...scope, '--no-audit', '--no-fund'];
  const incremental = ['install', '--no-save', ...scope, '--no-audit', '--no-fund'];
  const [first, second] = fs.existsSync(at('node_modules/.package-lock.json'))
    ? [incremental, clean]
    : [clean, incremental];
  const attempt = await npm(`installing dependencies (npm ${first[0]})`, first);
  if (attempt.code !== 0) {
    const reason = attempt.output.includes('EUSAGE') ? 'does not accept the lock' : 'failed';
    const retry = await npm(`npm ${first[0]} ${reason}, trying npm ${second[0]}`, second);
    if (retry.code !== 0) throw failure(`npm ${second[0]}`, retry);
  }
  writeText(INSTALL_STAMP, `${installFingerprint()} ${dev ? 'dev' : 'production'}`);
}

function installFingerprint() {
  return fingerprint(['package.json', 'package-lock.json', 'node_modules/.package-lock.json']);
}

/* ---- the native SQLite binding ---- */

/** Absent when install scripts were off or the Node.js version has changed since. Null: it loads. */
function sqliteBindingFault() {
  try {
    const Database = createRequire(at('package.json'))('better-sqlite3');
    new Database(':memory:').close();
    return null;
  } catch (error) {
    return String(error.message).split('\n')[0];
  }
}

async function ensureSqliteBinding() {
  const fault = sqliteBindingFault();
  if (fault === null) return;
  if (await ignoresScripts()) {
    say(
      'better-sqlite3 is not built, because npm is configured with ignore-scripts: SQLite databases cannot be opened.',
    );
    say('To build it: npm rebuild better-sqlite3 --ignore-scripts=false');
    return;
  }
  const rebuilt = await npm(`building better-sqlite3 (${fault})`, ['rebuild', 'better-sqlite3']);
  if (rebuilt.code !== 0) throw failure('npm rebuild better-sqlite3', rebuilt);
  const remaining = sqliteBindingFault();
  if (remaining !== null) throw new PrepareError(`better-sqlite3 was built and still does not load: ${remaining}`);
}

async function ignoresScripts() {
  const answer = await npm(null, ['config', 'get', 'ignore-scripts']);
  return answer.stdout.trim() === 'true';
}

/* ---- the build ---- */

function isBuilt() {
  if (!fs.existsSync(at('src/main.ts'))) return fs.existsSync(at('dist/src/main.js'));
  return fs.existsSync(at('dist/src/main.js')) && readText(BUILD_STAMP) === sourceFingerprint();
}

async function compile() {
  // The compiler trusts its record of an earlier build and would not write a deleted file again.
  if (readText(BUILD_STAMP) === null || !fs.existsSync(at('dist/src/main.js'))) remove('dist/.tsbuildinfo');
  remove(BUILD_STAMP);
  const sources = sourceFingerprint();
  const built = await run('building', process.execPath, [at('node_modules/@nestjs/cli/bin/nest.js'), 'build']);
  if (built.code !== 0) throw failure('the build', built);
  if (!fs.existsSync(at('dist/src/main.js'))) throw new PrepareError('the build wrote no dist/src/main.js');
  writeText(BUILD_STAMP, sources);
}

/** Contents, not times: a checkout, a copy or an image layer changes times without changing anything. */
function sourceFingerprint() {
  const compiled = fs
    .readdirSync(at('src'), { recursive: true })
    .map((name) => path.join('src', name))
    .filter((name) => !name.endsWith('.spec.ts') && fs.statSync(at(name)).isFile())
    .sort();
  return fingerprint(['ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', ...compiled]);
}

/* ---- one at a time ---- */

/** A directory is made by one process only; its holder touches it, so one that nobody touches was left behind. */
async function withLock(work) {
  const token = `${os.hostname()} ${process.pid} ${Date.now()}`;
  await takeLock(token);
  const heartbeat = setInterval(() => touch(LOCK), HEARTBEAT_MS);
  const release = () => {
    clearInterval(heartbeat);
    if (readText(`${LOCK}/owner`) === token) remove(LOCK);
  };
  process.once('exit', release);
  try {
    await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}

async function takeLock(token) {
  for (let waits = 0; !tryLock(token); waits += 1) {
    if (waits === 0) say('waiting for another process that prepares this directory');
    await new Promise((resolve) => setTimeout(resolve, 250));
    breakStaleLock(token);
  }
}

function tryLock(token) {
  try {
    fs.mkdirSync(at('dist'), { recursive: true });
    fs.mkdirSync(at(LOCK));
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new PrepareError(`cannot write to ${at('dist')}: ${error.message}`);
  }
  writeText(`${LOCK}/owner`, token);
  return true;
}

function breakStaleLock(token) {
  try {
    if (Date.now() - fs.statSync(at(LOCK)).mtimeMs < STALE_LOCK_MS) return;
    // Of several waiters one wins the renaming; the others find the lock gone or fresh.
    const aside = `${LOCK}.${createHash('sha256').update(token).digest('hex').slice(0, 12)}`;
    fs.renameSync(at(LOCK), at(aside));
    remove(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/* ---- commands ---- */

function npm(step, args) {
  const script = process.env.npm_execpath ?? '';
  if (path.basename(script) === 'npm-cli.js') return run(step, process.execPath, [script, ...args]);
  return run(step, 'npm', args, { shell: process.platform === 'win32' });
}

/** Keeps the output for a failure's report. A signal is passed on, and after the command has ended it ends us too. */
function run(step, command, args, options = {}) {
  if (step !== null) say(step);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const result = { code: 1, stdout: '', output: '' };
    let signalled = null;
    const pass = (signal) => {
      signalled = signal;
      child.kill(signal);
    };
    SIGNALS.forEach((signal) => process.on(signal, pass));
    child.stdout.on('data', (chunk) => {
      result.stdout += chunk;
      result.output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      result.output += chunk;
    });
    child.once('error', (error) => reject(new PrepareError(`cannot run ${command}: ${error.message}`)));
    child.once('close', (code) => {
      SIGNALS.forEach((signal) => process.removeListener(signal, pass));
      if (signalled !== null) process.exit(128 + os.constants.signals[signalled]);
      resolve({ ...result, code: code ?? 1 });
    });
  });
}

function failure(what, result) {
  const tail = result.output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  return new PrepareError(`${what} failed:\n${process.stderr.isTTY ? tail : util.stripVTControlCharacters(tail)}`);
}

function say(line) {
  process.stderr.write(`zonewright: ${line}\n`);
}

/* ---- files, by their path in the repository ---- */

function at(name) {
  return path.join(root, name);
}

function readText(name) {
  try {
    return fs.readFileSync(at(name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function readJson(name) {
  return JSON.parse(readText(name) ?? 'null');
}

function writeText(name, text) {
  fs.writeFileSync(at(name), text);
}

function remove(name) {
  fs.rmSync(at(name), { recursive: true, force: true });
}

function touch(name) {
  try {
    fs.utimesSync(at(name), new Date(), new Date());
  } catch {
    // Taken away by someone; the work itself goes on.
  }
}

function fingerprint(names) {
  const hash = createHash('sha256');
  for (const name of names) {
    const text = readText(name) ?? '';
    hash.update(`${name.split(path.sep).join('/')} ${Buffer.byteLength(text)}\n${text}`);
  }
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepare({ dev: true, rebuild: process.argv.includes('--rebuild') });
}
