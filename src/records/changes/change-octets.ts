import { ServiceError } from '../../common/service-error.js';
import { surcharge } from '../../common/waiting/token-bucket.js';
import type { RecordOperation } from './record-operation.js';
import type { DeferredOperations, OperationScope } from './deferred-operations.js';
import type { RecordEntity } from '../record.entity.js';
import type { SetKey } from '../record-set.entity.js';
import type { ZoneState } from './state/zone-state.js';

/** 16 MiB. On SQLite the commit of twice as much holds the event loop for 75 ms, where rule 1.14 allows 100 ms. */
export const MOST_OCTETS_WRITTEN = 16_777_216;
/** 64 MiB, whose commit takes up to 80 ms. */
const MOST_OCTETS_DELETED = 67_108_864;
const MIB = 1_048_576;

/** The part of a change that decides which records are read. */
interface ReadRequest {
  readonly operations: readonly RecordOperation[];
  readonly plan: Pick<DeferredOperations, 'scope'> | null;
}

/**
 * Refuses a change that writes too much in one commit.
 * @param written all records that it creates or rewrites
 * @param deleted the journal takes each of them once, the indexes and the file nothing
 * @throws ServiceError `file_too_large`
 */
export function assertWritesLittle(written: Iterable<StoredTexts>, deleted: Iterable<StoredTexts>): void {
  assertFits(written, 'writes', MOST_OCTETS_WRITTEN);
  assertFits(deleted, 'deletes', MOST_OCTETS_DELETED);
}

function assertFits(records: Iterable<StoredTexts>, verb: 'writes' | 'deletes', bound: number): void {
  let octets = 0;
  for (const record of records) octets += storedOctets(record);
  if (octets <= bound) return;
  const [size, most] = [octets, bound].map((count) => (count / MIB).toFixed(1));
  throw new ServiceError(
    'file_too_large',
    `The change ${verb} ${size} MiB of record data (text, and RDATA in hexadecimal), more than the ${most} MiB of one change; send it in several changes.`,
  );
}

/** Price of the records that a change makes the service read (behaviour 8.7), from a state in which they are loaded. */
export function priceOfReads(state: ZoneState, request: ReadRequest): number {
  return surcharge(octetsReadBy(state, request));
}

function octetsReadBy(state: ZoneState, { operations, plan }: ReadRequest): number {
  let octets = plan === null ? 0 : octetsTouched(state, plan.scope);
  for (const operation of operations) {
    if ('id' in operation) octets += storedOctets(state.record(operation.id));
    else if ('ownerKey' in operation) octets += octetsOfSet(state, operation);
  }
  return octets;
}

function octetsTouched(state: ZoneState, { wholeSets, wholeOwners }: OperationScope): number {
  let octets = 0;
  for (const set of wholeSets) octets += octetsOfSet(state, set);
  for (const ownerKey of wholeOwners)
    for (const type of state.setsAt(ownerKey).keys()) octets += octetsOfSet(state, { ownerKey, type });
  return octets;
}

function octetsOfSet(state: ZoneState, { ownerKey, type }: SetKey): number {
  let octets = 0;
  for (const record of state.set(ownerKey, type)?.members.values() ?? []) octets += storedOctets(record);
  return octets;
}

type StoredTexts = Pick<RecordEntity, 'data' | 'rdata'>;

/** Octets of its text and of its RDATA in hexadecimal. */
function storedOctets(record: StoredTexts | null): number {
  return record === null ? 0 : record.data.length + record.rdata.length;
}
