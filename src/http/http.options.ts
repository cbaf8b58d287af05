import type { ApiInterface } from './api-interface.js';
import { httpBase, listenAddress, network, origin } from '../config/address-readers.js';
import { inSection, option } from '../config/option.js';
import { boolean, integer, list, MAX_INT32, orEmpty, size } from '../config/readers.js';

export const LISTENING_OPTIONS = inSection('service:api', {
  listen: option(
    listenAddress,
    '127.0.0.1:9001',
    'address and port of the API; port 0 means any free port, which is logged',
  ),
  baseUri: option(
    orEmpty(null, httpBase),
    '',
    'base of Location and links; empty: the scheme and host of the request',
    { name: 'api_base_uri' },
  ),
  trustedProxies: option(
    orEmpty([], list(network)),
    '',
    'proxies whose X-Forwarded-* and Forwarded headers are believed; empty: none',
  ),
});

/** For one process. */
export const REQUEST_OPTIONS = {
  ...inSection('service:api', {
    maxBodySize: option(size, '1 MiB', 'largest request body; a larger one is answered 413'),
  }),
  bounds: inSection('service:api', {
    connections: option(
      integer(1, 100_000),
      '800',
      'connections to one process; beyond them the address that has most loses one',
      { name: 'max_connections' },
    ),
    requests: option(
      integer(1, 100_000),
      '256',
      'requests of all clients under way in one process; others wait, each address for its turn',
      { name: 'max_requests' },
    ),
    requestsPerAddress: option(
      integer(1, 100_000),
      '64',
      'requests of one address under way in one process; one that waits for 10 seconds is answered 503',
      { name: 'max_requests_per_address' },
    ),
    pipelined: option(
      integer(1, 100_000),
      '64',
      'requests that wait on one connection for the answer before them; one more closes the connection',
      { name: 'max_pipelined_requests' },
    ),
    readTimeout: option(
      integer(1, 3600),
      '30',
      'seconds in which a client takes 4 KiB a second of an answer that waits for it, or is cut off',
    ),
  }),
};

export const HEADER_OPTIONS = inSection('service:api', {
  deprecationHeader: option(boolean, 'True', 'send the Deprecation header (RFC 9745) with the answers of v1', {
    name: 'v1_deprecation_header',
  }),
  corsOrigins: option(
    orEmpty([], list(origin)),
    '',
    'origins of web pages that may call the API from a browser; empty: CORS is off',
    { name: 'cors_allowed_origins' },
  ),
});

/** For all workers of a machine. */
export const RATE_LIMIT_OPTIONS = inSection('rate_limits', {
  perAddress: option(
    integer(0, MAX_INT32),
    '0',
    'requests that an address may send in a minute; one more is answered 429; 0: no limit',
    { name: 'requests_per_address' },
  ),
  perToken: option(
    integer(0, MAX_INT32),
    '0',
    'requests that may be sent with one token in a minute; one more is answered 429; 0: no limit',
    { name: 'requests_per_token' },
  ),
  failedCredentials: option(
    integer(0, MAX_INT32),
    '0',
    'invalid credentials that an address may send in a minute; then all its credentials are answered 429; 0: no limit',
    { name: 'failed_credentials_per_address' },
  ),
  exempt: option(
    orEmpty([], list(network)),
    '127.0.0.0/8, ::1',
    'addresses and networks that are exempt from these limits',
  ),
});

/** Requests per minute; `null`: unlimited. */
export interface RateLimits {
  readonly perAddress: number | null;
  readonly perToken: number | null;
  /** Invalid credentials of one address. */
  readonly failedCredentials: number | null;
  readonly exempt: readonly string[];
}

export abstract class HttpOptions {
  abstract readonly maxBodySize: number;
  /** Base of `Location` and links without a trailing slash; `null`: scheme and host of the request. */
  abstract readonly baseUri: string | null;
  abstract readonly interfaceOf: (path: string) => ApiInterface;
  abstract readonly challenges: readonly string[];
  /** Whether proxy headers may name the client. */
  abstract readonly trustsProxies: boolean;
  abstract readonly rateLimits: RateLimits;
}
