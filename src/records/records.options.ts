import type { RecordTypes } from '../dns/rdata/index.js';
import type { Generation } from '../plugins/change-listener.js';
import { inSection, option } from '../config/option.js';
import { boolean, integer, list, orEmpty, recordTypeName } from '../config/readers.js';

export const RECORD_TYPE_OPTIONS = inSection('DEFAULT', {
  recordTypes: option(
    orEmpty([], list(recordTypeName)),
    '',
    'record types that are accepted, TYPEn for all that have only a number; empty: all',
    { name: 'supported_record_types' },
  ),
});

export const V1_RECORD_OPTIONS = inSection('service:api', {
  strictClients: option(
    boolean,
    'False',
    'list records with the ten fields of a single record only, for clients that reject other fields',
    { name: 'v1_strict_clients' },
  ),
  expiringRecords: option(
    boolean,
    'False',
    'take and show expires_at in records of v1: the time at which the service removes a record',
  ),
});

export const CHANGE_SET_OPTIONS = inSection('service:api', {
  maxChanges: option(integer(1, 1000), '1000', 'entries of one change set; a longer one is answered 400'),
});

export abstract class RecordsOptions {
  abstract readonly types: RecordTypes;
  /** Every stored type, including types no longer accepted. */
  abstract readonly knownTypes: RecordTypes;
  /** Defaults for the SOA and apex NS of zones without their own. */
  abstract readonly generation: Generation;
  /** Seconds. Only an admin may set a lower ttl; `null`: no minimum. */
  abstract readonly minTtl: number | null;
  /** Limits list entries to the ten fields of a single record. */
  abstract readonly strictClients: boolean;
  /** Whether version 1 accepts and shows expiry times. */
  abstract readonly expiringRecords: boolean;
  abstract readonly maxChanges: number;
}
