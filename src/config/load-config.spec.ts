import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Config } from './config.js';
import { ConfigError, loadConfig } from './load-config.js';

const root = mkdtempSync(join(tmpdir(), 'zonewright-config-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(root, 'cwd-'));
});

function write(name: string, text: string | Buffer): string {
  const path = join(cwd, name);
  writeFileSync(path, text);
  return path;
}

/** Loads `zonewright.conf` with this text, in a directory and an environment of its own. */
function load(text: string, env: Record<string, string> = {}): Config {
  write('zonewright.conf', text);
  return loadConfig({ cwd, env });
}

/** The message with which the start is refused; the path of `zonewright.conf` is cut down to `FILE`. */
function refusal(start: () => unknown): string {
  try {
    start();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replace(join(cwd, 'zonewright.conf'), 'FILE');
    throw error;
  }
  throw new Error('was not refused');
}

describe('without file and variables', () => {
  it('serves the documented defaults', () => {
    expect(loadConfig({ cwd, env: {} })).toEqual({
      defaults: {
        ttl: 3600,
        quotas: { zones: 10, zoneRecordsets: 500, zoneRecords: 500, recordsetRecords: 20, apiExportSize: 1000 },
        recordTypes: [],
      },
      database: { url: 'sqlite:data/zonewright.sqlite', migrate: true },
      api: {
        listen: { host: '127.0.0.1', port: 9001 },
        baseUri: null,
        trustedProxies: [],
        authStrategies: ['token'],
        enableV2: true,
        enableAdmin: false,
        adminExtensions: [],
        v1Extensions: [],
        strictClients: false,
        expiringRecords: false,
        maxBodySize: 1_048_576,
        bounds: { connections: 800, requests: 256, requestsPerAddress: 64, pipelined: 64, readTimeout: 30 },
        maxChanges: 1000,
        maxStreams: { perTenant: 8, inAll: 32 },
        maxEventStreams: { perTenant: 16, inAll: 128 },
        eventHeartbeat: 15,
        maxImports: { perTenant: 2, inAll: 8 },
        spoolDirectory: null,
        docs: true,
        workers: 1,
        deprecationHeader: true,
        corsOrigins: [],
        noauthPublic: false,
        changesPerMinute: 6000,
        maxKeptAnswers: 67_108_864,
        shutdownGrace: 30,
      },
      central: {
        minTtl: null,
        nameServers: ['ns1.zonewright.invalid.'],
        retention: { historyDays: null, deletedHistoryDays: 30, auditDays: null },
        soaTimers: { refresh: 3600, retry: 600, expire: 1_209_600, negativeTtl: 3600 },
        publicSuffixes: { added: [], excepted: [] },
      },
      auth: { adminToken: null },
      keystone: {
        authUrl: null,
        wwwAuthenticateUri: null,
        username: null,
        password: null,
        projectName: null,
        userDomainName: null,
        projectDomainName: null,
        tokenCacheTime: 300,
        adminRoles: ['admin'],
        readerRoles: ['reader'],
      },
      jwt: {
        issuer: null,
        audience: [],
        algorithms: ['RS256', 'ES256'],
        tokenTypes: ['at+jwt', 'jwt'],
        clockSkew: 30,
        tenantClaim: ['tenant_id'],
        rolesClaim: ['roles'],
        userClaim: ['sub'],
        adminRoles: ['admin'],
        memberRoles: ['member'],
        readerRoles: ['reader'],
        keysCacheTime: 600,
        keysCooldown: 30,
      },
      mdns: {
        enabled: false,
        listen: { host: '127.0.0.1', port: 5354 },
        tsigKeys: [],
        secondaries: [],
        alsoNotify: [],
        allowTransfer: [],
        allowMasters: [],
        resolvers: [],
        catalogZone: null,
        catalogGroup: null,
        copySpace: 256,
        limits: {
          connections: 1000,
          connectionsPerAddress: 100,
          pipelined: 64,
          datagrams: 1000,
          idleTimeout: 10,
          readTimeout: 30,
          transferTimeout: 600,
        },
      },
      rateLimits: { perAddress: 0, perToken: 0, failedCredentials: 0, exempt: ['127.0.0.0/8', '::1'] },
      webhooks: {
        maxWebhooks: 20,
        maxQueue: 10_000,
        maxQueueSize: 67_108_864,
        allowedTargets: [],
        allowedPorts: [443, 80, 8443],
        allowHttp: false,
        nameServers: [],
        requestTimeout: 15,
        firstRetry: 5,
        retryTime: 86_400,
        rotationTime: 86_400,
        deadLetterDays: 14,
      },
      metrics: { listen: null },
      plugins: {
        packages: [],
        changeTimeLimit: 500,
        requestTimeLimit: 10,
        backgroundTimeLimit: 30,
        loopTimeLimit: 30,
      },
      log: { level: 'warn', format: 'auto' },
    });
  });

  it('is frozen through and through', () => {
    const config = loadConfig({ cwd, env: {} });
    expect(
      [config, config.api, config.api.listen, config.api.trustedProxies, config.defaults.quotas].every(Object.isFrozen),
    ).toBe(true);
  });
});

