import type { RecordTypes } from '../dns/rdata/index.js';
import type { Generation } from '../zones/generation.js';

export interface RecordsOptions {
  /** The types that the service takes. */
  readonly types: RecordTypes;
  /** Every type that may be stored, also those that are no longer taken. */
  readonly knownTypes: RecordTypes;
  /** What SOA and apex NS are generated from where a zone does not say it itself. */
  readonly generation: Generation;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
  /** Lists carry only the ten fields of a single record. */
  readonly strictClients: boolean;
}

export const RECORDS_OPTIONS = Symbol('RecordsOptions');
