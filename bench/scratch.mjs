import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { killAll, stopAll } from './processes.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs `work` in a temporary directory and always removes it with every process started there. */
export async function inScratch(work) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'zonewright-bench-'));
  const onSignal = (signal) => process.exit(128 + os.constants.signals[signal]);
  const onExit = () => {
    killAll();
    rmSync(directory, { recursive: true, force: true });
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('exit', onExit);
  try {
    return await work(directory);
  } finally {
    await stopAll();
    await rm(directory, { recursive: true, force: true });
    process.off('exit', onExit);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
