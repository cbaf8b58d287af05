#!/usr/bin/env node
/**
 * `npm run test:publishing -- [--rounds 20] [--records 20000]`: the suites with name servers at length, kills in many rounds
 * and larger domains; `npm run test:all` has their short form.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, records: { type: 'string', default: '20000' } },
});
const env = {
  ...process.env,
  ZONEWRIGHT_PUBLISHING_ROUNDS: values.rounds,
  ZONEWRIGHT_PUBLISHING_RECORDS: values.records,
};
const test = [path.join(root, 'scripts/test.mjs'), '--run=chosen', 'test/publishing'];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
