import { type ErrorCode, ServiceError } from '../../common/service-error.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import { assertWritesLittle } from './change-memory.js';
import type { OperationContext, OperationRules } from './operation-context.js';
import { createRecord, deleteRecord, replaceRecords, updateRecord } from './operations-on-records.js';
import { createSet, deleteSet, labelSet, updateSet } from './operations-on-sets.js';
import { amendSet } from './set-amendment.js';
import type { ChangeResult } from './change-request.js';
import { isFollowed } from './alias-rules.js';
import {
  type CreateOperation,
  type DeleteOperation,
  type DoneOperation,
  isOnWholeSet,
  type RecordOperation,
  type UpdateOperation,
} from './record-operation.js';
import { noSuchRecord } from '../record.repository.js';
import { type OperationFault, ChangeSession } from './state/change-session.js';
import type { ZoneState } from './state/zone-state.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { mergedContent } from './merged-content.js';
import type { SetKey } from '../record-set.entity.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';

export class OperationsRefused extends ServiceError {
  constructor(readonly faults: readonly OperationFault[]) {
    const { error } = decidingFault(faults) ?? { error: noSuchRecord() };
    const message = faults.length > 1 ? `${faults.length} of the changes are refused. The first: ` : '';
    super(
      error.code,
      message + error.message,
      faults.flatMap(({ index, error: { errors } }) =>
        errors.map((one) => ({ ...one, path: `operations[${index}]${one.path === '' ? '' : '.'}${one.path}` })),
      ),
      null,
      error.firstFacts,
    );
  }
}

/** The first fault: missing rights come first and duplicates last, as for single operations. */
export function decidingFault<Fault extends OperationFault>(faults: readonly Fault[]): Fault | undefined {
  const withCode = (isCode: (code: ErrorCode) => boolean) => faults.find(({ error }) => isCode(error.code));
  return withCode((code) => code === 'forbidden') ?? withCode((code) => code !== 'duplicate_record') ?? faults[0];
}

/**
 * Carries out all operations or none. The rules judge the state after all of them (behaviour 9.2).
 * @throws OperationsRefused, ServiceError `over_quota`, `file_too_large`; undoes the operations then
 */
export function applyAll(
  state: ZoneState,
  change: ZoneChange,
  operations: readonly RecordOperation[],
  rules: OperationRules,
  isDryRun: boolean,
): DoneOperation[] {
  const steps = new ChangeSession(state, change, rules);
  try {
    if (operations.length > 1) refuse(contradictions(state, operations, rules.types));
    const { done, faults } = applyEach({ state, steps, rules, caller: change.caller }, operations);
    refuse(faults);
    steps.removeFollowed(operations);
    refuse([...steps.followedFaults(), ...steps.faults()]);
    assertWritesLittle(state.touchedRecords(), state.removedRecords());
    if (isDryRun) {
      steps.note();
      state.undo();
    } else steps.accept();
    return done;
  } catch (error) {
    state.undo();
    throw error;
  }
}

/** Tests the operations, then undoes them. */
export function changesNothing(
  state: ZoneState,
  { zone, caller, begunAt }: ZoneChange,
  operations: readonly RecordOperation[],
  rules: OperationRules,
): boolean {
  const tried = new ZoneChange(zone, caller, begunAt);
  try {
    applyAll(state, tried, operations, rules, true);
    return tried.zoneAfter === zone;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function refuse(faults: readonly OperationFault[]): void {
  if (faults.length > 0) throw new OperationsRefused(faults);
}

function applyEach(
  context: OperationContext,
  operations: readonly RecordOperation[],
): { readonly done: DoneOperation[]; readonly faults: OperationFault[] } {
  const done: DoneOperation[] = [];
  const faults: OperationFault[] = [];
  const [labels, others] = [isLabel, isOther].map((isWanted) => [...operations.entries()].filter(isWanted));
  // A label may stand before the records of its set.
  for (const [index, operation] of [...(others ?? []), ...(labels ?? [])])
    try {
      done[index] = applyOne(context, operation, index);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ index, error });
    }
  return { done, faults };
}

const isLabel = ([, { action }]: [number, RecordOperation]): boolean => action === 'label set';
const isOther = (entry: [number, RecordOperation]): boolean => !isLabel(entry);

