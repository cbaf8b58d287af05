import type { BodyRefusals } from './bodies/body-refusals.js';
import type { RefusalStyle } from './errors/error-table.js';
import type { ApiRequest } from './request.js';
import type { Wishes } from './wishes.js';

/** What differs between the interfaces of the service for all of their operations. */
export interface ApiInterface {
  readonly refusals: RefusalStyle;
  readonly bodyRefusals: BodyRefusals;
  /**
   * Reads the headers, and parameters of the query, that every operation has.
   * @throws ServiceError `forbidden` where two of them contradict each other
   */
  wishesOf(request: ApiRequest): Wishes;
}