describe('the file', () => {
  it('sets every option', () => {
    const text = `
[DEFAULT]
supported_record_types = A, TYPEn
default_ttl = 600
quota_zones = 0
quota_zone_recordsets = 1
quota_zone_records = 2
quota_recordset_records = 3
quota_api_export_size = 2147483647
[database]
url = postgres://zonewright:p%40ss@db.example.org/zonewright
migrate = off
[service:api]
listen = [2001:db8::1]:80
api_base_uri = https://DNS.example.org:443/api//
trusted_proxies = 192.0.2.1, 2001:db8::/32
auth_strategy = token, keystone, jwt
enable_api_v2 = off
enable_api_admin = TRUE
enabled_extensions_admin = quotas
enabled_extensions_v1 = quotas , other
v1_strict_clients = yes
expiring_records = True
max_body_size = 10MB
max_changes = 10
max_connections = 1
max_requests = 2
max_requests_per_address = 3
max_pipelined_requests = 100000
read_timeout = 3600
max_streams_per_tenant = 1
max_streams = 10000
max_event_streams_per_tenant = 10000
max_event_streams = 1
event_heartbeat = 3600
max_imports_per_tenant = 10000
max_imports = 1
spool_directory = /var/tmp/zonewright
docs = 0
workers = 64
v1_deprecation_header = no
cors_allowed_origins = https://App.example.org, http://app.example.org:8080
noauth_on_public_address = 1
changes_per_minute = 0
max_kept_answers = 8 KiB
shutdown_grace = 0
[service:central]
min_ttl = 60
name_servers = NS1.example.org., ns2.example.org.
history_days = 365
deleted_history_days =
audit_days = 730
soa_refresh = 1
soa_retry = 2
soa_expire = 3
soa_minimum = 2147483647
public_suffixes = customers.example.net.
public_suffix_exceptions = lan., co.jp.
[auth]
admin_token = 0123456789abcdef
[keystone_authtoken]
auth_url = http://keystone.example.org/v3/
www_authenticate_uri = https://keystone.example.org
username = zonewright
password = " bits#and;pieces "
project_name = service
user_domain_name = Default
project_domain_name = Default
token_cache_time = -1
admin_roles = Cloud_Admin, dns-admin
reader_roles =
[jwt]
issuer = https://issuer.example.org/realms/Main/
audience = https://dns.example.org, dns
algorithms = EdDSA
token_types = at+jwt
clock_skew = 0
tenant_claim = https://example.org/tenant
roles_claim = realm_access.roles
user_claim = preferred_username
admin_roles =
member_roles = DNS-writer
reader_roles = dns-reader, auditor
keys_cache_time = 1
keys_cooldown = 3600
[service:mdns]
enabled = True
listen = [::]:53
tsig_keys = Transfer.example:HMAC-SHA512:MDEyMzQ1Njc4OWFiY2RlZg==, other:hmac-sha256:MDEyMzQ1Njc4OWFiY2RlZg==
secondaries = 192.0.2.53:53@transfer.example., [2001:db8::53]:5353
also_notify = 192.0.2.54:53
allow_transfer = 192.0.2.0/24@OTHER, 2001:db8::53
allow_masters = 192.0.2.0/24, 2001:db8::53
catalog_zone = catalog.example.
catalog_group = signed
copy_space = 1
max_connections = 1
max_connections_per_address = 2
max_pipelined_queries = 3
max_datagrams = 4
idle_timeout = 5
read_timeout = 6
transfer_timeout = 7

[rate_limits]
requests_per_address = 1
requests_per_token = 2
failed_credentials_per_address = 2147483647
exempt =

[webhooks]
max_webhooks = 0
max_queue = 1
max_queue_size = 1 kB
allowed_targets = 10.1.0.0/16, fd00::1
allowed_ports =
allow_http = True
resolvers = 192.0.2.53:53, [2001:db8::53]:5353
request_timeout = 60
first_retry = 3600
retry_time = 604800
rotation_time = 0
dead_letter_days = 365

[metrics]
listen = 127.0.0.1:9101

[plugins]
packages = @acme/zonewright-plugin, ./local/plugin.js
change_time_limit_ms = 250
request_time_limit = 5
background_time_limit = 60
loop_time_limit = 0

[log]
level = debug
format = json
`;
    expect(load(text)).toEqual({
      defaults: {
        ttl: 600,
        quotas: { zones: 0, zoneRecordsets: 1, zoneRecords: 2, recordsetRecords: 3, apiExportSize: 2_147_483_647 },
        recordTypes: ['A', 'TYPEn'],
      },
      database: { url: 'postgresql://zonewright:p%40ss@db.example.org/zonewright', migrate: false },
      api: {
        listen: { host: '2001:db8::1', port: 80 },
        baseUri: 'https://dns.example.org/api',
        trustedProxies: ['192.0.2.1', '2001:db8::/32'],
        authStrategies: ['token', 'keystone', 'jwt'],
        enableV2: false,
        enableAdmin: true,
        adminExtensions: ['quotas'],
        v1Extensions: ['quotas', 'other'],
        strictClients: true,
        expiringRecords: true,
        maxBodySize: 10_000_000,
        maxChanges: 10,
        bounds: { connections: 1, requests: 2, requestsPerAddress: 3, pipelined: 100_000, readTimeout: 3600 },
        maxStreams: { perTenant: 1, inAll: 10_000 },
        maxEventStreams: { perTenant: 10_000, inAll: 1 },
        eventHeartbeat: 3600,
        maxImports: { perTenant: 10_000, inAll: 1 },
        spoolDirectory: '/var/tmp/zonewright',
        docs: false,
        workers: 64,
        deprecationHeader: false,
        corsOrigins: ['https://app.example.org', 'http://app.example.org:8080'],
        noauthPublic: true,
        changesPerMinute: 0,
        maxKeptAnswers: 8192,
        shutdownGrace: 0,
      },
      central: {
        minTtl: 60,
        nameServers: ['NS1.example.org.', 'ns2.example.org.'],
        retention: { historyDays: 365, deletedHistoryDays: null, auditDays: 730 },
        soaTimers: { refresh: 1, retry: 2, expire: 3, negativeTtl: 2_147_483_647 },
        publicSuffixes: { added: ['customers.example.net.'], excepted: ['lan.', 'co.jp.'] },
      },
      auth: { adminToken: '0123456789abcdef' },
      keystone: {
        authUrl: 'http://keystone.example.org/v3',
        wwwAuthenticateUri: 'https://keystone.example.org',
        username: 'zonewright',
        password: ' bits#and;pieces ',
        projectName: 'service',
        userDomainName: 'Default',
        projectDomainName: 'Default',
        tokenCacheTime: -1,
        adminRoles: ['cloud_admin', 'dns-admin'],
        readerRoles: [],
      },
      jwt: {
        issuer: 'https://issuer.example.org/realms/Main/',
        audience: ['https://dns.example.org', 'dns'],
        algorithms: ['EdDSA'],
        tokenTypes: ['at+jwt'],
        clockSkew: 0,
        tenantClaim: ['https://example.org/tenant'],
        rolesClaim: ['realm_access', 'roles'],
        userClaim: ['preferred_username'],
        adminRoles: [],
        memberRoles: ['dns-writer'],
        readerRoles: ['dns-reader', 'auditor'],
        keysCacheTime: 1,
        keysCooldown: 3600,
      },
      mdns: {
        enabled: true,
        listen: { host: '::', port: 53 },
        tsigKeys: [
          { name: 'transfer.example.', algorithm: 'hmac-sha512', secret: 'MDEyMzQ1Njc4OWFiY2RlZg==' },
          { name: 'other.', algorithm: 'hmac-sha256', secret: 'MDEyMzQ1Njc4OWFiY2RlZg==' },
        ],
        secondaries: [
          { address: '192.0.2.53', port: 53, key: 'transfer.example.' },
          { address: '2001:db8::53', port: 5353, key: null },
        ],
        alsoNotify: [{ address: '192.0.2.54', port: 53, key: null }],
        allowTransfer: [
          { network: '192.0.2.0/24', key: 'other.' },
          { network: '2001:db8::53', key: null },
        ],
        allowMasters: ['192.0.2.0/24', '2001:db8::53'],
        resolvers: [],
        catalogZone: 'catalog.example.',
        catalogGroup: 'signed',
        copySpace: 1,
        limits: {
          connections: 1,
          connectionsPerAddress: 2,
          pipelined: 3,
          datagrams: 4,
          idleTimeout: 5,
          readTimeout: 6,
          transferTimeout: 7,
        },
      },
      rateLimits: { perAddress: 1, perToken: 2, failedCredentials: 2_147_483_647, exempt: [] },
      webhooks: {
        maxWebhooks: 0,
        maxQueue: 1,
        maxQueueSize: 1000,
        allowedTargets: ['10.1.0.0/16', 'fd00::1'],
        allowedPorts: [],
        allowHttp: true,
        nameServers: [
          { host: '192.0.2.53', port: 53 },
          { host: '2001:db8::53', port: 5353 },
        ],
        requestTimeout: 60,
        firstRetry: 3600,
        retryTime: 604_800,
        rotationTime: 0,
        deadLetterDays: 365,
      },
      metrics: { listen: { host: '127.0.0.1', port: 9101 } },
      plugins: {
        packages: ['@acme/zonewright-plugin', './local/plugin.js'],
        changeTimeLimit: 250,
        requestTimeLimit: 5,
        backgroundTimeLimit: 60,
        loopTimeLimit: 0,
      },
      log: { level: 'debug', format: 'json' },
    });
  });

  it('is the one of --config-file, else of ZONEWRIGHT_CONFIG, else zonewright.conf', () => {
    write('argument.conf', '[DEFAULT]\ndefault_ttl = 1');
    const variable = write('variable.conf', '[DEFAULT]\ndefault_ttl = 2');
    write('zonewright.conf', '[DEFAULT]\ndefault_ttl = 3');
    const env = { ZONEWRIGHT_CONFIG: variable };
    expect(loadConfig({ cwd, env, configFile: 'argument.conf' }).defaults.ttl).toBe(1);
    expect(loadConfig({ cwd, env, configFile: undefined }).defaults.ttl).toBe(2);
    expect(loadConfig({ cwd, env: { ZONEWRIGHT_CONFIG: '' } }).defaults.ttl).toBe(3);
    expect(loadConfig({ cwd, env: {} }).defaults.ttl).toBe(3);
  });

  it('may begin with a byte order mark', () => {
    expect(load('\uFEFF[DEFAULT]\r\ndefault_ttl = 5\r\n').defaults.ttl).toBe(5);
  });

  it('must be readable when it was named', () => {
    expect(refusal(() => loadConfig({ cwd, env: {}, configFile: 'none.conf' }))).toBe(
      `${join(cwd, 'none.conf')}: the configuration file cannot be read (ENOENT)`,
    );
    expect(refusal(() => loadConfig({ cwd, env: { ZONEWRIGHT_CONFIG: '/dev/null/none' } }))).toBe(
      '/dev/null/none: the configuration file cannot be read (ENOTDIR)',
    );
    expect(refusal(() => loadConfig({ cwd, env: {}, configFile: '' }))).toBe(
      `${cwd}: the configuration file cannot be read (EISDIR)`,
    );
    expect(refusal(() => loadConfig({ cwd, env: {}, configFile: '/none\0\nsuch' }))).toMatch(/cannot be read/);
  });

  it('must be a file of UTF-8 text', () => {
    write('zonewright.conf', Buffer.of(0xff, 0xfe));
    expect(refusal(() => loadConfig({ cwd, env: {} }))).toBe('FILE: the configuration file is not UTF-8 text');
    mkdirSync(join(cwd, 'sub', 'zonewright.conf'), { recursive: true });
    expect(refusal(() => loadConfig({ cwd: join(cwd, 'sub'), env: {} }))).toMatch(/cannot be read \(EISDIR\)$/);
  });
});

