import type { ErrorTable } from './errors/error-table.js';

/** What HTTP needs of the configuration and of the interfaces. */
export abstract class HttpOptions {
  /** Longest body in octets. */
  abstract readonly maxBodySize: number;
  /** Base of `Location` and links without a trailing slash; `null`: the request's own scheme and host. */
  abstract readonly baseUri: string | null;
  /** The statuses and words of refusals. */
  abstract readonly errors: ErrorTable;
}
