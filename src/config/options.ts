import { databaseUrl, httpBase, issuer, listenAddress, network, origin, serverName } from './address-readers.js';
import type {
  ApiConfig,
  Config,
  JwtConfig,
  KeystoneConfig,
  MdnsConfig,
  QuotaDefaults,
  WebhooksConfig,
} from './config.js';
import { nameServerAddress, networkAccess, notifiedServer, tsigKey } from './publishing-readers.js';
import {
  boolean,
  claimPath,
  extensionName,
  integer,
  list,
  MAX_INT32,
  oneOf,
  orEmpty,
  packageName,
  quota,
  recordTypeName,
  type Reader,
  roleName,
  secret,
  size,
  text,
  token,
  tokenType,
  ttl,
} from './readers.js';

/** One line of the configuration. */
export interface Option<T> {
  readonly section: string;
  readonly name: string;
  /** as text; '' for an option that is empty unless it is set */
  readonly default: string;
  readonly reader: Reader<T>;
  readonly meaning: string;
  /** the value, or a part of it, must not be shown */
  readonly secret?: true;
}

/** Returns the value of an option, wherever it is set. */
export type ReadOption = <T>(option: Option<T>) => T;

/**
 * The table of options. It is a function, so that the compiler checks every option against `Config` without a cast: the
 * loader calls it with a function that reads values, the reference with one that collects the options.
 */
export function readConfig(read: ReadOption): Config {
  return {
    defaults: {
      ttl: read({
        section: 'DEFAULT',
        name: 'default_ttl',
        default: '3600',
        reader: ttl,
        meaning: 'ttl of a new domain, in seconds',
      }),
      quotas: readQuotas(read),
      recordTypes: read(RECORD_TYPES),
    },
    database: readDatabase(read),
    api: readApi(read),
    central: readCentral(read),
    auth: readAuth(read),
    keystone: readKeystone(read),
    jwt: readJwt(read),
    mdns: readMdns(read),
    rateLimits: readRateLimits(read),
    webhooks: readWebhooks(read),
    metrics: readMetrics(read),
    plugins: { packages: read(PLUGIN_PACKAGES), ...readPluginTimes(read) },
    log: readLog(read),
  };
}

/** A constant, because whether the types are there is known only with the plugins. */
export const RECORD_TYPES: Option<readonly string[]> = {
  section: 'DEFAULT',
  name: 'supported_record_types',
  default: '',
  reader: orEmpty([], list(recordTypeName)),
  meaning: 'record types that are accepted, TYPEn for all that have only a number; empty: all',
};

/** Apart, because it says which other options there are. */
export const PLUGIN_PACKAGES: Option<readonly string[]> = {
  section: 'plugins',
  name: 'packages',
  default: '',
  reader: orEmpty([], list(packageName)),
  meaning: 'packages that add to the service, in this order; a path counts from the folder of this file',
};

function readPluginTimes(read: ReadOption): Omit<Config['plugins'], 'packages'> {
  const section = 'plugins';
  return {
    changeTimeLimit: read({
      section,
      name: 'change_time_limit_ms',
      default: '500',
      reader: integer(10, 60_000),
      meaning: 'milliseconds that a plugin may take while a change is made, for which others wait on SQLite',
    }),
    requestTimeLimit: read({
      section,
      name: 'request_time_limit',
      default: '10',
      reader: integer(1, 300),
      meaning:
        'seconds that a plugin may take otherwise while a request waits for it, a read, its long work, and its health checks',
    }),
    backgroundTimeLimit: read({
      section,
      name: 'background_time_limit',
      default: '30',
      reader: integer(1, 3600),
      meaning: 'seconds that a change listener may take for what it is given, and a stream of reads of a plugin',
    }),
    loopTimeLimit: read({
      section,
      name: 'loop_time_limit',
      default: '30',
      reader: integer(0, 3600),
      meaning: 'seconds after which a process is ended that computes and answers nobody, with plugins; 0: never',
    }),
  };
}