describe('the environment', () => {
  it('wins over the file', () => {
    const text = '[service:api]\nlisten = 192.0.2.1:1\nworkers = 1\n[service:central]\nmin_ttl = 60';
    const { api, central } = load(text, {
      ZONEWRIGHT_SERVICE_API__LISTEN: '[::1]:0',
      ZONEWRIGHT_SERVICE_CENTRAL__MIN_TTL: '',
    });
    expect(api.listen).toEqual({ host: '::1', port: 0 });
    expect(central.minTtl).toBeNull();
  });

  it('replaces a bad value of the file', () => {
    expect(load('[DEFAULT]\ndefault_ttl = soon', { ZONEWRIGHT_DEFAULT__DEFAULT_TTL: ' 60 ' }).defaults.ttl).toBe(60);
  });

  it('is taken as it is, without quotes and comments', () => {
    expect(loadConfig({ cwd, env: { ZONEWRIGHT_KEYSTONE_AUTHTOKEN__PASSWORD: ' "a#b;c" ' } }).keystone.password).toBe(
      ' "a#b;c" ',
    );
  });

  it('may hold other variables', () => {
    const env = {
      PATH: '/bin',
      ZONEWRIGHT_PORT_9001_TCP: 'tcp://192.0.2.1:9001',
      ZONEWRIGHT_X__Y: undefined,
      ZONE__X: '1',
    };
    expect(() => loadConfig({ cwd, env })).not.toThrow();
  });

  it.each([
    ['ZONEWRIGHT_SERVICE_API__LISEN', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT_API__LISTEN', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT__SERVICE_API__LISTEN', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT_service_api__listen', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT_AUTH__TOTALLY_UNKNOWN', ''],
  ])('holds no unknown option such as %s', (variable, hint) => {
    expect(refusal(() => loadConfig({ cwd, env: { [variable]: '1' } }))).toBe(
      `environment: unknown option "${variable}"; ${hint}names: ZONEWRIGHT_<SECTION>__<OPTION>, options: see zonewright.conf.example`,
    );
  });
});

