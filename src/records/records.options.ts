import type { RecordTypes } from '../dns/rdata/index.js';
import type { Generation } from '../zones/generation.js';
import { inSection } from '../config/option.js';
import { boolean, integer, list, orEmpty, recordTypeName } from '../config/readers.js';

export const RECORD_TYPE_OPTIONS = inSection('DEFAULT', {
  recordTypes: {
    name: 'supported_record_types',
    default: '',
    reader: orEmpty([], list(recordTypeName)),
    meaning: 'record types that are accepted, TYPEn for all that have only a number; empty: all',
  },
});

/** Of records as version 1 shows them. */
export const V1_RECORD_OPTIONS = inSection('service:api', {
  strictClients: {
    name: 'v1_strict_clients',
    default: 'False',
    reader: boolean,
    meaning: 'list records with the ten fields of a single record only, for clients that reject other fields',
  },
  expiringRecords: {
    name: 'expiring_records',
    default: 'False',
    reader: boolean,
    meaning: 'take and show expires_at in records of v1: the time at which the service removes a record',
  },
});

export const CHANGE_SET_OPTIONS = inSection('service:api', {
  maxChanges: {
    name: 'max_changes',
    default: '1000',
    reader: integer(1, 1000),
    meaning: 'entries of one change set; a longer one is answered 400',
  },
});

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
