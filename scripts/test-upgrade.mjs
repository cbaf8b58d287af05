#!/usr/bin/env node
/**
 * `npm run test:upgrade -- [COMMIT] [--requests 2000]`: upgrades under load from an earlier commit to this checkout, and back, on
 * both databases; without one, from the commit before the last expansion since the baseline, or from the last commit. This checkout has some
 * migrations more there, as in the short form of `npm run test:all`, which upgrades from itself.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string', default: '2000' } },
});
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

await prepare({ dev: true });
const commit = positionals[0] ?? beforeLastExpansion();
const scratch = mkdtempSync(path.join(os.tmpdir(), 'zonewright-former-'));
const former = path.join(scratch, 'release');
try {
  git('worktree', 'add', '--detach', former, commit);
  symlinkSync(path.join(root, 'node_modules'), path.join(former, 'node_modules'));
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: former, stdio: 'inherit' });
  process.exitCode = test();
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', former], { cwd: root, stdio: 'inherit' });
  rmSync(scratch, { recursive: true, force: true });
}

/** Releases side by side begin with the baseline: earlier commits have another history of migrations. */
function beforeLastExpansion() {
  const added = (files, range) => git('log', '-1', '--diff-filter=A', '--format=%H', range, '--', files);
  const baseline = added('src/database/migrations/*-baseline.ts', 'HEAD');
  const last = added('src/database/migrations/*-expand-*.ts', `${baseline}..HEAD`);
  return git('rev-parse', last === '' ? 'HEAD' : `${last}^`);
}

function test() {
  console.log(`upgrading from ${git('log', '-1', '--format=%h %s', commit)}`);
  const env = {
    ...process.env,
    ZONEWRIGHT_FORMER_RELEASE: path.join(former, 'dist/src/cli/main.js'),
    ZONEWRIGHT_UPGRADE_REQUESTS: values.requests,
  };
  const parameters = [
    'scripts/test.mjs',
    'test/operations/upgrade',
    '-t',
    'refuse no',
    '--selectProjects',
    'sqlite',
    'postgres',
  ];
  return spawnSync(process.execPath, parameters, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}