function readQuotas(read: ReadOption): QuotaDefaults {
  const common = { section: 'DEFAULT', reader: quota } as const;
  return {
    zones: read({ ...common, name: 'quota_zones', default: '10', meaning: 'domains a tenant may own' }),
    zoneRecordsets: read({
      ...common,
      name: 'quota_zone_recordsets',
      default: '500',
      meaning: 'record sets (name and type) in one domain',
    }),
    zoneRecords: read({ ...common, name: 'quota_zone_records', default: '500', meaning: 'records in one domain' }),
    recordsetRecords: read({
      ...common,
      name: 'quota_recordset_records',
      default: '20',
      meaning: 'records of one name and type',
    }),
    apiExportSize: read({
      ...common,
      name: 'quota_api_export_size',
      default: '1000',
      meaning: 'records in one zone export',
    }),
  };
}

function readDatabase(read: ReadOption): Config['database'] {
  const section = 'database';
  return {
    url: read({
      section,
      name: 'url',
      default: 'sqlite:data/zonewright.sqlite',
      reader: databaseUrl,
      meaning: 'where the data lives; a relative path starts at the working directory',
      secret: true,
    }),
    migrate: read({
      section,
      name: 'migrate',
      default: 'True',
      reader: boolean,
      meaning: 'bring the schema up to date at start',
    }),
  };
}

/** A constant, because a rule in cross-checks.ts refers to it. */
export const LISTEN: Option<ApiConfig['listen']> = {
  section: 'service:api',
  name: 'listen',
  default: '127.0.0.1:9001',
  reader: listenAddress,
  meaning: 'address and port of the API; port 0 means any free port, which is logged',
};

/** As LISTEN. */
export const WORKERS: Option<number> = {
  section: 'service:api',
  name: 'workers',
  default: '1',
  reader: integer(1, 64),
  meaning: 'processes that share the port; more than one needs PostgreSQL',
};

/** As LISTEN. */
export const AUTH_STRATEGY: Option<ApiConfig['authStrategies']> = {
  section: 'service:api',
  name: 'auth_strategy',
  default: 'token',
  reader: list(oneOf('token', 'keystone', 'jwt', 'noauth')),
  meaning:
    'how callers are authenticated: by tokens of the service, a Keystone server, an OIDC issuer, or not at all (for trials)',
};

/** As RECORD_TYPES. */
export const ADMIN_EXTENSIONS: Option<ApiConfig['adminExtensions']> = {
  section: 'service:api',
  name: 'enabled_extensions_admin',
  default: '',
  reader: orEmpty([], list(extensionName)),
  meaning: 'extensions under /admin: quotas, audit',
};

/** As RECORD_TYPES. */
export const V1_EXTENSIONS: Option<ApiConfig['v1Extensions']> = {
  section: 'service:api',
  name: 'enabled_extensions_v1',
  default: '',
  reader: orEmpty([], list(extensionName)),
  meaning:
    'extensions under /v1: quotas (the flat form that the old client speaks), events (a stream of changes), webhooks (calls that tenants ask for)',
};

