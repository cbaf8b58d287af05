import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from '../database-failure.js';

/**
 * How long whoever changes something waits at most while another process holds the file's write lock, in milliseconds: a
 * command that brings in a zone of a million records holds it for about half as long.
 */
export const LOCK_TIMEOUT_MS = 20_000;
const RETRY_MS = 10;

/** Does what another process's lock stands in the way of, and waits without blocking the event loop until it can be done. */
export async function whenUnlocked(deadline: number, attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}
