#!/usr/bin/env node
/** Runs jest on native ES modules, which Node 20 hides behind a flag; jest hands the flags on to its workers. */
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare({ dev: true });

const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    path.join(root, 'node_modules/jest/bin/jest.js'),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => jest.kill(signal));
jest.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + os.constants.signals[signal];
});
