import { ServiceError } from '../service-error.js';
import { nextTurn } from './event-loop-turns.js';
import { FairLimiter } from './fair-limiter.js';

/** Client of a search. */
export interface SearchClient {
  readonly tenantId: string;
  /** Aborted when the client closes the connection. */
  readonly gone?: AbortSignal | undefined;
}

/** Milliseconds, without the time that the client takes to read. */
const LONGEST_SEARCH = 60_000;

const searches = new FairLimiter({ inAll: 1 });

/**
 * One portion at a time, tenant after tenant, so a busy tenant delays only itself.
 * @throws ServiceError `unavailable` after a disconnect and after the time limit
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
      // `read_timeout` bounds a client that reads slowly.
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

/** @throws ServiceError `unavailable` after a disconnect */
export async function* whileWanted<T>(items: AsyncIterable<T>, gone?: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    if (gone?.aborted) throw new ServiceError('unavailable', 'The client has closed the connection.');
    yield item;
  }
}
