import { type ErrorCode, ServiceError } from '../../common/service-error.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import { assertWritesLittle } from './change-octets.js';
import { contradictions } from './contradictions.js';
import type { OperationContext, OperationRules } from './operation-context.js';
import { createRecord, deleteRecord, replaceRecords, updateRecord } from './operations-on-records.js';
import { createSet, deleteSet, updateSet } from './operations-on-sets.js';
import { amendSet } from './set-amendment.js';
import type { DoneOperation, RecordOperation } from './record-operation.js';
import { noSuchRecord } from '../record.repository.js';
import { type OperationFault, ChangeSession } from './state/change-session.js';
import type { ZoneState } from './state/zone-state.js';

/** Some operations of a list are refused, and so all of it is. */
export class OperationsRefused extends ServiceError {
  /** @param faults at least one */
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

/** The first fault of all: what the caller may not decides before all else, and a repetition after it, as of single operations. */
export function decidingFault<Fault extends OperationFault>(faults: readonly Fault[]): Fault | undefined {
  const withCode = (isCode: (code: ErrorCode) => boolean) => faults.find(({ error }) => isCode(error.code));
  return withCode((code) => code === 'forbidden') ?? withCode((code) => code !== 'duplicate_record') ?? faults[0];
}

/**
 * Carries out a list of operations in a state, all of it or nothing: what counts is the state that all of them together lead
 * to (behaviour 9.2).
 * @throws OperationsRefused, ServiceError `over_quota`, `file_too_large`; nothing of it is left then
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
    const { done, faults } = carryOutEach({ state, steps, rules, caller: change.caller }, operations);
    refuse(faults);
    refuse(steps.faults());
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

/** Whether all would stay as it is. Nothing of the operations is left then. */
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

/** Goes on after a fault, so that a caller is told of all of them. */
function carryOutEach(
  context: OperationContext,
  operations: readonly RecordOperation[],
): { readonly done: DoneOperation[]; readonly faults: OperationFault[] } {
  const done: DoneOperation[] = [];
  const faults: OperationFault[] = [];
  for (const [index, operation] of operations.entries())
    try {
      done.push(carryOutOne(context, operation, index));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ index, error });
    }
  return { done, faults };
}

function carryOutOne(context: OperationContext, operation: RecordOperation, index: number): DoneOperation {
  const { zone } = context.state;
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
    case 'amend zone':
      context.steps.amendZone(
        operation.amend(zone, ({ ownerKey, type }) => [...(context.state.set(ownerKey, type)?.members.values() ?? [])]),
      );
      return { action: 'amend zone', records: [] };
  }
}
