import type { RecordTypes } from '../dns/rdata/index.js';

export interface RecordsOptions {
  /** The types that the service takes. */
  readonly types: RecordTypes;
  /** Every type that may be stored, also those that are no longer taken. */
  readonly knownTypes: RecordTypes;
  /** The service's own name servers, absolute names; the first stands in the SOA record. */
  readonly nameServers: readonly string[];
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
  /** Lists carry only the ten fields of a single record. */
  readonly strictClients: boolean;
}

export const RECORDS_OPTIONS = Symbol('RecordsOptions');
