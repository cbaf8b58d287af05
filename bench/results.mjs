import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { round } from './statistics.mjs';

const DIRECTORY = path.join(import.meta.dirname, 'results');

/** Machine facts for readers, without names and paths; call it before the load begins. */
export function machineFacts() {
  return {
    node: process.version,
    cpu: os.cpus()[0].model,
    cores: os.availableParallelism(),
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    filesystem: filesystemOf(os.tmpdir()),
    loadBefore: round(os.loadavg()[0]),
  };
}

/** Writes results/<name>.json. */
export async function saveResults(name, machine, measured) {
  await saveText(
    `${name}.json`,
    `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, ...measured }, null, 2)}\n`,
  );
}

/** Saved results of that name; `null`: none. */
export async function readResults(name) {
  const text = await readFile(path.join(DIRECTORY, `${name}.json`), 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}

export async function saveText(name, text) {
  await mkdir(DIRECTORY, { recursive: true });
  await writeFile(path.join(DIRECTORY, name), text);
}

/** A commit to a file system in memory costs nothing, so the reader has to know. */
function filesystemOf(directory) {
  try {
    return execFileSync('stat', ['--file-system', '--format=%T', directory], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
