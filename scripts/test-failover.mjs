#!/usr/bin/env node
/**
 * `npm run test:failover -- [--rounds 20] [--seed N] [-t TITLE …]`: primaries of PostgreSQL are killed; `npm run test:all` has a
 * short form. Other arguments are jest's.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const given = process.argv.slice(2);
const options = { rounds: { type: 'string', default: '20' }, seed: { type: 'string' } };
const { values, tokens } = parseArgs({ args: given, options, strict: false, tokens: true });
const own = tokens
  .filter(({ name }) => name in options)
  .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1]));
const others = given.filter((_, at) => !own.includes(at));

const env = { ...process.env, ZONEWRIGHT_FAILOVER_ROUNDS: values.rounds };
if (values.seed !== undefined) env.ZONEWRIGHT_FAILOVER_SEED = values.seed;
const test = [path.join(root, 'scripts/test.mjs'), 'test/failover', ...others, '--selectProjects', 'sqlite'];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
