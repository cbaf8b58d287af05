import { spawn } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { ROOT } from './processes.mjs';

const COMMAND_LINE = path.join(ROOT, 'dist/src/cli/main.js');

/** Runs `zonewright …` and returns its resource use; bench/peak.mjs reports the process figures on descriptor 3. */
export function runCommandLine(args, { cwd, env }) {
  const peak = path.join(import.meta.dirname, 'peak.mjs');
  const started = performance.now();
  const stdio = ['ignore', 'ignore', 'inherit', 'pipe'];
  const child = spawn(process.execPath, ['--import', peak, COMMAND_LINE, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio,
  });
  let report = '';
  child.stdio[3].on('data', (text) => (report += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) return reject(new Error(`${args.join(' ')} ended with ${code}`));
      resolve({ seconds: (performance.now() - started) / 1000, ...JSON.parse(report) });
    });
  });
}
