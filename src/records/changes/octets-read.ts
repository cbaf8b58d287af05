import type { RecordOperation } from './record-operation.js';
import type { OperationPlan, PlannedTouch } from './operation-plan.js';
import type { RecordEntity } from '../record.entity.js';
import type { SetKey } from '../record-set.entity.js';
import type { ZoneState } from './state/zone-state.js';

/** So much is read for the one that every change costs. */
const FREE_OCTETS = 262_144;
const OCTETS_OF_ONE = 65_536;

/** What a change asks for, as far as that says what is read. */
interface AskedReads {
  readonly operations: readonly RecordOperation[];
  readonly plan: Pick<OperationPlan, 'touches'> | null;
}

/** What a change costs for the records that it makes the service read (behaviour 8.7), from a state in which they are loaded. */
export function priceOfReads(state: ZoneState, asked: AskedReads): number {
  return Math.floor(Math.max(0, octetsReadBy(state, asked) - FREE_OCTETS) / OCTETS_OF_ONE);
}

function octetsReadBy(state: ZoneState, { operations, plan }: AskedReads): number {
  let octets = plan === null ? 0 : octetsTouched(state, plan.touches);
  for (const operation of operations) {
    if ('id' in operation) octets += octetsOf(state.record(operation.id));
    else if ('ownerKey' in operation) octets += octetsOfSet(state, operation);
  }
  return octets;
}

function octetsTouched(state: ZoneState, { wholeSets, wholeOwners }: PlannedTouch): number {
  let octets = 0;
  for (const set of wholeSets) octets += octetsOfSet(state, set);
  for (const ownerKey of wholeOwners)
    for (const type of state.setsAt(ownerKey).keys()) octets += octetsOfSet(state, { ownerKey, type });
  return octets;
}

function octetsOfSet(state: ZoneState, { ownerKey, type }: SetKey): number {
  let octets = 0;
  for (const record of state.set(ownerKey, type)?.members.values() ?? []) octets += octetsOf(record);
  return octets;
}

/** Of its text as it is stored, with the RDATA in hexadecimal. */
function octetsOf(record: RecordEntity | null): number {
  return record === null ? 0 : record.data.length + record.rdata.length;
}
