import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something is so; after `patience` milliseconds the test fails. */
export async function until(isSo: () => boolean | Promise<boolean>, patience = 60_000): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`still not so after ${patience} ms: ${isSo.toString()}`);
    await delay(5);
  }
}
