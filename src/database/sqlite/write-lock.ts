import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from '../database-failure.js';

/** Importing a million records holds the lock for about half as long. */
export const LOCK_TIMEOUT_MS = 20_000;
const RETRY_MS = 10;

/** Does not block the event loop. */
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
