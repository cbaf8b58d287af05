#!/usr/bin/env node
/**
 * `npm run test:dnssec -- [--changes 200] [--kills 20] [--seed N] [--database sqlite,postgres]`: all about signed zones at
 * length, with random change sets on four name servers and kills in every kind of signing run; `npm run test:all` has its
 * short form.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '200' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string' },
    database: { type: 'string', default: 'sqlite,postgres' },
  },
});
const env = {
  ...process.env,
  ZONEWRIGHT_TESTS_LONG: 'true',
  ZONEWRIGHT_DNSSEC_CHANGE_SETS: values.changes,
  ZONEWRIGHT_DNSSEC_KILLS: values.kills,
  ...(values.seed !== undefined && { ZONEWRIGHT_DNSSEC_SEED: values.seed }),
};
const folders = ['test/dnssec', 'test/interop/signed-zones', 'src/dns/dnssec', 'src/dnssec'];
const run = [path.join(root, 'scripts/test.mjs'), '--run=chosen', ...folders];
const test = [...run, '--selectProjects', ...values.database.split(',')];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
