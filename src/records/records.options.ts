import type { RecordTypes } from '../dns/rdata/index.js';
import type { Generation } from '../zones/generation.js';

/** What records need of the configuration. */
export abstract class RecordsOptions {
  /** The types that the service takes. */
  abstract readonly types: RecordTypes;
  /** Every type that may be stored, also those that are no longer taken. */
  abstract readonly knownTypes: RecordTypes;
  /** What SOA and apex NS are generated from where a zone does not say it itself. */
  abstract readonly generation: Generation;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
  /** Lists carry only the ten fields of a single record. */
  abstract readonly strictClients: boolean;
  /** Whether version 1 takes and shows when records are to be removed. */
  abstract readonly expiringRecords: boolean;
  /** The highest number of entries in one change set. */
  abstract readonly maxChanges: number;
}
