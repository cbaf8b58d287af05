import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectories } from './directory.js';
import { until } from './until.js';

const ROOT = resolve(import.meta.dirname, '../..');
const newDirectory = temporaryDirectories();

/** A test that starts a process, says which, and fails, or never ends. */
const SPEC = `
  import { writeFileSync } from 'node:fs';
  import { it } from '@jest/globals';
  import { spawnTied } from '${ROOT}/test/support/children.js';
  it('starts something', async () => {
    const child = spawnTied('sleep', ['600'], { stdio: 'ignore' });
    writeFileSync('pid', String(child.pid));
    if (process.env.STAYS) await new Promise((done) => setTimeout(done, 600_000));
    throw new Error('fails');
  }, 600_000);
`;
const CONFIGURATION = `
  export default {
    testEnvironment: '${ROOT}/test/support/environment.js',
    testMatch: ['**/own.test.mjs'],
    moduleFileExtensions: ['js', 'mjs', 'json', 'node'],
    transform: {},
  };
`;

async function runJest(env: Record<string, string> = {}) {
  const directory = await newDirectory();
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(join(directory, 'own.test.mjs'), SPEC);
  await writeFile(join(directory, 'jest.config.js'), CONFIGURATION);
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const parameters = ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand'];
  const options = { cwd: directory, env: { PATH: process.env.PATH, ...env } };
  const run = { pid: 0, said: '' };
  const ended = new Promise<void>((resolve) => {
    const child = execFile(process.execPath, parameters, options, (_, stdout, stderr) => {
      run.said = stdout + stderr;
      resolve();
    });
    run.pid = child.pid ?? 0;
  });
  const started = async (): Promise<number> => Number(await readFile(join(directory, 'pid'), 'utf8').catch(() => '0'));
  return { run, ended, started };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a process that a test has started', () => {
  it('ends with its test file when the test fails', async () => {
    const { run, ended, started } = await runJest();
    await ended;
    expect(run.said).toMatch(/Tests: +1 failed/);
    expect(await started()).toBeGreaterThan(0);
    expect(isThere(await started())).toBe(false);
  });

  it('ends when the worker of the test is killed', async () => {
    const { run, ended, started } = await runJest({ STAYS: 'yes' });
    await until(async () => (await started()) > 0);
    const pid = await started();
    expect(isThere(pid)).toBe(true);
    process.kill(run.pid, 'SIGKILL');
    await ended;
    await until(() => !isThere(pid));
  });
});
