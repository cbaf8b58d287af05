import type { ApiInterface } from './api-interface.js';

/** How often requests may come. `null`: as often as they like. */
export interface RateLimits {
  /** Of one address in a minute, to this process. */
  readonly perAddress: number | null;
  /** With one credential. */
  readonly perToken: number | null;
  /** With credentials that are not valid, of one address. */
  readonly failedCredentials: number | null;
  /** Addresses and networks that nothing of this holds for. */
  readonly exempt: readonly string[];
}

/** What HTTP needs of the configuration and of the adapters. */
export abstract class HttpOptions {
  /** The longest body that is read, in octets. */
  abstract readonly maxBodySize: number;
  /** The base of `Location` and links, without a trailing slash; `null` for the request's own scheme and host. */
  abstract readonly baseUri: string | null;
  /** The interface that a path belongs to. */
  abstract readonly interfaceOf: (path: string) => ApiInterface;
  /** The `WWW-Authenticate` fields of a 401: where and how a caller gets a credential. */
  abstract readonly challenges: readonly string[];
  /** Whether a client may be another than who has made the connection. */
  abstract readonly trustsProxies: boolean;
  abstract readonly rateLimits: RateLimits;
}
