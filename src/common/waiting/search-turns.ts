import { ServiceError } from '../service-error.js';
import { nextTurn } from './event-loop-turns.js';

/** For whom something is searched. */
export interface Asker {
  readonly tenantId: string;
  /** Says that nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined;
}

/** In milliseconds, with all waiting. */
const LONGEST_SEARCH = 60_000;

/** Those who wait for their turn, by tenant; the tenant whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>();
let isTaken = false;

/**
 * The portions of a search, each of them read in its turn. In one process one portion is read at a time, tenant after tenant,
 * and others have the event loop between two of them: whoever searches most only waits longer.
 * @throws ServiceError `unavailable` once nobody waits for the answer any more, and where it takes too long
 */
export async function* inSearchTurns<T>(portions: AsyncIterable<T>, { tenantId, gone }: Asker): AsyncGenerator<T> {
  const iterator = portions[Symbol.asyncIterator]();
  const end = performance.now() + LONGEST_SEARCH;
  try {
    for (;;) {
      const next = await inTurn(tenantId, () => {
        if (gone?.aborted) throw new ServiceError('unavailable', 'Nobody waits for the answer any more.');
        if (performance.now() > end) throw tookTooLong();
        return iterator.next();
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function tookTooLong(): ServiceError {
  const seconds = LONGEST_SEARCH / 1000;
  return new ServiceError(
    'unavailable',
    `The search was given up after ${seconds} seconds. Ask for fewer entries, such as those of one zone, or for one list at a time.`,
  );
}

async function inTurn<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
  await turnOf(tenantId);
  try {
    return await read();
  } finally {
    void nextTurn().then(handOn);
  }
}

function turnOf(tenantId: string): Promise<void> {
  if (!isTaken) {
    isTaken = true;
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const ofTenant = waiting.get(tenantId);
    if (ofTenant === undefined) waiting.set(tenantId, [resolve]);
    else ofTenant.push(resolve);
  });
}

function handOn(): void {
  const [first] = waiting;
  if (first === undefined) {
    isTaken = false;
    return;
  }
  const [tenantId, [next, ...others]] = first;
  waiting.delete(tenantId);
  if (others.length > 0) waiting.set(tenantId, others);
  next?.();
}
