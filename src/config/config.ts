/** The whole configuration, validated and frozen; `options.ts` says what each option means. */
export interface Config {
  readonly defaults: {
    /** ttl of a new domain, in seconds */
    readonly ttl: number;
    readonly quotas: QuotaDefaults;
    /** names of the record types that are taken; none: all that the service knows */
    readonly recordTypes: readonly string[];
  };
  readonly database: {
    /** `sqlite:<path>`, `sqlite::memory:` or `postgresql://…`; may hold a password, so it is never logged */
    readonly url: string;
    readonly migrate: boolean;
  };
  readonly api: ApiConfig;
  readonly central: {
    /** lowest ttl a non-admin may set */
    readonly minTtl: number | null;
    /** absolute names, at least one, spelled as the operator did */
    readonly nameServers: readonly string[];
  };
  readonly auth: {
    readonly adminToken: string | null;
  };
  readonly keystone: KeystoneConfig;
}

/** What a tenant may use until somebody sets another quota; each 0..2147483647. */
export interface QuotaDefaults {
  readonly zones: number;
  readonly zoneRecordsets: number;
  readonly zoneRecords: number;
  readonly recordsetRecords: number;
  readonly apiExportSize: number;
}

export interface ApiConfig {
  /** `host` is a name or an address; an IPv6 address stands without brackets. Port 0 picks a free one. */
  readonly listen: { readonly host: string; readonly port: number };
  /** without a trailing slash; null: each request's own */
  readonly baseUri: string | null;
  /** addresses and networks (CIDR) whose X-Forwarded-* count */
  readonly trustedProxies: readonly string[];
  readonly authStrategy: 'token' | 'keystone' | 'noauth';
  readonly enableAdmin: boolean;
  /** names as written; the module graph knows which exist */
  readonly adminExtensions: readonly string[];
  /** names as written; the module graph knows which exist */
  readonly v1Extensions: readonly string[];
  readonly strictClients: boolean;
  /** in octets */
  readonly maxBodySize: number;
  readonly docs: boolean;
  readonly workers: number;
  readonly deprecationHeader: boolean;
  /** origins as a browser sends them: lower case, no default port, no final slash */
  readonly corsOrigins: readonly string[];
  readonly noauthPublic: boolean;
  /** in seconds */
  readonly shutdownGrace: number;
}

/** As keystonemiddleware names and defaults them. */
export interface KeystoneConfig {
  readonly authUrl: string | null;
  readonly wwwAuthenticateUri: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly projectName: string | null;
  readonly userDomainName: string | null;
  readonly projectDomainName: string | null;
  /** in seconds; -1 switches the cache off */
  readonly tokenCacheTime: number;
}
