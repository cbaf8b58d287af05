import type { Config } from '../config/config.js';
import type { Rule } from '../config/cross-checks.js';
import { inSection } from '../config/option.js';
import { boolean, extensionName, integer, list, orEmpty, size } from '../config/readers.js';

export const INTERFACE_OPTIONS = inSection('service:api', {
  enableV2: {
    name: 'enable_api_v2',
    default: 'True',
    reader: boolean,
    meaning: 'open the paths under /v2, which current clients of the OpenStack DNS service use',
  },
  enableAdmin: {
    name: 'enable_api_admin',
    default: 'False',
    reader: boolean,
    meaning: 'open the paths under /admin, as far as enabled_extensions_admin names them',
  },
  adminExtensions: {
    name: 'enabled_extensions_admin',
    default: '',
    reader: orEmpty([], list(extensionName)),
    meaning: 'extensions under /admin: quotas, audit',
  },
  v1Extensions: {
    name: 'enabled_extensions_v1',
    default: '',
    reader: orEmpty([], list(extensionName)),
    meaning:
      'extensions under /v1: quotas (the flat form that the old client speaks), events (a stream of changes), webhooks (calls that tenants ask for)',
  },
});

export const STREAM_OPTIONS = {
  maxStreams: inSection('service:api', {
    perTenant: {
      name: 'max_streams_per_tenant',
      default: '8',
      reader: integer(1, 10_000),
      meaning:
        'long lists, exports, checks and comparisons of one tenant under way in one process; one more is answered 503',
    },
    inAll: {
      name: 'max_streams',
      default: '32',
      reader: integer(1, 10_000),
      meaning: 'long lists, exports, checks and comparisons of all tenants under way in one process',
    },
  }),
};

export const MEMORY_OPTIONS = {
  requestMemory: inSection('service:api', {
    perTenant: {
      name: 'max_request_memory_per_tenant',
      default: '64 MiB',
      reader: size,
      meaning:
        'large bodies and the records read for changes and plans of one tenant in one process; beyond it a request waits 10 seconds and is answered 503',
    },
    inAll: {
      name: 'max_request_memory',
      default: '128 MiB',
      reader: size,
      meaning: 'large bodies and the records read for changes and plans of all tenants in one process',
    },
  }),
};

export const SERVICE_OPTIONS = inSection('service:api', {
  docs: {
    name: 'docs',
    default: 'True',
    reader: boolean,
    meaning:
      'serve Swagger UI at /docs and the OpenAPI documents at /openapi.json, /openapi-v2.json and the same as .yaml',
  },
  workers: {
    name: 'workers',
    default: '1',
    reader: integer(1, 64),
    meaning: 'processes that share the port; more than one needs PostgreSQL',
  },
});

export const STOP_OPTIONS = inSection('service:api', {
  shutdownGrace: {
    name: 'shutdown_grace',
    default: '30',
    reader: integer(0, 3600),
    meaning: 'seconds that running requests are given to finish when the service stops',
  },
});

export const SERVICE_RULES: readonly Rule<Config>[] = [
  {
    option: SERVICE_OPTIONS.workers,
    isBroken: ({ api, database }) => api.workers > 1 && database.url.startsWith('sqlite:'),
    reason: 'allowed: 1, because SQLite serves one process; more need a postgresql:// URL in [database] url',
  },
];
