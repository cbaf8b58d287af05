#!/usr/bin/env node
/**
 * `npm run test:tempest -- [--tests REGEX] [--write]`: all of tempest's tests of the DNS service, which takes minutes;
 * `npm run test:all` has some of them. coverage/tempest.md then says by class what is passed, beside the original's results, and
 * coverage/tempest.md.log is what tempest has printed. `--write` makes docs/tempest.md of it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({
  options: {
    tests: { type: 'string', default: 'designate_tempest_plugin\\.tests' },
    write: { type: 'boolean', default: false },
  },
});
const summary = path.join(root, 'coverage/tempest.md');
const env = { ...process.env, ZONEWRIGHT_TEMPEST: values.tests, ZONEWRIGHT_TEMPEST_SUMMARY: summary };
const run = (...command) => spawnSync(process.execPath, command, { cwd: root, env, stdio: 'inherit' }).status ?? 1;

process.exitCode = run(path.join(root, 'scripts/test.mjs'), 'test/openstack/tempest', '--selectProjects', 'sqlite');
if (values.write && process.exitCode === 0) {
  const page = path.join(root, 'docs/tempest.md');
  copyFileSync(summary, page);
  process.exitCode = run(path.join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', page);
}
