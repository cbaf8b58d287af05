import { databaseUrl, httpBase, listenAddress, network, origin, serverName } from './address-readers.js';
import type { ApiConfig, Config, KeystoneConfig, QuotaDefaults } from './config.js';
import {
  boolean,
  extensionName,
  integer,
  list,
  MAX_INT32,
  oneOf,
  orEmpty,
  quota,
  recordTypeName,
  type Reader,
  secret,
  size,
  text,
  token,
  ttl,
} from './readers.js';

/** One line of the configuration. */
export interface Option<T> {
  readonly section: string;
  readonly name: string;
  /** as one would write it; '' for an option that is empty unless set */
  readonly default: string;
  readonly reader: Reader<T>;
  readonly meaning: string;
  /** the value, or a part of it, must not be shown to anybody */
  readonly secret?: true;
}

/** Finds the value of an option, wherever it is set. */
export type ReadOption = <T>(option: Option<T>) => T;

/**
 * The one table of options. It is a function, so that the compiler holds every option against `Config` without a cast:
 * the loader calls it with a function that reads values, the reference with one that takes notes.
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
      recordTypes: read({
        section: 'DEFAULT',
        name: 'supported_record_types',
        default: '',
        reader: orEmpty([], list(recordTypeName)),
        meaning: 'record types that are taken, TYPEn for all that have only a number; empty: all',
      }),
    },
    database: readDatabase(read),
    api: readApi(read),
    central: readCentral(read),
    auth: readAuth(read),
    keystone: readKeystone(read),
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

/** Named here because a rule about several options points at it. */
export const LISTEN: Option<ApiConfig['listen']> = {
  section: 'service:api',
  name: 'listen',
  default: '127.0.0.1:9001',
  reader: listenAddress,
  meaning: 'where the API answers; port 0 picks a free one and logs it',
};

/** As LISTEN. */
export const WORKERS: Option<number> = {
  section: 'service:api',
  name: 'workers',
  default: '1',
  reader: integer(1, 64),
  meaning: 'processes that share the port; more than one needs PostgreSQL',
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
      meaning: 'proxies whose X-Forwarded-* headers count; empty: nobody',
    }),
    authStrategy: read({
      section,
      name: 'auth_strategy',
      default: 'token',
      reader: oneOf('token', 'keystone', 'noauth'),
      meaning: 'who vouches for a caller: our own tokens, a Keystone server, or nobody (for trials on one machine)',
    }),
    enableAdmin: read({
      section,
      name: 'enable_api_admin',
      default: 'False',
      reader: boolean,
      meaning: 'open the paths under /admin, as far as enabled_extensions_admin names them',
    }),
    adminExtensions: read({
      section,
      name: 'enabled_extensions_admin',
      default: '',
      reader: orEmpty([], list(extensionName)),
      meaning: 'extensions under /admin: quotas',
    }),
    v1Extensions: read({
      section,
      name: 'enabled_extensions_v1',
      default: '',
      reader: orEmpty([], list(extensionName)),
      meaning: 'extensions under /v1: quotas (the flat form that the old client speaks)',
    }),
    strictClients: read({
      section,
      name: 'v1_strict_clients',
      default: 'False',
      reader: boolean,
      meaning: 'list records with the ten fields of a single record only, for clients that refuse any other',
    }),
    maxBodySize: read({
      section,
      name: 'max_body_size',
      default: '1 MiB',
      reader: size,
      meaning: 'largest request body; a larger one is answered 413',
    }),
    docs: read({
      section,
      name: 'docs',
      default: 'True',
      reader: boolean,
      meaning: 'serve Swagger UI at /docs and the OpenAPI document at /openapi.json and /openapi.yaml',
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
      meaning: 'web pages that may call the API from a browser; empty: CORS is off',
    }),
    noauthPublic: read({
      section,
      name: 'noauth_on_public_address',
      default: 'False',
      reader: boolean,
      meaning: 'permit auth_strategy noauth on an address that other machines reach: everybody there is admin',
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
  };
}

function readAuth(read: ReadOption): Config['auth'] {
  return {
    adminToken: read({
      section: 'auth',
      name: 'admin_token',
      default: '',
      reader: orEmpty(null, token),
      meaning: 'a first admin token; empty: one is made at the first start, shown once and kept in data/admin-token',
      secret: true,
    }),
  };
}

function readKeystone(read: ReadOption): KeystoneConfig {
  const section = 'keystone_authtoken';
  const word = { section, default: '', reader: orEmpty(null, text) } as const;
  const url = { section, default: '', reader: orEmpty(null, httpBase) } as const;
  return {
    authUrl: read({ ...url, name: 'auth_url', meaning: 'the Keystone server that validates tokens' }),
    wwwAuthenticateUri: read({
      ...url,
      name: 'www_authenticate_uri',
      meaning: 'the Keystone server that a caller without a token is sent to',
    }),
    username: read({ ...word, name: 'username', meaning: "the service's own user" }),
    password: read({
      section,
      name: 'password',
      default: '',
      reader: orEmpty(null, secret),
      meaning: 'the password of that user',
      secret: true,
    }),
    projectName: read({ ...word, name: 'project_name', meaning: 'the project of that user' }),
    userDomainName: read({ ...word, name: 'user_domain_name', meaning: 'the Keystone domain of that user' }),
    projectDomainName: read({ ...word, name: 'project_domain_name', meaning: 'the Keystone domain of that project' }),
    tokenCacheTime: read({
      section,
      name: 'token_cache_time',
      default: '300',
      reader: integer(-1, MAX_INT32),
      meaning: 'seconds for which a validated token is remembered; -1: never',
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

/** @throws Error when the table contradicts itself; that is on import, so every test meets it and no operator does */
function readDefault<T>(option: Option<T>): T {
  const value = option.reader.read(option.default);
  if (value === undefined) throw new Error(`the default of ${option.name} is not allowed`);
  return value;
}

/** `ZONEWRIGHT_SERVICE_API__LISTEN`: the name of an option in the environment, and its key everywhere here. */
export function variableName(section: string, name: string): string {
  return `ZONEWRIGHT_${section.replace(/[:-]/g, '_')}__${name}`.toUpperCase();
}
