import type { Caller } from '../common/caller.js';
import { type ErrorCode, ServiceError } from '../common/service-error.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { assertTtlAllowed } from '../zones/minimum-ttl.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { mergedContent } from './merged-content.js';
import type { OperationRules } from './operation-rules.js';
import type { RecordContent } from './record-content.js';
import type {
  CreateOperation,
  DeleteOperation,
  DoneOperation,
  RecordOperation,
  ReplaceOperation,
  UpdateOperation,
} from './record-operation.js';
import type { SetKey } from './record-set.entity.js';
import type { RecordEntity } from './record.entity.js';
import { noSuchRecord } from './record.repository.js';
import { type OperationFault, StateChange } from './state-change.js';
import type { ZoneState } from './zone-state.js';

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
    );
  }
}

/** The first fault of all: what the caller may not decides before all else, and a repetition after it, as of single operations. */
export function decidingFault<Fault extends OperationFault>(faults: readonly Fault[]): Fault | undefined {
  const withCode = (isCode: (code: ErrorCode) => boolean) => faults.find(({ error }) => isCode(error.code));
  return withCode((code) => code === 'forbidden') ?? withCode((code) => code !== 'duplicate_record') ?? faults[0];
}

/**
 * Carries out a list of operations in a state, in one go: what counts is the state that all of them together lead to
 * (behaviour 9.2).
 * @throws OperationsRefused, ServiceError `over_quota`; nothing of it is left then
 */
export function carryOut(
  state: ZoneState,
  change: ZoneChange,
  operations: readonly RecordOperation[],
  rules: OperationRules,
  isDryRun: boolean,
): DoneOperation[] {
  const steps = new StateChange(state, change, rules);
  try {
    refuse(contradictions(state, operations, rules.types));
    const performing = new Performing(state, steps, rules, change.caller);
    const done = operations.map((operation, index) => performing.attempt(operation, index));
    refuse(performing.faults);
    refuse(steps.faults());
    // Without a fault none is missing.
    const complete = done.filter((one) => one !== null);
    if (isDryRun) {
      steps.note();
      state.undo();
    } else steps.accept();
    return complete;
  } catch (error) {
    state.undo();
    throw error;
  }
}

function refuse(faults: readonly OperationFault[]): void {
  if (faults.length > 0) throw new OperationsRefused(faults);
}

class Performing {
  readonly faults: OperationFault[] = [];

  constructor(
    private readonly state: ZoneState,
    private readonly steps: StateChange,
    private readonly rules: OperationRules,
    private readonly caller: Caller,
  ) {}

  /** What the operation did, or `null` and a fault. */
  attempt(operation: RecordOperation, index: number): DoneOperation | null {
    try {
      return this.perform(operation, index);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.faults.push({ index, error });
      return null;
    }
  }

  private perform(operation: RecordOperation, index: number): DoneOperation {
    switch (operation.action) {
      case 'create':
        return {
          action: 'create',
          record: this.create(operation, index),
        };
      case 'update':
        return { action: 'update', record: this.update(operation, index) };
      case 'delete': {
        const record = this.existing(operation);
        this.steps.remove(index, record);
        return { action: 'delete', record };
      }
      case 'replace':
        return { action: 'replace', records: this.replace(operation, index) };
    }
  }

  private create({ content, former }: CreateOperation, index: number): RecordEntity {
    this.steps.assertMay('create', content);
    return this.steps.create(index, this.allowed(content, null), former);
  }

  private update(operation: UpdateOperation, index: number): RecordEntity {
    const before = this.existing(operation);
    const content = mergedContent(this.rules.types, before, operation.fields);
    return this.steps.update(index, before, this.allowed(content, before));
  }

  private replace({ ownerKey, type, contents, expect }: ReplaceOperation, index: number): RecordEntity[] {
    this.steps.assertMay(null, { ownerKey, type });
    const set = this.state.set(ownerKey, type);
    const isEmpty = set?.row?.recordCount === 0;
    const former = new Map([...(set?.members.values() ?? [])].map((record) => [record.fingerprint, record]));
    const records = contents.map((content) => {
      const before = former.get(content.fingerprint);
      former.delete(content.fingerprint);
      expect?.(content, before ?? null);
      if (before === undefined) return this.steps.create(index, this.allowed(content, null));
      return says(before, content) ? before : this.steps.update(index, before, this.allowed(content, before));
    });
    for (const record of former.values()) this.steps.remove(index, record);
    if (contents.length === 0 && isEmpty) this.steps.removeEmptySet({ ownerKey, type });
    return records;
  }

  private existing({ action, id, expect }: UpdateOperation | DeleteOperation): RecordEntity {
    const record = this.state.record(id);
    if (record === null) throw noSuchRecord();
    this.steps.assertMay(action, record);
    expect?.(record);
    return record;
  }

  private allowed(content: RecordContent, before: RecordEntity | null): RecordContent {
    assertTtlAllowed(content.ttl, this.rules.minTtl, this.caller);
    const { expiresAt } = content;
    if (expiresAt !== null && expiresAt !== before?.expiresAt && expiresAt <= this.steps.begunAt)
      throw ServiceError.ofField('invalid_object', 'expires_at', 'minimum', 'expires_at: the time is over already.');
    return content;
  }
}

/** Whether a record already is what is said of it. */
function says(record: RecordEntity, content: RecordContent): boolean {
  return (['name', 'data', 'ttl', 'description', 'expiresAt'] as const).every(
    (field) => record[field] === content[field],
  );
}

/** Behaviour 9.2: two operations on one record, or on a record set that one of them replaces. */
function contradictions(
  state: ZoneState,
  operations: readonly RecordOperation[],
  types: RecordTypes,
): OperationFault[] {
  if (operations.length < 2) return [];
  const replaced = new Set(operations.filter((operation) => operation.action === 'replace').map(setName));
  const sets = operations.map((operation) => (replaced.size === 0 ? [] : setsOf(state, operation, types)));
  const timesSet = countsOf(sets.flat());
  const timesRecord = countsOf(operations.flatMap((operation) => ('id' in operation ? [operation.id] : [])));
  return operations.flatMap((operation, index) => {
    if ('id' in operation && (timesRecord.get(operation.id) ?? 0) > 1)
      return [{ index, error: contradiction('This record is changed twice.') }];
    if (sets[index]?.some((set) => replaced.has(set) && (timesSet.get(set) ?? 0) > 1))
      return [{ index, error: contradiction('This record set is replaced, and changed besides.') }];
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
  if (operation.action === 'replace') return [setName(operation)];
  const record = state.record(operation.id);
  if (record === null) return [];
  const { name } = operation.action === 'update' ? operation.fields : {};
  if (name === undefined) return [setName(record)];
  try {
    return [...new Set([setName(record), setName(mergedContent(types, record, { name }))])];
  } catch (error) {
    // It will be refused for its name.
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
