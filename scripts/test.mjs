#!/usr/bin/env node
/**
 * `npm test`, `npm run test:all`, `test:rest`, `test:long` and `test:watch`: jest with one of the runs of
 * jest.config.js. Further arguments go to jest. Named files run even if `npm test` skips them.
 *
 * Native ES modules are behind a flag on Node 20; jest passes the flags to its workers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepare, root } from './prepare.mjs';

const given = process.argv.slice(2);
const run = given.find((argument) => argument.startsWith('--run='))?.slice('--run='.length);
const parameters = given.filter((argument) => !argument.startsWith('--run='));

// Tests of pure code are watched, which need nothing that is built.
await prepare({ dev: true, built: run !== 'watch' });
// Installed only now.
const { buildArgv } = await import('jest');

const env = {
  ...process.env,
  ZONEWRIGHT_TESTS: run ?? runOf(await buildArgv(parameters)),
  ...(run === 'long' ? { ZONEWRIGHT_TESTS_LONG: 'true' } : {}),
};
// In CI, a few files with a failure run again, one after the other, once all the rest is over: twice at most.
const scratch = mkdtempSync(path.join(os.tmpdir(), 'zonewright-tests-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const outcomes = process.env.CI ? [1, 2].map((run) => path.join(scratch, `run-${run}.json`)) : [];

let status = await jest([], { ZONEWRIGHT_OUTCOME: outcomes[0] });
for (const [at, before] of outcomes.entries())
  if (existsSync(before))
    status = await jest(['--onlyFailures', '--maxWorkers=1'], {
      ZONEWRIGHT_FORMER_OUTCOME: before,
      ZONEWRIGHT_OUTCOME: outcomes[at + 1],
    });
process.exitCode = status;

/** @returns its exit status */
async function jest(more, variables) {
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      // Each test file loads the service anew and throws it away soon: a tenth less of processor time. Slow ones measure memory.
      ...(env.ZONEWRIGHT_TESTS === 'short' ? ['--max-semi-space-size=64'] : []),
      '--disable-warning=ExperimentalWarning',
      path.join(root, 'node_modules/jest/bin/jest.js'),
      ...(run === 'watch' ? ['--watch', '--filter', path.join(root, 'scripts/watched-specs.cjs')] : []),
      ...parameters,
      ...more,
    ],
    { cwd: root, stdio: 'inherit', env: { ...env, ...variables } },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + os.constants.signals[signal];
}

/** Naming files runs all their tests; naming a database also runs them there. */
function runOf({ _: files, testPathPatterns = [], selectProjects = [] }) {
  if (files.length + testPathPatterns.length === 0) return 'short';
  return selectProjects.length === 0 ? 'named' : 'chosen';
}
