import { describe, expect, it } from '@jest/globals';
import { optionsIn, variableName } from '../../config/option.js';
import { configurationFiles } from '../../../test/support/configuration.js';
import { declaredOptions } from '../../../test/support/declared-options.js';
import { BUILT_IN_OPTIONS } from './built-in-options.js';

const files = configurationFiles();

describe('our options', () => {
  it('are all that features declare, each under one name', async () => {
    const declared = await declaredOptions();
    const collected = optionsIn(BUILT_IN_OPTIONS);
    const namesOf = (options: typeof collected) => options.map(({ section, name }) => variableName(section, name));
    expect(namesOf(collected).sort()).toEqual(namesOf(declared).sort());
    expect(new Set(namesOf(collected)).size).toBe(collected.length);
  });

  it('have the documented defaults', () => {
    expect(files.defaults()).toMatchObject({
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
        exportSpace: 256,
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
      rateLimits: { perAddress: 0, perToken: 0, failedCredentials: 0, exempt: ['127.0.0.0/8', '::1'] },
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

  it('can all be set', () => {
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
auth_strategy = token
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
export_space = 1048576
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
[rate_limits]
requests_per_address = 1
requests_per_token = 2
failed_credentials_per_address = 2147483647
exempt =
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
    expect(files.load(text)).toMatchObject({
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
        authStrategies: ['token'],
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
        exportSpace: 1_048_576,
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
      rateLimits: { perAddress: 1, perToken: 2, failedCredentials: 2_147_483_647, exempt: [] },
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

  it('several workers need PostgreSQL', () => {
    expect(files.refusal('[service:api]\nworkers = 2')).toBe(
      'FILE:2: [service:api] workers = "2": allowed: 1, because SQLite serves one process; more need a postgresql:// URL in [database] url',
    );
    expect(
      files.load('[service:api]\nworkers = 2\n[database]\nurl = postgresql://db.example.org/zonewright').api.workers,
    ).toBe(2);
  });
});
