import type { ApiInterface } from './api-interface.js';
import { httpBase, listenAddress, network, origin } from '../config/address-readers.js';
import { inSection } from '../config/option.js';
import { boolean, integer, list, MAX_INT32, orEmpty, size } from '../config/readers.js';

export const LISTENING_OPTIONS = inSection('service:api', {
  listen: {
    name: 'listen',
    default: '127.0.0.1:9001',
    reader: listenAddress,
    meaning: 'address and port of the API; port 0 means any free port, which is logged',
  },
  baseUri: {
    name: 'api_base_uri',
    default: '',
    reader: orEmpty(null, httpBase),
    meaning: 'base of Location and links; empty: the scheme and host of the request',
  },
  trustedProxies: {
    name: 'trusted_proxies',
    default: '',
    reader: orEmpty([], list(network)),
    meaning: 'proxies whose X-Forwarded-* and Forwarded headers are believed; empty: none',
  },
});

/** Of one process. */
export const REQUEST_OPTIONS = {
  ...inSection('service:api', {
    maxBodySize: {
      name: 'max_body_size',
      default: '1 MiB',
      reader: size,
      meaning: 'largest request body; a larger one is answered 413',
    },
  }),
  bounds: inSection('service:api', {
    connections: {
      name: 'max_connections',
      default: '800',
      reader: integer(1, 100_000),
      meaning: 'connections to one process; beyond them the address that has most loses one',
    },
    requests: {
      name: 'max_requests',
      default: '256',
      reader: integer(1, 100_000),
      meaning: 'requests of all clients under way in one process; others wait, each address for its turn',
    },
    requestsPerAddress: {
      name: 'max_requests_per_address',
      default: '64',
      reader: integer(1, 100_000),
      meaning: 'requests of one address under way in one process; one that waits for 10 seconds is answered 503',
    },
    pipelined: {
      name: 'max_pipelined_requests',
      default: '64',
      reader: integer(1, 100_000),
      meaning: 'requests that wait on one connection for the answer before them; one more closes the connection',
    },
    readTimeout: {
      name: 'read_timeout',
      default: '30',
      reader: integer(1, 3600),
      meaning: 'seconds in which a client takes 4 KiB a second of an answer that waits for it, or is cut off',
    },
  }),
};

export const HEADER_OPTIONS = inSection('service:api', {
  deprecationHeader: {
    name: 'v1_deprecation_header',
    default: 'True',
    reader: boolean,
    meaning: 'send the Deprecation header (RFC 9745) with the answers of v1',
  },
  corsOrigins: {
    name: 'cors_allowed_origins',
    default: '',
    reader: orEmpty([], list(origin)),
    meaning: 'origins of web pages that may call the API from a browser; empty: CORS is off',
  },
});

/** Over all workers of a machine. */
export const RATE_LIMIT_OPTIONS = inSection('rate_limits', {
  perAddress: {
    name: 'requests_per_address',
    default: '0',
    reader: integer(0, MAX_INT32),
    meaning: 'requests that an address may send in a minute; one more is answered 429; 0: no limit',
  },
  perToken: {
    name: 'requests_per_token',
    default: '0',
    reader: integer(0, MAX_INT32),
    meaning: 'requests that may be sent with one token in a minute; one more is answered 429; 0: no limit',
  },
  failedCredentials: {
    name: 'failed_credentials_per_address',
    default: '0',
    reader: integer(0, MAX_INT32),
    meaning:
      'invalid credentials that an address may send in a minute; then all its credentials are answered 429; 0: no limit',
  },
  exempt: {
    name: 'exempt',
    default: '127.0.0.0/8, ::1',
    reader: orEmpty([], list(network)),
    meaning: 'addresses and networks that are exempt from these limits',
  },
});

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