function readApi(read: ReadOption): ApiConfig {
  const section = 'service:api';
  return {
    listen: read(LISTEN),
    baseUri: read({
      section,
      name: 'api_base_uri',
      default: '',
      reader: orEmpty(null, httpBase),
      meaning: 'base of Location and links; empty: the scheme and host of the request',
    }),
    trustedProxies: read({
      section,
      name: 'trusted_proxies',
      default: '',
      reader: orEmpty([], list(network)),
      meaning: 'proxies whose X-Forwarded-* headers are believed; empty: none',
    }),
    authStrategies: read(AUTH_STRATEGY),
    enableV2: read({
      section,
      name: 'enable_api_v2',
      default: 'True',
      reader: boolean,
      meaning: 'open the paths under /v2, which current clients of the OpenStack DNS service use',
    }),
    enableAdmin: read({
      section,
      name: 'enable_api_admin',
      default: 'False',
      reader: boolean,
      meaning: 'open the paths under /admin, as far as enabled_extensions_admin names them',
    }),
    adminExtensions: read(ADMIN_EXTENSIONS),
    v1Extensions: read(V1_EXTENSIONS),
    strictClients: read({
      section,
      name: 'v1_strict_clients',
      default: 'False',
      reader: boolean,
      meaning: 'list records with the ten fields of a single record only, for clients that reject other fields',
    }),
    expiringRecords: read({
      section,
      name: 'expiring_records',
      default: 'False',
      reader: boolean,
      meaning: 'take and show expires_at in records of v1: the time at which the service removes a record',
    }),
    maxBodySize: read({
      section,
      name: 'max_body_size',
      default: '1 MiB',
      reader: size,
      meaning: 'largest request body; a larger one is answered 413',
    }),
    bounds: {
      connections: read({
        section,
        name: 'max_connections',
        default: '800',
        reader: integer(1, 100_000),
        meaning: 'connections to one process; beyond them the address that has most loses one',
      }),
      requests: read({
        section,
        name: 'max_requests',
        default: '256',
        reader: integer(1, 100_000),
        meaning: 'requests of all clients under way in one process; others wait, each address for its turn',
      }),
      requestsPerAddress: read({
        section,
        name: 'max_requests_per_address',
        default: '64',
        reader: integer(1, 100_000),
        meaning: 'requests of one address under way in one process; one that waits for 10 seconds is answered 503',
      }),
      pipelined: read({
        section,
        name: 'max_pipelined_requests',
        default: '64',
        reader: integer(1, 100_000),
        meaning: 'requests that wait on one connection for the answer before them; one more closes the connection',
      }),
      readTimeout: read({
        section,
        name: 'read_timeout',
        default: '30',
        reader: integer(1, 3600),
        meaning: 'seconds in which a client takes 4 KiB a second of an answer that waits for it, or is cut off',
      }),
    },
    maxChanges: read({
      section,
      name: 'max_changes',
      default: '1000',
      reader: integer(1, 1000),
      meaning: 'entries of one change set; a longer one is answered 400',
    }),
    maxStreams: {
      perTenant: read({
        section,
        name: 'max_streams_per_tenant',
        default: '8',
        reader: integer(1, 10_000),
        meaning:
          'long lists, exports, checks and comparisons of one tenant under way in one process; one more is answered 503',
      }),
      inAll: read({
        section,
        name: 'max_streams',
        default: '32',
        reader: integer(1, 10_000),
        meaning: 'long lists, exports, checks and comparisons of all tenants under way in one process',
      }),
    },
    maxEventStreams: {
      perTenant: read({
        section,
        name: 'max_event_streams_per_tenant',
        default: '16',
        reader: integer(1, 10_000),
        meaning: 'streams of events of one tenant open in one process; one more is answered 503',
      }),
      inAll: read({
        section,
        name: 'max_event_streams',
        default: '128',
        reader: integer(1, 10_000),
        meaning: 'streams of events of all tenants open in one process',
      }),
    },
    eventHeartbeat: read({
      section,
      name: 'event_heartbeat',
      default: '15',
      reader: integer(1, 3600),
      meaning: 'seconds after which a stream of events shows that it is there, and its credential is looked at again',
    }),
    maxImports: {
      perTenant: read({
        section,
        name: 'max_imports_per_tenant',
        default: '2',
        reader: integer(1, 10_000),
        meaning: 'zone imports of one tenant under way in one process; one more is answered 503',
      }),
      inAll: read({
        section,
        name: 'max_imports',
        default: '8',
        reader: integer(1, 10_000),
        meaning: 'zone imports of all tenants under way in one process',
      }),
    },
    spoolDirectory: read({
      section,
      name: 'spool_directory',
      default: '',
      reader: orEmpty(null, text),
      meaning:
        'where exports of more than 1 MiB wait for their readers; empty: beside the SQLite database, or the temporary directory',
    }),
    docs: read({
      section,
      name: 'docs',
      default: 'True',
      reader: boolean,
      meaning:
        'serve Swagger UI at /docs and the OpenAPI documents at /openapi.json, /openapi-v2.json and the same as .yaml',
    }),
    workers: read(WORKERS),
    deprecationHeader: read({
      section,
      name: 'v1_deprecation_header',
      default: 'True',
      reader: boolean,
      meaning: 'send the Deprecation header (RFC 9745) with the answers of v1',
    }),
    corsOrigins: read({
      section,
      name: 'cors_allowed_origins',
      default: '',
      reader: orEmpty([], list(origin)),
      meaning: 'origins of web pages that may call the API from a browser; empty: CORS is off',
    }),
    noauthPublic: read({
      section,
      name: 'noauth_on_public_address',
      default: 'False',
      reader: boolean,
      meaning: 'permit auth_strategy noauth on an address that other machines reach: everybody there is admin',
    }),
    changesPerMinute: read({
      section,
      name: 'changes_per_minute',
      default: '6000',
      reader: integer(0, MAX_INT32),
      meaning: 'changed records that a tenant may make in a minute, large ones counting more; 0: no limit',
    }),
    maxKeptAnswers: read({
      section,
      name: 'max_kept_answers',
      default: '64 MiB',
      reader: size,
      meaning:
        'answers that are kept for the Idempotency-Keys of a tenant, each with 1 KiB beside its body; beyond it requests with a new' +
        ' key are answered 429',
    }),
    shutdownGrace: read({
      section,
      name: 'shutdown_grace',
      default: '30',
      reader: integer(0, 3600),
      meaning: 'seconds that running requests are given to finish when the service stops',
    }),
  };
}

