import { ServiceError } from '../service-error.js';
import { nextTurn } from './event-loop-turns.js';
import { FairLimiter } from './fair-limiter.js';

/** For whom something is searched. */
export interface SearchClient {
  readonly tenantId: string;
  /** Says that nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined;
}

/** In milliseconds, with all waiting but that for the reader of the answer. */
const LONGEST_SEARCH = 60_000;

/** Searches take turns by tenant, and of all of them one reads a portion. */
const searches = new FairLimiter({ inAll: 1 });

/**
 * The portions of a search, each of them read in its turn. In one process one portion is read at a time, tenant after tenant,
 * and others have the event loop between two of them: whoever searches most only waits longer.
 * @throws ServiceError `unavailable` once nobody waits for the answer any more, and where it takes too long
 */
export async function* inSearchTurns<T>(
  portions: AsyncIterable<T>,
  { tenantId, gone }: SearchClient,
): AsyncGenerator<T> {
  const iterator = portions[Symbol.asyncIterator]();
  let end = performance.now() + LONGEST_SEARCH;
  try {
    for (;;) {
      const next = await inTurn(tenantId, () => {
        if (gone?.aborted) throw new ServiceError('unavailable', 'The client has closed the connection.');
        if (performance.now() > end) throw tookTooLong();
        return iterator.next();
      });
      if (next.done === true) return;
      const handedOut = performance.now();
      yield next.value;
      // A client that reads slowly is bounded by `read_timeout`.
      end += performance.now() - handedOut;
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
  const release = await searches.slot(tenantId);
  try {
    return await read();
  } finally {
    void nextTurn().then(release);
  }
}
