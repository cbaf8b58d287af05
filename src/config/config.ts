/** The whole configuration, validated and frozen; `options.ts` says what each option means. */
export interface Config {
  readonly defaults: {
    /** the ttl of a new domain, in seconds */
    readonly ttl: number;
    readonly quotas: QuotaDefaults;
    /** names of the record types that are accepted; empty: all that the service knows */
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
    /** at least one absolute name, in the operator's spelling */
    readonly nameServers: readonly string[];
    /** in days; null: for ever */
    readonly retention: {
      readonly historyDays: number | null;
      readonly deletedHistoryDays: number | null;
      readonly auditDays: number | null;
    };
    readonly soaTimers: SoaTimers;
    /** absolute names by which the Public Suffix List is corrected */
    readonly publicSuffixes: { readonly added: readonly string[]; readonly excepted: readonly string[] };
  };
  readonly auth: {
    readonly adminToken: string | null;
  };
  readonly keystone: KeystoneConfig;
  readonly jwt: JwtConfig;
  readonly mdns: MdnsConfig;
  readonly rateLimits: RateLimitsConfig;
  readonly webhooks: WebhooksConfig;
  readonly metrics: {
    /** null: on the port of the API, for admins */
    readonly listen: { readonly host: string; readonly port: number } | null;
  };
  readonly plugins: {
    /** names of packages, and paths of files that begin with `.` or `/` */
    readonly packages: readonly string[];
    /** in milliseconds */
    readonly changeTimeLimit: number;
    /** in seconds */
    readonly requestTimeLimit: number;
    readonly backgroundTimeLimit: number;
    /** 0: none */
    readonly loopTimeLimit: number;
  };
  readonly log: {
    readonly level: 'error' | 'warn' | 'info' | 'debug';
    /** auto: pretty on a terminal, otherwise JSON */
    readonly format: 'auto' | 'json' | 'pretty';
  };
}

/** Over all workers of a machine, in a minute; 0: no limit. */
export interface RateLimitsConfig {
  readonly perAddress: number;
  readonly perToken: number;
  readonly failedCredentials: number;
  /** addresses and networks that no limit holds for */
  readonly exempt: readonly string[];
}

/** What tenants may have the service call. */
export interface WebhooksConfig {
  /** of a tenant */
  readonly maxWebhooks: number;
  /** events that wait for one webhook, and dead letters of one */
  readonly maxQueue: number;
  /** in octets, of all webhooks of a tenant */
  readonly maxQueueSize: number;
  /** addresses and networks (CIDR) that are called although they are not public */
  readonly allowedTargets: readonly string[];
  /** empty: all */
  readonly allowedPorts: readonly number[];
  readonly allowHttp: boolean;
  /** addresses, IPv6 without brackets; empty: those of the system */
  readonly nameServers: readonly { readonly host: string; readonly port: number }[];
  /** in seconds */
  readonly requestTimeout: number;
  /** in seconds */
  readonly firstRetry: number;
  /** in seconds */
  readonly retryTime: number;
  /** in seconds */
  readonly rotationTime: number;
  readonly deadLetterDays: number;
}

/** Of the SOA record of each zone, in seconds. */
export interface SoaTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negativeTtl: number;
}

/** How zones are handed to name servers. */
export interface MdnsConfig {
  readonly enabled: boolean;
  readonly listen: { readonly host: string; readonly port: number };
  /** in MiB */
  readonly copySpace: number;
  readonly tsigKeys: readonly TsigKey[];
  /** the name servers of the pool: notified, and asked for their serials */
  readonly secondaries: readonly NotifiedServer[];
  /** notified, and not asked */
  readonly alsoNotify: readonly NotifiedServer[];
  /** empty: the secondaries, each with its key */
  readonly allowTransfer: readonly NetworkAccess[];
  /** networks of masters of secondary zones; empty: whatever is public */
  readonly allowMasters: readonly string[];
  /** addresses, IPv6 without brackets; empty: those of the system */
  readonly resolvers: readonly { readonly host: string; readonly port: number }[];
  /** absolute name; null: none */
  readonly catalogZone: string | null;
  /** the `group` property of its members; null: none */
  readonly catalogGroup: string | null;
  /** of the name server in one process */
  readonly limits: {
    readonly connections: number;
    readonly connectionsPerAddress: number;
    /** queries under way of one connection */
    readonly pipelined: number;
    /** queries under way that have come by UDP */
    readonly datagrams: number;
    /** in seconds */
    readonly idleTimeout: number;
    /** in seconds */
    readonly readTimeout: number;
    /** in seconds */
    readonly transferTimeout: number;
  };
}

