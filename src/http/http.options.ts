import type { ErrorTable } from './errors/error-table.js';

/** What HTTP needs of the configuration and of the adapters. */
export abstract class HttpOptions {
  /** The longest body that is read, in octets. */
  abstract readonly maxBodySize: number;
  /** The base of `Location` and links, without a trailing slash; `null` for the request's own scheme and host. */
  abstract readonly baseUri: string | null;
  /** Status and type for each error code of the core. */
  abstract readonly errors: ErrorTable;
}
