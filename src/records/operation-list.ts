import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { assertTtlAllowed } from '../zones/minimum-ttl.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { readRecordContent, type RecordContent, type RecordFields, type RecordUpdate } from './record-content.js';
import type {
  DeleteOperation,
  DoneOperation,
  RecordOperation,
  ReplaceOperation,
  UpdateOperation,
} from './record-operation.js';
import type { SetKey } from './record-set.entity.js';
import type { RecordEntity } from './record.entity.js';
import { noSuchRecord } from './record.repository.js';
import { type Judging, type OperationFault, StateChange } from './state-change.js';
import type { ZoneState } from './zone-state.js';

/** What operations are understood and judged by. */
export interface OperationRules extends Judging {
  /** The types that the service takes. */
  readonly types: RecordTypes;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}

/** Some operations of a list are refused, and so all of it is. */
export class OperationsRefused extends ServiceError {
  /** @param faults at least one */
  constructor(readonly faults: readonly OperationFault[]) {
    const [first] = faults;
    // What is more than a repetition is said first, as of single operations.
    const { error } = faults.find((fault) => fault.error.code !== 'duplicate_record') ??
      first ?? { error: noSuchRecord() };
    const message = faults.length > 1 ? `${faults.length} operations are refused. The first: ` : '';
    super(
      error.code,
      message + error.message,
      faults.flatMap(({ index, error: { errors } }) =>
        errors.map((one) => ({ ...one, path: `operations[${index}]${one.path === '' ? '' : '.'}${one.path}` })),
      ),
    );
  }
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
    steps.note();
    if (isDryRun) state.undo();
    else state.accept();
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
          record: this.steps.create(index, this.allowed(operation.content), operation.former),
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

  private update(operation: UpdateOperation, index: number): RecordEntity {
    const before = this.existing(operation);
    const content = mergedContent(this.rules.types, before, operation.fields);
    return this.steps.update(index, before, this.allowed(content));
  }

  private replace({ ownerKey, type, contents }: ReplaceOperation, index: number): RecordEntity[] {
    const former = new Map(
      [...(this.state.set(ownerKey, type)?.members.values() ?? [])].map((record) => [record.fingerprint, record]),
    );
    const records = contents.map((content) => {
      const before = former.get(content.fingerprint);
      former.delete(content.fingerprint);
      if (before === undefined) return this.steps.create(index, this.allowed(content));
      return says(before, content) ? before : this.steps.update(index, before, this.allowed(content));
    });
    for (const record of former.values()) this.steps.remove(index, record);
    return records;
  }

  private existing({ id, expect }: UpdateOperation | DeleteOperation): RecordEntity {
    const record = this.state.record(id);
    if (record === null) throw noSuchRecord();
    expect?.(record);
    return record;
  }

  private allowed(content: RecordContent): RecordContent {
    assertTtlAllowed(content.ttl, this.rules.minTtl, this.caller);
    return content;
  }
}

/** Whether a record already is what is said of it. */
function says(record: RecordEntity, { name, data, ttl, description }: RecordContent): boolean {
  return record.name === name && record.data === data && record.ttl === ttl && record.description === description;
}

/**
 * What a record becomes: every field that was said replaces what is stored, null included; no field is derived from another
 * (behaviour 6.2, 6.3).
 * @throws ServiceError `change_not_allowed` for another type, and as `readRecordContent`
 */
export function mergedContent(types: RecordTypes, before: RecordEntity, fields: RecordUpdate): RecordContent {
  assertSameType(before, fields.type);
  const { name, type, data, priority, ttl, description } = before;
  const stored: RecordFields = { name, type, data, priority, ttl, description };
  const said = Object.entries(fields).filter(([field, value]) => field in stored && value !== undefined);
  return readRecordContent(types, { ...stored, ...Object.fromEntries(said) });
}

function assertSameType(record: RecordEntity, type: string | undefined): void {
  if (type === undefined || type === record.type) return;
  throw ServiceError.ofField(
    'change_not_allowed',
    'type',
    'enum',
    `The type of a record cannot change; create a new record and delete this ${record.type}.`,
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
      return [{ index, error: contradiction('This record has another operation in the list.') }];
    if (sets[index]?.some((set) => replaced.has(set) && (timesSet.get(set) ?? 0) > 1))
      return [
        { index, error: contradiction('This record set has another operation in the list, and one replaces it.') },
      ];
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
  return ServiceError.ofField('invalid_object', '', 'enum', `${reason} Say once what it shall be.`);
}
