import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from './attack.js';

const ASKED_EVERY = 100;

/** Does something, and has the test fail where `/readyz` has another answer meanwhile than that the service is ready. */
export async function whileReady(target: Target, work: () => Promise<void>): Promise<void> {
  const statuses: Record<string, number> = {};
  const ending = new AbortController();
  const asking = (async (): Promise<void> => {
    while (!ending.signal.aborted && !target.signal.aborted) {
      const { status } = await target.clients.plain('get', '/readyz');
      statuses[status] = (statuses[status] ?? 0) + 1;
      await delay(ASKED_EVERY);
    }
  })();
  try {
    await work();
  } finally {
    ending.abort();
    await asking;
  }
  target.note({ readiness: statuses });
  target.must(Object.keys(statuses).join() === '200', `/readyz answered ${JSON.stringify(statuses)}`);
}
