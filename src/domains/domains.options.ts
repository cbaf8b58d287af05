/** What domains need of the configuration. */
export interface DomainsOptions {
  /** ttl in seconds of a domain that is created without one. */
  readonly defaultTtl: number;
  /** The service's own name servers, absolute names. */
  readonly nameServers: readonly string[];
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}

export const DOMAINS_OPTIONS = Symbol('DomainsOptions');