describe('unknown names in the file', () => {
  it.each([
    [
      '[service_api]',
      'FILE:1: unknown section "service_api"; did you mean [service:api]? sections: DEFAULT, database, ',
    ],
    ['[default]', 'FILE:1: unknown section "default"; did you mean [DEFAULT]? sections: '],
    ['[service:mdn]', 'FILE:1: unknown section "service:mdn"; did you mean [service:mdns]? sections: '],
    ['[weather]', 'FILE:1: unknown section "weather"; sections: DEFAULT, database, service:api, '],
    ['[__proto__]', 'FILE:1: unknown section "__proto__"; sections: '],
    ['[a.b]', 'FILE:1: unknown section "a.b"; '],
    [
      '[auth]\nadmin_tokn = x',
      'FILE:2: unknown option "admin_tokn" in [auth]; did you mean [auth] admin_token? options there: admin_token',
    ],
    [
      '[auth]\nlisten = x',
      'FILE:2: unknown option "listen" in [auth]; did you mean [service:api] listen? options there: ',
    ],
    [
      '[database]\nURL = x',
      'FILE:2: unknown option "URL" in [database]; did you mean [database] url? options there: url, migrate',
    ],
    ['[database]\npool = 4', 'FILE:2: unknown option "pool" in [database]; options there: url, migrate'],
    ['[database]\n__proto__ = x', 'FILE:2: unknown option "__proto__" in [database]; options there: url, migrate'],
    ['[database]\nconstructor.prototype = x', 'FILE:2: unknown option "constructor.prototype" in [database]; options'],
  ])('%j', (text, message) => {
    expect(refusal(() => load(text)).slice(0, message.length)).toBe(message);
  });

  it('an option is set once, wherever its section is opened', () => {
    expect(refusal(() => load('[auth]\n[DEFAULT]\ndefault_ttl = 1\n[auth]\n[DEFAULT]\ndefault_ttl = 1'))).toBe(
      `FILE:6: [DEFAULT] default_ttl is already set at ${join(cwd, 'zonewright.conf')}:3; keep one of them`,
    );
  });
});

