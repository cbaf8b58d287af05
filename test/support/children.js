import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Processes that end with their test. The environment of a file kills the rest after its tests (environment.js), and
 * the system kills those of a killed worker.
 */
const CHILDREN = Symbol.for('zonewright.children');

/** Debian has it in util-linux. Elsewhere a process outlives a worker that was killed. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));

/** `spawn` of `node:child_process`. The process id is that of the command: setpriv becomes it. */
export function spawnTied(command, args, options) {
  const child =
    SETPRIV === undefined
      ? spawn(command, args, options)
      : spawn(SETPRIV, ['--pdeathsig', 'KILL', command, ...args], options);
  const children = childrenOf(globalThis);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Kills the remaining processes of a test file. */
export async function endChildren(global) {
  const left = [...childrenOf(global)].filter(({ pid }) => pid !== undefined);
  const ends = left.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(ends);
}

function childrenOf(global) {
  return (global[CHILDREN] ??= new Set());
}
