#!/usr/bin/env node
/** `npm run test:crash -- [--rounds 200] [--seed N]`: the crash suite at length; `npm run test:all` has its short form. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' } } });
const env = { ...process.env, ZONEWRIGHT_CRASH_ROUNDS: values.rounds };
if (values.seed !== undefined) env.ZONEWRIGHT_CRASH_SEED = values.seed;
const test = [path.join(root, 'scripts/test.mjs'), '--run=chosen', 'test/crash'];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