describe('bad values', () => {
  const TTL = 'integer from 1 to 2147483647';
  const LISTEN = 'address:port as in 127.0.0.1:9001 or [::1]:9001, port 0 to 65535';
  const BOOLEAN = 'True or False (also 1/0, yes/no, on/off)';
  it.each([
    ['DEFAULT', 'default_ttl', '0', TTL],
    ['DEFAULT', 'default_ttl', '', TTL],
    ['DEFAULT', 'quota_zones', '-1', 'integer from 0 to 2147483647'],
    ['database', 'migrate', 'maybe', BOOLEAN],
    ['service:api', 'listen', '9001', LISTEN],
    ['service:api', 'listen', '', LISTEN],
    [
      'service:api',
      'api_base_uri',
      'dns.example.org',
      'http:// or https:// URL without credentials, query and fragment; or empty',
    ],
    [
      'service:api',
      'trusted_proxies',
      '192.0.2.1, 192.0.2.256',
      'IP address or network as in 192.0.2.1 or 2001:db8::/32; several separated by commas, each once; or empty',
    ],
    [
      'service:api',
      'auth_strategy',
      'Token',
      'one of token, keystone, jwt, noauth; several separated by commas, each once',
    ],
    [
      'service:api',
      'enabled_extensions_admin',
      'quotas audit',
      'extension name; several separated by commas, each once; or empty',
    ],
    [
      'service:api',
      'max_body_size',
      '1 MB/s',
      'number of octets from 1 to 1 GiB, with or without KiB, MiB, GiB, kB, MB or GB',
    ],
    ['service:api', 'workers', '65', 'integer from 1 to 64'],
    [
      'service:api',
      'cors_allowed_origins',
      '*',
      'origin as in https://dns.example.org; several separated by commas, each once; or empty',
    ],
    ['service:api', 'shutdown_grace', '3601', 'integer from 0 to 3600'],
    ['service:central', 'min_ttl', '0', `${TTL}; or empty`],
    [
      'service:central',
      'name_servers',
      '',
      'host name with a final dot as in ns1.example.org.; several separated by commas, each once',
    ],
    ['keystone_authtoken', 'token_cache_time', '-2', 'integer from -1 to 2147483647'],
  ])('[%s] %s = %j', (section, name, value, allowed) => {
    expect(refusal(() => load(`[${section}]\n${name} = ${value}`))).toBe(
      `FILE:2: [${section}] ${name} = "${value}": allowed: ${allowed}`,
    );
    const variable = `ZONEWRIGHT_${section.replace(':', '_').toUpperCase()}__${name.toUpperCase()}`;
    expect(refusal(() => loadConfig({ cwd: root, env: { [variable]: value } }))).toBe(
      `${variable}: [${section}] ${name} = "${value}": allowed: ${allowed}`,
    );
  });

  const PACKAGE = 'name of a package, ./path or /path; several separated by commas, each once; or empty';
  const NETWORK = 'IP address or network as in 192.0.2.1 or 2001:db8::/32';
  const DATABASE = 'sqlite:<path>, sqlite::memory: or postgresql://user:password@host/name';
  it.each([
    [
      'database',
      'url',
      'sqlite:///var/lib/dns.sqlite',
      `a path follows sqlite: without //, because programs disagree on what three slashes begin; allowed: ${DATABASE}`,
    ],
    [
      'database',
      'url',
      'sqlite::memry:',
      `a path does not begin with a colon, because it may be sqlite::memory: mistyped; allowed: ${DATABASE}`,
    ],
    [
      'service:api',
      'trusted_proxies',
      '192.0.2.1, 0.0.0.0/0',
      `a network of /0 is every address there is; allowed: ${NETWORK}; several separated by commas, each once; or empty`,
    ],
    [
      'service:mdns',
      'allow_transfer',
      '::/0@transfer',
      'a network of /0 is every address there is; allowed: address or network, with @key',
    ],
    ['plugins', 'packages', 'zw-a, ./b, zw-a', `entry 3 is the same as entry 1; allowed: ${PACKAGE}`],
    [
      'plugins',
      'packages',
      './a.js, ./A.js',
      `entry 2 is the same as entry 1, because capitals do not count; allowed: ${PACKAGE}`,
    ],
    [
      'plugins',
      'packages',
      'https://plugins.example.org/a.js',
      `a URL would load code from elsewhere; allowed: ${PACKAGE}`,
    ],
    [
      'jwt',
      'issuer',
      'http://issuer.example.org',
      'over http:// anybody on the way could replace its keys; allowed: https:// URL',
    ],
  ])('say why: [%s] %s = %j', (section, name, value, words) => {
    const message = refusal(() => load(`[${section}]\n${name} = ${value}`));
    expect(message).toContain(`FILE:2: [${section}] ${name} = `);
    expect(message).toContain(`: ${words}`);
  });

  it('say why without what must not be shown', () => {
    const key = 'one:hmac-sha256:MDEyMzQ1Njc4OWFiY2RlZg==';
    expect(refusal(() => load(`[service:mdns]\ntsig_keys = ${key}, ${key}`))).toMatch(
      /^FILE:2: \[service:mdns\] tsig_keys = \(not shown\): entry 2 is the same as entry 1; allowed: /,
    );
  });

  it('are shown on one line, cut, and without anything that moves the cursor', () => {
    const message = refusal(() =>
      load('', { ZONEWRIGHT_SERVICE_API__LISTEN: `\u001b[2J\r\n\u2028${'x'.repeat(1000)}` }),
    );
    expect(message).toMatch(
      /^ZONEWRIGHT_SERVICE_API__LISTEN: \[service:api\] listen = "\\u\{1b\}\[2J\\u\{d\}\\u\{a\}\\u\{2028\}x+"…: allowed: /,
    );
    expect(message.length).toBeLessThan(400);
  });
});

