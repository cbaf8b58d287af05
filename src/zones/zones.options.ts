import type { RecordTypes } from '../dns/rdata/index.js';

/** What zones need of the configuration. */
export interface ZonesOptions {
  /** The service's own name servers, absolute names; the first stands in the SOA record. */
  readonly nameServers: readonly string[];
  /** Every type that may be stored, also those that are no longer taken. */
  readonly types: RecordTypes;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}

export const ZONES_OPTIONS = Symbol('ZonesOptions');
