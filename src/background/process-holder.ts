import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

const OF_THIS_PROCESS = new Set<string>();

/** A name for something in this process that tells it from all others, and where to look whether it lives: 255 characters at most. */
export function newHolder(): string {
  const holder = `${hostname().slice(0, 200)}/${process.pid}/${randomUUID()}`;
  OF_THIS_PROCESS.add(holder);
  return holder;
}

/** It has given up what it held. */
export function forgetHolder(holder: string): void {
  OF_THIS_PROCESS.delete(holder);
}

/** Whether the holder was a process of this machine that has ended. A container's processes have the same id each time. */
export function isGone(holder: string): boolean {
  const [host, pid] = holder.split('/');
  if (host !== hostname().slice(0, 200)) return false;
  if (Number(pid) === process.pid) return !OF_THIS_PROCESS.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
