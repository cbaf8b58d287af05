import { ServiceError } from '../../common/service-error.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { mergedContent } from './merged-content.js';
import type { RecordOperation } from './record-operation.js';
import type { SetKey } from '../record-set.entity.js';
import type { OperationFault } from './state/change-session.js';
import type { ZoneState } from './state/zone-state.js';

/** Behaviour 9.2: two operations on one record, or on a record set that one of them is about as a whole. */
export function contradictions(
  state: ZoneState,
  operations: readonly RecordOperation[],
  types: RecordTypes,
): OperationFault[] {
  const whole = new Set(operations.flatMap((operation) => ('ownerKey' in operation ? [setName(operation)] : [])));
  // Each is about a record set of its own, as in a message of DNS UPDATE.
  if (whole.size === operations.length) return [];
  const sets = operations.map((operation) => (whole.size === 0 ? [] : setsOf(state, operation, types)));
  const timesSet = countsOf(sets.flat());
  const timesRecord = countsOf(operations.flatMap((operation) => ('id' in operation ? [operation.id] : [])));
  return operations.flatMap((operation, index) => {
    if ('id' in operation && (timesRecord.get(operation.id) ?? 0) > 1)
      return [{ index, error: contradiction('The change set changes this record twice.') }];
    if (sets[index]?.some((set) => whole.has(set) && (timesSet.get(set) ?? 0) > 1))
      return [{ index, error: contradiction('The change set replaces this record set and changes it as well.') }];
    return [];
  });
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The record sets that an operation takes a record from or puts one into, each once. */
function setsOf(state: ZoneState, operation: RecordOperation, types: RecordTypes): string[] {
  if (operation.action === 'create') return [setName(operation.content)];
  if ('ownerKey' in operation) return [setName(operation)];
  if (operation.action === 'amend zone') return [];
  const record = state.record(operation.id);
  if (record === null) return [];
  const { name } = operation.action === 'update' ? operation.fields : {};
  if (name === undefined) return [setName(record)];
  try {
    return [...new Set([setName(record), setName(mergedContent(types, record, { name }))])];
  } catch (error) {
    // Its name will be refused later, with its own message.
    if (error instanceof ServiceError) return [setName(record)];
    throw error;
  }
}

function setName({ ownerKey, type }: SetKey): string {
  return `${ownerKey} ${type}`;
}

function contradiction(reason: string): ServiceError {
  return ServiceError.ofField('invalid_object', '', 'enum', `${reason} Keep one of the two.`);
}