/** A century. */
const MAX_DAYS = 36_500;

function readCentral(read: ReadOption): Config['central'] {
  const section = 'service:central';
  return {
    minTtl: read({
      section,
      name: 'min_ttl',
      default: '',
      reader: orEmpty(null, ttl),
      meaning: 'lowest ttl that a caller who is not admin may set',
    }),
    nameServers: read({
      section,
      name: 'name_servers',
      default: 'ns1.zonewright.invalid.',
      reader: list(serverName),
      meaning: "the service's own name servers, for the SOA and NS records of each domain and for /servers",
    }),
    retention: {
      historyDays: read({
        section,
        name: 'history_days',
        default: '',
        reader: orEmpty(null, integer(1, MAX_DAYS)),
        meaning: 'days for which the history of domains is kept; empty: for ever',
      }),
      deletedHistoryDays: read({
        section,
        name: 'deleted_history_days',
        default: '30',
        reader: orEmpty(null, integer(1, MAX_DAYS)),
        meaning: 'days after its deletion for which the history of a domain is kept; empty: for ever',
      }),
      auditDays: read({
        section,
        name: 'audit_days',
        default: '',
        reader: orEmpty(null, integer(1, MAX_DAYS)),
        meaning: 'days for which the audit keeps what is not in the history of a domain; empty: for ever',
      }),
    },
    soaTimers: {
      refresh: read({
        section,
        name: 'soa_refresh',
        default: '3600',
        reader: ttl,
        meaning: 'seconds after which a name server asks for the serial by itself',
      }),
      retry: read({
        section,
        name: 'soa_retry',
        default: '600',
        reader: ttl,
        meaning: 'seconds after which it asks again when it had no answer',
      }),
      expire: read({
        section,
        name: 'soa_expire',
        default: '1209600',
        reader: ttl,
        meaning: 'seconds after which it gives up a domain that it could not ask for',
      }),
      negativeTtl: read({
        section,
        name: 'soa_minimum',
        default: '3600',
        reader: ttl,
        meaning: 'seconds for which resolvers remember that a name is not there',
      }),
    },
    publicSuffixes: {
      added: read({
        section,
        name: 'public_suffixes',
        default: '',
        reader: orEmpty([], list(serverName)),
        meaning: 'names that only an admin may make domains of, beside top-level names and the Public Suffix List',
      }),
      excepted: read({
        section,
        name: 'public_suffix_exceptions',
        default: '',
        reader: orEmpty([], list(serverName)),
        meaning: 'top-level names and names of the Public Suffix List that anybody may make a domain of',
      }),
    },
  };
}

