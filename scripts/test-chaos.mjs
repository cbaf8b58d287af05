#!/usr/bin/env node
/** `npm run test:chaos -- [--minutes 60] [--seed N]`: everything goes wrong at once. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } } });
const env = { ...process.env, ZONEWRIGHT_CHAOS_MINUTES: values.minutes };
if (values.seed !== undefined) env.ZONEWRIGHT_CHAOS_SEED = values.seed;
const test = [path.join(root, 'scripts/test.mjs'), 'test/chaos', '--selectProjects', 'sqlite'];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