describe('secrets', () => {
  const SECRET = 'hunter2';
  it.each([
    ['auth', 'admin_token', SECRET],
    ['auth', 'admin_token', `${SECRET} ${SECRET} ${SECRET}`],
    ['auth', 'admin_token', `"${SECRET}"0123456789`],
    ['auth', 'admin_token', `${SECRET}#0123456789`],
    ['keystone_authtoken', 'password', `"${SECRET}\\n"`],
    ['keystone_authtoken', 'auth_url', `http://zonewright:${SECRET}@keystone.example.org`],
    ['keystone_authtoken', 'auth_url', `zonewright:${SECRET}@keystone.example.org`],
    ['database', 'url', `mysql://zonewright:${SECRET}@db.example.org/zonewright`],
    ['database', 'url', `postgresql://zonewright:${SECRET}/@db.example.org:x/zonewright`],
    ['database', 'url', SECRET],
  ])('are not shown: [%s] %s = %s', (section, name, value) => {
    const message = refusal(() => load(`[${section}]\n${name} = ${value}`));
    expect(message).toContain(name);
    expect(message).not.toContain(SECRET);
  });

  it('are not shown when their line cannot be read', () => {
    expect(refusal(() => load(`[auth]\nadmin_token: ${SECRET}==`))).toBe(
      'FILE:2: cannot be read; allowed are [section], option = value, and comments after # or ;',
    );
  });

  it('are named by what is allowed', () => {
    expect(refusal(() => load(`[auth]\nadmin_token = ${SECRET}`))).toBe(
      'FILE:2: [auth] admin_token = (not shown): allowed: at least 16 visible ASCII characters, no blanks; or empty',
    );
  });
});

