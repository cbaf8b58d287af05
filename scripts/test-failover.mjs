#!/usr/bin/env node
/** `npm run test:failover -- [--rounds 20] [--seed N]`: primaries of PostgreSQL are killed; `npm run test:all` has a short form. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string' } } });
const env = { ...process.env, ZONEWRIGHT_FAILOVER_ROUNDS: values.rounds };
if (values.seed !== undefined) env.ZONEWRIGHT_FAILOVER_SEED = values.seed;
const test = [path.join(root, 'scripts/test.mjs'), 'test/failover', '--selectProjects', 'sqlite'];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