/** The key's name is in lower case and absolute. */
export interface TsigKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
  /** in base64; never shown */
  readonly secret: string;
}

export interface NotifiedServer {
  /** IPv6 without brackets */
  readonly address: string;
  readonly port: number;
  /** name of a key; null: messages are not signed */
  readonly key: string | null;
}

export interface NetworkAccess {
  /** address or CIDR */
  readonly network: string;
  /** name of the key that must sign; null: the address is enough */
  readonly key: string | null;
}

/** The limits of a tenant for which no others are set; each 0 to 2147483647. */
export interface QuotaDefaults {
  readonly zones: number;
  readonly zoneRecordsets: number;
  readonly zoneRecords: number;
  readonly recordsetRecords: number;
  readonly apiExportSize: number;
}

export type AuthStrategy = 'token' | 'keystone' | 'jwt' | 'noauth';

export interface ApiConfig {
  /** `host` is a name or an address, IPv6 without brackets. Port 0 means any free port. */
  readonly listen: { readonly host: string; readonly port: number };
  /** without a trailing slash; null: the scheme and host of each request */
  readonly baseUri: string | null;
  /** addresses and networks (CIDR) whose X-Forwarded-* headers are believed */
  readonly trustedProxies: readonly string[];
  /** at least one; noauth is alone */
  readonly authStrategies: readonly AuthStrategy[];
  readonly enableV2: boolean;
  readonly enableAdmin: boolean;
  /** names in the operator's spelling; `AppModule` checks that they exist */
  readonly adminExtensions: readonly string[];
  /** names in the operator's spelling; `AppModule` checks that they exist */
  readonly v1Extensions: readonly string[];
  readonly strictClients: boolean;
  readonly expiringRecords: boolean;
  /** in octets */
  readonly maxBodySize: number;
  /** entries of one change set */
  readonly maxChanges: number;
  readonly docs: boolean;
  /** connections and requests under way in one process */
  readonly bounds: {
    readonly connections: number;
    readonly requests: number;
    readonly requestsPerAddress: number;
    /** waiting on one connection for the answer before them */
    readonly pipelined: number;
    /** in seconds */
    readonly readTimeout: number;
  };
  /** long lists, exports and checks under way in one process, for one tenant and in all */
  readonly maxStreams: { readonly perTenant: number; readonly inAll: number };
  /** streams of events open in one process, for one tenant and in all */
  readonly maxEventStreams: { readonly perTenant: number; readonly inAll: number };
  /** in seconds */
  readonly eventHeartbeat: number;
  /** imports under way in one process, for one tenant and in all */
  readonly maxImports: { readonly perTenant: number; readonly inAll: number };
  /** null: beside the SQLite database, or where the system keeps temporary files */
  readonly spoolDirectory: string | null;
  readonly workers: number;
  readonly deprecationHeader: boolean;
  /** origins as a browser sends them: lower case, no default port, no final slash */
  readonly corsOrigins: readonly string[];
  readonly noauthPublic: boolean;
  /** 0: no limit */
  readonly changesPerMinute: number;
  /** in octets, of one tenant */
  readonly maxKeptAnswers: number;
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
  /** roles of Keystone, in lower case */
  readonly adminRoles: readonly string[];
  readonly readerRoles: readonly string[];
}

/** What is believed of the tokens of an OIDC issuer. */
export interface JwtConfig {
  /** as the issuer writes it; null: none */
  readonly issuer: string | null;
  /** a token is for at least one of them */
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** of the header `typ`, in lower case; a token without one is a `jwt` */
  readonly tokenTypes: readonly string[];
  /** in seconds */
  readonly clockSkew: number;
  /** each the names on the way to a claim, from the outermost */
  readonly tenantClaim: readonly string[];
  readonly rolesClaim: readonly string[];
  readonly userClaim: readonly string[];
  /** values of the claim, in lower case */
  readonly adminRoles: readonly string[];
  readonly memberRoles: readonly string[];
  readonly readerRoles: readonly string[];
  /** in seconds */
  readonly keysCacheTime: number;
  /** in seconds */
  readonly keysCooldown: number;
}