describe('options that must agree', () => {
  it('several workers need PostgreSQL', () => {
    expect(refusal(() => load('[service:api]\nworkers = 2'))).toBe(
      'FILE:2: [service:api] workers = "2": allowed: 1, because SQLite serves one process; more need a postgresql:// URL in [database] url',
    );
    expect(
      load('[service:api]\nworkers = 2\n[database]\nurl = postgresql://db.example.org/zonewright').api.workers,
    ).toBe(2);
  });

  const noauth = (listen: string, rest = '') =>
    load(`[service:api]\nauth_strategy = noauth\nlisten = ${listen}\n${rest}`);

  it.each([
    '127.0.0.1:9001',
    '127.8.9.10:0',
    '[::1]:9001',
    '[::ffff:127.0.0.1]:9001',
    '[::1%lo]:9001',
    'LocalHost:9001',
  ])('noauth may listen on %s', (listen) => {
    expect(noauth(listen).api.authStrategies).toEqual(['noauth']);
  });

  it.each([
    '0.0.0.0:9001',
    '[::]:9001',
    '192.0.2.1:9001',
    '[fe80::1%lo]:9001',
    '[::ffff:192.0.2.1]:1',
    'localhost.example.org:9001',
  ])('noauth may listen on %s only when told so', (listen) => {
    expect(refusal(() => noauth(listen))).toBe(
      `FILE:3: [service:api] listen = "${listen}": allowed: a loopback address, because auth_strategy = noauth makes everybody admin; noauth_on_public_address = True permits it all the same`,
    );
    expect(noauth(listen, 'noauth_on_public_address = True').api.noauthPublic).toBe(true);
  });

  it.each(['noauth, token', 'jwt, noauth'])('noauth stands alone: %s', (strategies) => {
    expect(refusal(() => load(`[service:api]\nauth_strategy = ${strategies}`))).toBe(
      `FILE:2: [service:api] auth_strategy = "${strategies}": allowed: noauth alone, because it lets everybody in whom the others would refuse`,
    );
  });

  it('each strategy is named once', () => {
    expect(refusal(() => load('[service:api]\nauth_strategy = token, token'))).toMatch(
      /several separated by commas, each once$/,
    );
  });

  it('jwt needs an issuer and an audience', () => {
    const strategy = '[service:api]\nauth_strategy = token, jwt';
    expect(refusal(() => load(strategy))).toMatch(
      /^\[jwt\] issuer is not set: give the URL of an OIDC issuer, because auth_strategy = jwt takes its tokens$/,
    );
    const issuer = '[jwt]\nissuer = https://issuer.example.org/';
    expect(refusal(() => load(`${strategy}\n${issuer}`))).toMatch(/^\[jwt\] audience is not set: give what tokens/);
    expect(load(`${strategy}\n${issuer}\naudience = dns`).jwt).toMatchObject({
      issuer: 'https://issuer.example.org/',
      audience: ['dns'],
    });
  });

  it('keystone needs a server', () => {
    const strategy = '[service:api]\nauth_strategy = keystone';
    expect(refusal(() => load(strategy))).toBe(
      '[keystone_authtoken] auth_url is not set: give the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
    );
    expect(refusal(() => load(`${strategy}\n[keystone_authtoken]\nauth_url =`))).toBe(
      'FILE:4: [keystone_authtoken] auth_url = "": give the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
    );
  });

  it('a user of Keystone needs a password', () => {
    const server = '[service:api]\nauth_strategy = keystone\n[keystone_authtoken]\nauth_url = http://127.0.0.1:5000';
    expect(refusal(() => load(`${server}\nusername = zonewright`))).toBe(
      '[keystone_authtoken] password is not set: give a username together with a password, or neither of them',
    );
  });

  it.each(['none', 'HS256', 'RS256, HS512', 'RSA1_5'])(
    'jwt takes signatures with published keys only: %s',
    (algorithms) => {
      expect(refusal(() => load(`[jwt]\nalgorithms = ${algorithms}`))).toMatch(/allowed: one of RS256, RS384,/);
    },
  );
});

describe('keys of name servers', () => {
  const keys = 'tsig_keys = one:hmac-sha256:MDEyMzQ1Njc4OWFiY2RlZg==';

  it.each([
    ['secondaries', '192.0.2.53:53@two'],
    ['also_notify', '192.0.2.53:53@two'],
    ['allow_transfer', '192.0.2.0/24@two'],
  ])('are named where they are needed: %s', (name, value) => {
    expect(refusal(() => load(`[service:mdns]\n${keys}\n${name} = ${value}`))).toBe(
      `FILE:3: [service:mdns] ${name} = "***@two": allowed behind @: the name of a key in [service:mdns] tsig_keys`,
    );
  });

  it('have one secret each, which no message shows', () => {
    const twice = `${keys}, ONE.:hmac-sha512:MDEyMzQ1Njc4OWFiY2RlZg==`;
    expect(refusal(() => load(`[service:mdns]\n${twice}`))).toBe(
      'FILE:2: [service:mdns] tsig_keys = (not shown): allowed: each name of a key once',
    );
    const short = 'tsig_keys = one:hmac-sha256:c2hvcnQ=';
    expect(refusal(() => load(`[service:mdns]\n${short}`))).toMatch(/= \(not shown\): allowed: .* at least 16 octets/);
  });
});
