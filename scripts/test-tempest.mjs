#!/usr/bin/env node
/**
 * `npm run test:tempest -- [--tests REGEX] [--write]`: runs all tempest tests of the DNS service, which takes minutes;
 * `npm run test:all` runs some. Writes results by class next to the original's to coverage/tempest.md, and the tempest
 * output to coverage/tempest.md.log. `--write` updates docs/tempest.md.
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