/** Constants, because rules in cross-checks.ts refer to them. */
export const SECONDARIES: Option<MdnsConfig['secondaries']> = {
  section: 'service:mdns',
  name: 'secondaries',
  default: '',
  reader: orEmpty([], list(notifiedServer)),
  meaning: 'name servers of the pool: each is notified of changes, signed with its key, and asked for its serials',
};

export const ALSO_NOTIFY: Option<MdnsConfig['alsoNotify']> = {
  section: 'service:mdns',
  name: 'also_notify',
  default: '',
  reader: orEmpty([], list(notifiedServer)),
  meaning: 'servers that are notified of changes and not asked whether they have them',
};

export const ALLOW_TRANSFER: Option<MdnsConfig['allowTransfer']> = {
  section: 'service:mdns',
  name: 'allow_transfer',
  default: '',
  reader: orEmpty([], list(networkAccess)),
  meaning: 'who may ask for domains: address[/bits], with @key only when signed by that key; empty: the secondaries',
};

export const TSIG_KEYS: Option<MdnsConfig['tsigKeys']> = {
  section: 'service:mdns',
  name: 'tsig_keys',
  default: '',
  reader: orEmpty([], list(tsigKey)),
  meaning: 'keys that sign messages between this service and name servers, as name:algorithm:base64',
  secret: true,
};

function readMdns(read: ReadOption): MdnsConfig {
  const section = 'service:mdns';
  return {
    enabled: read({
      section,
      name: 'enabled',
      default: 'False',
      reader: boolean,
      meaning: 'answer name servers and notify them of changes',
    }),
    listen: read({
      section,
      name: 'listen',
      default: '127.0.0.1:5354',
      reader: listenAddress,
      meaning: 'address and port for DNS over UDP and TCP; port 0 means any free port, which is logged',
    }),
    copySpace: read({
      section,
      name: 'copy_space',
      default: '256',
      reader: integer(1, 1_048_576),
      meaning: 'MiB of disk in spool_directory that one process takes for domains as they are transferred',
    }),
    tsigKeys: read(TSIG_KEYS),
    secondaries: read(SECONDARIES),
    alsoNotify: read(ALSO_NOTIFY),
    allowTransfer: read(ALLOW_TRANSFER),
    allowMasters: read({
      section,
      name: 'allow_masters',
      default: '',
      reader: orEmpty([], list(network)),
      meaning: 'where the masters of SECONDARY zones may be; empty: at any public address',
    }),
    resolvers: read({
      section,
      name: 'resolvers',
      default: '',
      reader: orEmpty([], list(nameServerAddress)),
      meaning: 'name servers that are asked for the addresses of masters; empty: those of the system',
    }),
    catalogZone: read({
      section,
      name: 'catalog_zone',
      default: '',
      reader: orEmpty(null, serverName),
      meaning: 'name of the catalog zone (RFC 9432), by which name servers add and drop domains; empty: none',
    }),
    catalogGroup: read({
      section,
      name: 'catalog_group',
      default: '',
      reader: orEmpty(null, text),
      meaning: "the group property of the catalog zone's members, which names a template; empty: none",
    }),
    limits: readNameServerLimits(read),
  };
}

function readRateLimits(read: ReadOption): Config['rateLimits'] {
  const section = 'rate_limits';
  const limit = { section, default: '0', reader: integer(0, MAX_INT32) } as const;
  return {
    perAddress: read({
      ...limit,
      name: 'requests_per_address',
      meaning: 'requests that an address may send in a minute; one more is answered 429; 0: no limit',
    }),
    perToken: read({
      ...limit,
      name: 'requests_per_token',
      meaning: 'requests that may be sent with one token in a minute; one more is answered 429; 0: no limit',
    }),
    failedCredentials: read({
      ...limit,
      name: 'failed_credentials_per_address',
      meaning:
        'credentials that are not valid an address may send in a minute; then all of its are answered 429; 0: no limit',
    }),
    exempt: read({
      section,
      name: 'exempt',
      default: '127.0.0.0/8, ::1',
      reader: orEmpty([], list(network)),
      meaning: 'addresses and networks that none of these limits holds for',
    }),
  };
}

