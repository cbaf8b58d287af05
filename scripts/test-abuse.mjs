#!/usr/bin/env node
/**
 * `npm run test:abuse -- [readers imports …] [--database sqlite|postgres] [--figures FILE]`: runs attacks sequentially
 * at harmful sizes; `npm run test:all` has their short form. FILE gets a line of JSON for each.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' }, figures: { type: 'string' } },
});
const env = { ...process.env, ZONEWRIGHT_ABUSE: 'long' };
if (values.figures !== undefined) env.ZONEWRIGHT_ABUSE_FIGURES = path.resolve(values.figures);
const projects = values.database === undefined ? [] : ['--selectProjects', values.database];
const specs = positionals.length === 0 ? ['test/abuse'] : positionals.map((name) => `test/abuse/${name}`);
// Two at a time would disturb each other.
const test = [path.join(root, 'scripts/test.mjs'), '--run=chosen', ...projects, '--runInBand', ...specs];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
