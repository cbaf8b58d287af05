import type { Config } from '../config/config.js';
import { type Rule, inSection, option } from '../config/option.js';
import { boolean, extensionName, integer, list, orEmpty, size } from '../config/readers.js';

export const INTERFACE_OPTIONS = inSection('service:api', {
  enableV2: option(
    boolean,
    'True',
    'open the paths under /v2, which current clients of the OpenStack DNS service use',
    { name: 'enable_api_v2' },
  ),
  enableAdmin: option(boolean, 'False', 'open the paths under /admin, as far as enabled_extensions_admin names them', {
    name: 'enable_api_admin',
  }),
  adminExtensions: option(orEmpty([], list(extensionName)), '', 'extensions under /admin: quotas, audit', {
    name: 'enabled_extensions_admin',
  }),
  v1Extensions: option(
    orEmpty([], list(extensionName)),
    '',
    'extensions under /v1: quotas (the flat form that the old client speaks), events (a stream of changes), webhooks (calls that tenants ask for)',
    { name: 'enabled_extensions_v1' },
  ),
});

export const STREAM_OPTIONS = {
  maxStreams: inSection('service:api', {
    perTenant: option(
      integer(1, 10_000),
      '8',
      'long lists, exports, checks and comparisons of one tenant under way in one process; one more is answered 503',
      { name: 'max_streams_per_tenant' },
    ),
    inAll: option(
      integer(1, 10_000),
      '32',
      'long lists, exports, checks and comparisons of all tenants under way in one process',
      { name: 'max_streams' },
    ),
  }),
};

export const MEMORY_OPTIONS = {
  requestMemory: inSection('service:api', {
    perTenant: option(
      size,
      '64 MiB',
      'large bodies and the records read for changes and plans of one tenant in one process; beyond it a request waits 10 seconds and is answered 503',
      { name: 'max_request_memory_per_tenant' },
    ),
    inAll: option(
      size,
      '128 MiB',
      'large bodies and the records read for changes and plans of all tenants in one process',
      { name: 'max_request_memory' },
    ),
  }),
};

export const SERVICE_OPTIONS = inSection('service:api', {
  docs: option(
    boolean,
    'True',
    'serve Swagger UI at /docs and the OpenAPI documents at /openapi.json, /openapi-v2.json and the same as .yaml',
  ),
  workers: option(integer(1, 64), '1', 'processes that share the port; more than one needs PostgreSQL'),
});

export const STOP_OPTIONS = inSection('service:api', {
  shutdownGrace: option(
    integer(0, 3600),
    '30',
    'seconds that running requests are given to finish when the service stops',
  ),
});

export const SERVICE_RULES: readonly Rule<Config>[] = [
  {
    option: SERVICE_OPTIONS.workers,
    isBroken: ({ api, database }) => api.workers > 1 && database.url.startsWith('sqlite:'),
    reason: 'allowed: 1, because SQLite serves one process; more need a postgresql:// URL in [database] url',
  },
];