function applyOne(context: OperationContext, operation: RecordOperation, index: number): DoneOperation {
  const { zone } = context.state;
  if ('leavesFollowed' in operation && isFollowedRecord(context.state, operation))
    return { action: 'amend set', records: [] };
  switch (operation.action) {
    case 'create':
      return { action: 'create', record: createRecord(context, operation, index) };
    case 'update':
      return { action: 'update', record: updateRecord(context, operation, index) };
    case 'delete':
      return { action: 'delete', record: deleteRecord(context, operation, index) };
    case 'replace':
      return { action: 'replace', records: replaceRecords(context, operation, index) };
    case 'create set':
      return { action: 'create set', zone, ...createSet(context, operation, index) };
    case 'update set':
      return { action: 'update set', zone, ...updateSet(context, operation, index) };
    case 'delete set':
      return { action: 'delete set', zone, ...deleteSet(context, operation, index) };
    case 'amend set':
      amendSet(context, operation, index);
      return { action: 'amend set', records: [] };
    case 'label set':
      labelSet(context, operation);
      return { action: 'label set', records: [] };
    case 'amend zone':
      context.steps.amendZone(
        operation.amend(zone, ({ ownerKey, type }) => [...(context.state.set(ownerKey, type)?.members.values() ?? [])]),
      );
      return { action: 'amend zone', records: [] };
  }
}

function isFollowedRecord(state: ZoneState, operation: CreateOperation | UpdateOperation | DeleteOperation): boolean {
  const set = operation.action === 'create' ? operation.content : state.record(operation.id);
  return set !== null && isFollowed(state, set);
}

/** Behaviour 9.2: two operations on one record, or on a record set that one of them treats as a whole. */
function contradictions(
  state: ZoneState,
  operations: readonly RecordOperation[],
  types: RecordTypes,
): OperationFault[] {
  const whole = new Set(operations.flatMap((operation) => (isOnWholeSet(operation) ? [setName(operation)] : [])));
  const timesLabels = countsOf(
    operations.flatMap((operation) => (operation.action === 'label set' ? [setName(operation)] : [])),
  );
  // Each treats its own record set as a whole, as in a DNS UPDATE message.
  if (whole.size === operations.length) return [];
  const sets = operations.map((operation) => (whole.size === 0 ? [] : setsOf(state, operation, types)));
  const timesSet = countsOf(sets.flat());
  const timesRecord = countsOf(operations.flatMap((operation) => ('id' in operation ? [operation.id] : [])));
  return operations.flatMap((operation, index) => {
    if ('id' in operation && (timesRecord.get(operation.id) ?? 0) > 1)
      return [{ index, error: contradiction('The change set changes this record twice.') }];
    if (operation.action === 'label set' && (timesLabels.get(setName(operation)) ?? 0) > 1)
      return [{ index, error: contradiction('The change set labels this record set twice.') }];
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

function setsOf(state: ZoneState, operation: RecordOperation, types: RecordTypes): string[] {
  if (operation.action === 'create') return [setName(operation.content)];
  if (operation.action === 'amend zone' || operation.action === 'label set') return [];
  if (isOnWholeSet(operation)) return [setName(operation)];
  const record = state.record(operation.id);
  if (record === null) return [];
  const { name } = operation.action === 'update' ? operation.fields : {};
  if (name === undefined) return [setName(record)];
  try {
    return [...new Set([setName(record), setName(mergedContent(types, record, { name }))])];
  } catch (error) {
    // A later check refuses this name with its own message.
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

export function refusalOfOne(error: unknown): Error {
  if (error instanceof OperationsRefused) return error.faults[0]?.error ?? error;
  return error instanceof Error ? error : new Error(String(error));
}

export function hookOfOne<Result>(
  hook: ChangeHook<Result>,
  resultOf: (done: ChangeResult) => Result,
): ChangeHook<ChangeResult> {
  return {
    load: (tx, zone) => hook.load?.(tx, zone) ?? Promise.resolve(),
    admit: (zone) => hook.admit?.(zone),
    write: (tx, outcome) => {
      const ofOne = 'error' in outcome ? { error: refusalOfOne(outcome.error) } : { value: resultOf(outcome.value) };
      return hook.write?.(tx, ofOne) ?? Promise.resolve();
    },
  };
}
