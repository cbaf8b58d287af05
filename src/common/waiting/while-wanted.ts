import { ServiceError } from '../service-error.js';

/**
 * The items, as long as somebody waits for what is made of them.
 * @param gone says that nobody does any more
 * @throws ServiceError `unavailable` then
 */
export async function* whileWanted<T>(items: AsyncIterable<T>, gone?: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    if (gone?.aborted) throw new ServiceError('unavailable', 'The client has closed the connection.');
    yield item;
  }
}