function readMetrics(read: ReadOption): Config['metrics'] {
  return {
    listen: read({
      section: 'metrics',
      name: 'listen',
      default: '',
      reader: orEmpty(null, listenAddress),
      meaning: 'address and port of its own for /metrics, without a credential; empty: on the API, for admins',
    }),
  };
}

function readLog(read: ReadOption): Config['log'] {
  const section = 'log';
  return {
    level: read({
      section,
      name: 'level',
      default: 'warn',
      reader: oneOf('error', 'warn', 'info', 'debug'),
      meaning: 'the least that is logged; from info on there is a line for each request',
    }),
    format: read({
      section,
      name: 'format',
      default: 'auto',
      reader: oneOf('auto', 'json', 'pretty'),
      meaning: 'lines of JSON, or pretty ones for people; auto: pretty on a terminal, otherwise JSON',
    }),
  };
}

function readNameServerLimits(read: ReadOption): MdnsConfig['limits'] {
  const section = 'service:mdns';
  return {
    connections: read({
      section,
      name: 'max_connections',
      default: '1000',
      reader: integer(1, 100_000),
      meaning: 'TCP connections of name servers to one process; beyond them the address that has most loses one',
    }),
    connectionsPerAddress: read({
      section,
      name: 'max_connections_per_address',
      default: '100',
      reader: integer(1, 100_000),
      meaning: 'TCP connections of one address to one process; one more closes the one that has been idle for longest',
    }),
    pipelined: read({
      section,
      name: 'max_pipelined_queries',
      default: '64',
      reader: integer(1, 100_000),
      meaning: 'queries of one connection under way; more are read when one of them is answered',
    }),
    datagrams: read({
      section,
      name: 'max_datagrams',
      default: '1000',
      reader: integer(1, 100_000),
      meaning: 'queries by UDP under way in one process; more are dropped, and their senders ask again',
    }),
    idleTimeout: read({
      section,
      name: 'idle_timeout',
      default: '10',
      reader: integer(1, 3600),
      meaning: 'seconds after which a connection is closed on which no query has come and none is answered',
    }),
    readTimeout: read({
      section,
      name: 'read_timeout',
      default: '30',
      reader: integer(1, 3600),
      meaning: 'seconds in which a name server takes 16 KiB a second of an answer that waits for it, or is cut off',
    }),
    transferTimeout: read({
      section,
      name: 'transfer_timeout',
      default: '600',
      reader: integer(1, 86_400),
      meaning: 'seconds after which a transfer is cut off that is still under way',
    }),
  };
}

function readAuth(read: ReadOption): Config['auth'] {
  return {
    adminToken: read({
      section: 'auth',
      name: 'admin_token',
      default: '',
      reader: orEmpty(null, token),
      meaning: 'a first admin token; empty: one is made at the first start and kept in data/admin-token',
      secret: true,
    }),
  };
}

/** Constants, because rules in cross-checks.ts refer to them. */
export const AUTH_URL: Option<KeystoneConfig['authUrl']> = {
  section: 'keystone_authtoken',
  name: 'auth_url',
  default: '',
  reader: orEmpty(null, httpBase),
  meaning: 'the Keystone server that validates tokens, with or without /v3',
};

export const KEYSTONE_PASSWORD: Option<KeystoneConfig['password']> = {
  section: 'keystone_authtoken',
  name: 'password',
  default: '',
  reader: orEmpty(null, secret),
  meaning: 'the password of that user',
  secret: true,
};

