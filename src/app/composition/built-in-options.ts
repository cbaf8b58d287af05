import { ALIAS_OPTIONS, ALIAS_RULES } from '../../aliases/aliases.options.js';
import {
  AUTH_OPTIONS,
  AUTH_RULES,
  NOAUTH_OPTIONS,
  STRATEGY_OPTIONS,
  USER_TOKEN_OPTIONS,
} from '../../auth/auth.options.js';
import { JWT_OPTIONS, JWT_RULES } from '../../auth/jwt/jwt.options.js';
import { KEYSTONE_OPTIONS, KEYSTONE_RULES } from '../../auth/keystone/keystone.options.js';
import type { Config } from '../../config/config.js';
import type { Rule, OptionTree, ValuesOf } from '../../config/option.js';
import { type ConfigSource, loadOptions } from '../../config/load-config.js';
import { CONSOLE_OPTIONS } from '../../console/console.options.js';
import { CONSOLE_RULES, ISSUER_SIGN_IN_OPTIONS, SESSION_OPTIONS } from '../../console/session/session.options.js';
import { DNSSEC_OPTIONS, DNSSEC_RULES } from '../../dnssec/dnssec.options.js';
import { DATABASE_OPTIONS, SPOOL_OPTIONS } from '../../database/database.options.js';
import { EXTERNAL_DNS_OPTIONS } from '../../external-dns/external-dns.options.js';
import { EVENTS_OPTIONS } from '../../feed/events/events.options.js';
import { WEBHOOKS_OPTIONS } from '../../feed/webhooks/webhooks.options.js';
import { AUDIT_OPTIONS } from '../../history/audit/audit.options.js';
import { HEADER_OPTIONS, LISTENING_OPTIONS, RATE_LIMIT_OPTIONS, REQUEST_OPTIONS } from '../../http/http.options.js';
import { IDEMPOTENCY_OPTIONS } from '../../http/idempotency-keys/idempotency.options.js';
import { LIVE_CHECKS_OPTIONS } from '../../live-checks/live-checks.options.js';
import { LOG_OPTIONS, METRICS_OPTIONS } from '../../observability/observability.options.js';
import { PLUGINS_OPTIONS } from '../../plugins/plugins.options.js';
import { POWERDNS_OPTIONS } from '../../powerdns/powerdns.options.js';
import { MDNS_OPTIONS, MDNS_RULES } from '../../publishing/publishing.options.js';
import { CHANGE_RATE_OPTIONS, QUOTA_DEFAULTS } from '../../quotas/quotas.options.js';
import { CHANGE_SET_OPTIONS, RECORD_TYPE_OPTIONS, V1_RECORD_OPTIONS } from '../../records/records.options.js';
import { TEMPLATE_OPTIONS } from '../../templates/templates.options.js';
import { EXPORT_OPTIONS, IMPORT_OPTIONS } from '../../zone-files/zone-files.options.js';
import {
  HISTORY_OPTIONS,
  PUBLIC_SUFFIX_OPTIONS,
  SOA_OPTIONS,
  ZONE_DEFAULTS,
  ZONES_OPTIONS,
} from '../../zones/zones.options.js';
import {
  INTERFACE_OPTIONS,
  MEMORY_OPTIONS,
  SERVICE_OPTIONS,
  SERVICE_RULES,
  STOP_OPTIONS,
  STREAM_OPTIONS,
} from '../service.options.js';

/** In the order of the reference. A new option is an entry in one of these groups, and needs no line here. */
export const BUILT_IN_OPTIONS = {
  defaults: { ...ZONE_DEFAULTS, quotas: QUOTA_DEFAULTS, ...RECORD_TYPE_OPTIONS },
  database: DATABASE_OPTIONS,
  api: {
    ...LISTENING_OPTIONS,
    ...STRATEGY_OPTIONS,
    ...INTERFACE_OPTIONS,
    ...V1_RECORD_OPTIONS,
    ...REQUEST_OPTIONS,
    ...CHANGE_SET_OPTIONS,
    ...STREAM_OPTIONS,
    ...MEMORY_OPTIONS,
    ...EVENTS_OPTIONS,
    ...IMPORT_OPTIONS,
    ...EXPORT_OPTIONS,
    ...SPOOL_OPTIONS,
    ...SERVICE_OPTIONS,
    ...HEADER_OPTIONS,
    ...NOAUTH_OPTIONS,
    ...CHANGE_RATE_OPTIONS,
    ...IDEMPOTENCY_OPTIONS,
    ...STOP_OPTIONS,
  },
  central: {
    ...ZONES_OPTIONS,
    retention: { ...HISTORY_OPTIONS, ...AUDIT_OPTIONS },
    soaTimers: SOA_OPTIONS,
    publicSuffixes: PUBLIC_SUFFIX_OPTIONS,
  },
  auth: { ...AUTH_OPTIONS, ...USER_TOKEN_OPTIONS },
  keystone: KEYSTONE_OPTIONS,
  jwt: JWT_OPTIONS,
  console: { ...CONSOLE_OPTIONS, ...SESSION_OPTIONS, ...ISSUER_SIGN_IN_OPTIONS },
  mdns: MDNS_OPTIONS,
  dnssec: DNSSEC_OPTIONS,
  alias: ALIAS_OPTIONS,
  liveChecks: LIVE_CHECKS_OPTIONS,
  templates: TEMPLATE_OPTIONS,
  rateLimits: RATE_LIMIT_OPTIONS,
  powerdns: POWERDNS_OPTIONS,
  externalDns: EXTERNAL_DNS_OPTIONS,
  webhooks: WEBHOOKS_OPTIONS,
  metrics: METRICS_OPTIONS,
  plugins: PLUGINS_OPTIONS,
  log: LOG_OPTIONS,
} satisfies OptionTree;

declare module '../../config/config.js' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its members are those of the declarations
  interface Config extends ValuesOf<typeof BUILT_IN_OPTIONS> {}
}

export const BUILT_IN_RULES: readonly Rule<Config>[] = [
  ...SERVICE_RULES,
  ...AUTH_RULES,
  ...KEYSTONE_RULES,
  ...JWT_RULES,
  ...CONSOLE_RULES,
  ...MDNS_RULES,
  ...DNSSEC_RULES,
  ...ALIAS_RULES,
];

/** Reads and validates the configuration, without options of plugins. @throws ConfigError for the first error */
export function loadConfig(source: ConfigSource = {}): Config {
  return loadOptions({ options: BUILT_IN_OPTIONS, rules: BUILT_IN_RULES, added: [] }, source).config;
}

// For plugins.
export type ApiConfig = Config['api'];
export type JwtConfig = Config['jwt'];
export type KeystoneConfig = Config['keystone'];
export type MdnsConfig = Config['mdns'];
export type QuotaDefaults = Config['defaults']['quotas'];
export type RateLimitsConfig = Config['rateLimits'];
export type SoaTimers = Config['central']['soaTimers'];
export type WebhooksConfig = Config['webhooks'];
