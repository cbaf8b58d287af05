#!/usr/bin/env node
/** `npm run test:listeners -- [--events 10000]`: kill -9 while a listener is given so many entries; `npm run test:all` has its short form. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({ options: { events: { type: 'string', default: '10000' } } });
const env = { ...process.env, ZONEWRIGHT_LISTENER_EVENTS: values.events };
const test = [path.join(root, 'scripts/test.mjs'), '--run=chosen', 'test/change-listeners/killed'];
process.exitCode = spawnSync(process.execPath, test, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