function readKeystone(read: ReadOption): KeystoneConfig {
  const section = 'keystone_authtoken';
  const optionalText = { section, default: '', reader: orEmpty(null, text) } as const;
  return {
    authUrl: read(AUTH_URL),
    wwwAuthenticateUri: read({
      section,
      name: 'www_authenticate_uri',
      default: '',
      reader: orEmpty(null, httpBase),
      meaning: 'the Keystone server that a caller without a token is sent to; empty: auth_url',
    }),
    username: read({
      ...optionalText,
      name: 'username',
      meaning: "the service's own user, who asks about tokens; empty: each token asks about itself",
    }),
    password: read(KEYSTONE_PASSWORD),
    projectName: read({ ...optionalText, name: 'project_name', meaning: 'the project of that user' }),
    userDomainName: read({ ...optionalText, name: 'user_domain_name', meaning: 'the Keystone domain of that user' }),
    projectDomainName: read({
      ...optionalText,
      name: 'project_domain_name',
      meaning: 'the Keystone domain of that project; empty, as for the user: the one with the id default',
    }),
    tokenCacheTime: read({
      section,
      name: 'token_cache_time',
      default: '300',
      reader: integer(-1, MAX_INT32),
      meaning: 'seconds for which the verdict on a token is remembered; -1: never',
    }),
    adminRoles: read({
      section,
      name: 'admin_roles',
      default: 'admin',
      reader: list(roleName),
      meaning: 'roles of Keystone that make an admin here',
    }),
    readerRoles: read({
      section,
      name: 'reader_roles',
      default: 'reader',
      reader: orEmpty([], list(roleName)),
      meaning: 'roles of Keystone that may only read; every other role makes a member',
    }),
  };
}

/** Constants, because rules in cross-checks.ts refer to them. */
export const JWT_ISSUER: Option<JwtConfig['issuer']> = {
  section: 'jwt',
  name: 'issuer',
  default: '',
  reader: orEmpty(null, issuer),
  meaning: 'the OIDC issuer whose tokens are taken, as it writes itself in iss; its keys are found by discovery',
};

export const JWT_AUDIENCE: Option<JwtConfig['audience']> = {
  section: 'jwt',
  name: 'audience',
  default: '',
  reader: orEmpty([], list(text)),
  meaning: 'what a token has in aud, one of these at least, to be for this service',
};

