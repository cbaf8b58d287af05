import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Processes that end with the test that started them. The file's environment kills what is left of them when its tests are
 * over (environment.js), and the system those of a worker that was killed itself.
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

/** Kills those that a test file has started and left. */
export async function endChildren(global) {
  const left = [...childrenOf(global)].filter(({ pid }) => pid !== undefined);
  const ends = left.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(ends);
}

function childrenOf(global) {
  return (global[CHILDREN] ??= new Set());
}