/** With a key that is published: whoever can check such a signature cannot make one (RFC 7518 §3.1, RFC 8037). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

function readJwt(read: ReadOption): JwtConfig {
  const section = 'jwt';
  return {
    issuer: read(JWT_ISSUER),
    audience: read(JWT_AUDIENCE),
    algorithms: read({
      section,
      name: 'algorithms',
      default: 'RS256, ES256',
      reader: list(oneOf(...ALGORITHMS)),
      meaning: 'signatures that are taken, whatever else the issuer offers',
    }),
    tokenTypes: read({
      section,
      name: 'token_types',
      default: 'at+jwt, JWT',
      reader: list(tokenType),
      meaning: 'values of the header typ that are taken; a token without one counts as JWT',
    }),
    clockSkew: read({
      section,
      name: 'clock_skew',
      default: '30',
      reader: integer(0, 300),
      meaning: "seconds by which the issuer's clock may differ from this one's",
    }),
    tenantClaim: read({
      section,
      name: 'tenant_claim',
      default: 'tenant_id',
      reader: claimPath,
      meaning: 'the claim that names the tenant',
    }),
    rolesClaim: read({
      section,
      name: 'roles_claim',
      default: 'roles',
      reader: claimPath,
      meaning: 'the claim that lists roles, or has them in one text with blanks between, as scope does',
    }),
    userClaim: read({
      section,
      name: 'user_claim',
      default: 'sub',
      reader: claimPath,
      meaning: 'the claim that names the user in the history of domains',
    }),
    ...readJwtRoles(read),
    keysCacheTime: read({
      section,
      name: 'keys_cache_time',
      default: '600',
      reader: integer(1, 86_400),
      meaning: "seconds after which the issuer's keys are no longer used; they are renewed after half of that",
    }),
    keysCooldown: read({
      section,
      name: 'keys_cooldown',
      default: '30',
      reader: integer(1, 3600),
      meaning: 'seconds that pass before a token with an unknown key has the keys fetched once more',
    }),
  };
}

function readJwtRoles(read: ReadOption): Pick<JwtConfig, 'adminRoles' | 'memberRoles' | 'readerRoles'> {
  const common = { section: 'jwt', reader: orEmpty([], list(roleName)) } as const;
  return {
    adminRoles: read({
      ...common,
      name: 'admin_roles',
      default: 'admin',
      meaning: 'roles of that claim that make an admin here; empty: nobody is one by a token',
    }),
    memberRoles: read({
      ...common,
      name: 'member_roles',
      default: 'member',
      meaning: 'roles that may read and write; roles that are in none of the three lists mean nothing',
    }),
    readerRoles: read({ ...common, name: 'reader_roles', default: 'reader', meaning: 'roles that may only read' }),
  };
}

function readWebhooks(read: ReadOption): WebhooksConfig {
  const section = 'webhooks';
  return {
    maxWebhooks: read({
      section,
      name: 'max_webhooks',
      default: '20',
      reader: integer(0, 1000),
      meaning: 'webhooks that a tenant may have',
    }),
    maxQueue: read({
      section,
      name: 'max_queue',
      default: '10000',
      reader: integer(1, 1_000_000),
      meaning: 'events that wait for one webhook, and as many dead letters; what comes beyond both is dropped',
    }),
    maxQueueSize: read({
      section,
      name: 'max_queue_size',
      default: '64 MiB',
      reader: size,
      meaning:
        'octets of what waits for all webhooks of a tenant, and of their dead letters; what comes beyond is dropped',
    }),
    allowedTargets: read({
      section,
      name: 'allowed_targets',
      default: '',
      reader: orEmpty([], list(network)),
      meaning: 'addresses and networks that are called although they are not public; empty: none',
    }),
    allowedPorts: read({
      section,
      name: 'allowed_ports',
      default: '443, 80, 8443',
      reader: orEmpty([], list(integer(1, 65_535))),
      meaning: 'ports that are called; empty: all',
    }),
    allowHttp: read({
      section,
      name: 'allow_http',
      default: 'False',
      reader: boolean,
      meaning: 'call http:// as well, where everybody on the way can read the events',
    }),
    nameServers: read({
      section,
      name: 'resolvers',
      default: '',
      reader: orEmpty([], list(nameServerAddress)),
      meaning: 'name servers that are asked for the addresses of targets; empty: those of the system',
    }),
    ...readWebhookTimes(read),
  };
}

type WebhookTime = 'requestTimeout' | 'firstRetry' | 'retryTime' | 'rotationTime' | 'deadLetterDays';

function readWebhookTimes(read: ReadOption): Pick<WebhooksConfig, WebhookTime> {
  const section = 'webhooks';
  return {
    requestTimeout: read({
      section,
      name: 'request_timeout',
      default: '15',
      reader: integer(1, 60),
      meaning: 'seconds in which a target answers',
    }),
    firstRetry: read({
      section,
      name: 'first_retry',
      default: '5',
      reader: integer(1, 3600),
      meaning: 'seconds until the second attempt at most; each next one takes twice as long, up to an hour',
    }),
    retryTime: read({
      section,
      name: 'retry_time',
      default: '86400',
      reader: integer(0, 604_800),
      meaning: 'seconds for which an event is tried; then it is a dead letter',
    }),
    rotationTime: read({
      section,
      name: 'rotation_time',
      default: '86400',
      reader: integer(0, 2_592_000),
      meaning: 'seconds for which the former secret of a webhook goes on to sign',
    }),
    deadLetterDays: read({
      section,
      name: 'dead_letter_days',
      default: '14',
      reader: integer(1, 365),
      meaning: 'days for which dead letters are kept',
    }),
  };
}

/** Every option, in the order of the table. */
export const OPTIONS: readonly Option<unknown>[] = collect();

function collect(): Option<unknown>[] {
  const options: Option<unknown>[] = [];
  readConfig((option) => {
    options.push(option);
    return readDefault(option);
  });
  return options;
}

/** @throws Error when a default is not allowed: on import, so that every test would notice */
function readDefault<T>(option: Option<T>): T {
  const value = option.reader.read(option.default);
  if (value === undefined) throw new Error(`the default of ${option.name} is not allowed`);
  return value;
}

/** The name of an option in the environment, as `ZONEWRIGHT_SERVICE_API__LISTEN`. Options are identified by it. */
export function variableName(section: string, name: string): string {
  return `ZONEWRIGHT_${section.replace(/[:-]/g, '_')}__${name}`.toUpperCase();
}
