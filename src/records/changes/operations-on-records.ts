import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { assertTtlAllowed } from '../../zones/minimum-ttl.js';
import { mergedContent } from './merged-content.js';
import type { OperationContext } from './operation-context.js';
import type { RecordContent } from '../record-content.js';
import type { CreateOperation, DeleteOperation, ReplaceOperation, UpdateOperation } from './record-operation.js';
import type { RecordEntity } from '../record.entity.js';
import { noSuchRecord } from '../record.repository.js';

/** @throws ServiceError for what the record is refused for, as far as it shows before all of the list is done; so do the others */
export function createRecord(
  context: OperationContext,
  { content, former }: CreateOperation,
  index: number,
): RecordEntity {
  context.steps.assertMay('create', content);
  return context.steps.create(index, allowed(context, content, null), former);
}

/** What is said of the record is merged into it; the whole of it then passes the rules of a new one (behaviour 6.2). */
export function updateRecord(context: OperationContext, operation: UpdateOperation, index: number): RecordEntity {
  const before = existing(context, operation);
  const content = mergedContent(context.rules.types, before, operation.fields);
  return context.steps.update(index, before, allowed(context, content, before));
}

/** The record that was. */
export function deleteRecord(context: OperationContext, operation: DeleteOperation, index: number): RecordEntity {
  const record = existing(context, operation);
  context.steps.remove(index, record);
  return record;
}

/** The records of the set as it is now, in the order of the contents. */
export function replaceRecords(
  context: OperationContext,
  { ownerKey, type, contents, expect }: ReplaceOperation,
  index: number,
): RecordEntity[] {
  const { state, steps } = context;
  steps.assertMay(null, { ownerKey, type });
  const set = state.set(ownerKey, type);
  const isEmpty = set?.row?.recordCount === 0;
  const former = new Map([...(set?.members.values() ?? [])].map((record) => [record.fingerprint, record]));
  const records = contents.map((content) => {
    const before = former.get(content.fingerprint);
    former.delete(content.fingerprint);
    expect?.(content, before ?? null);
    if (before === undefined) return steps.create(index, allowed(context, content, null));
    return says(before, content) ? before : steps.update(index, before, allowed(context, content, before));
  });
  for (const record of former.values()) steps.remove(index, record);
  if (contents.length === 0 && isEmpty) steps.removeEmptySet({ ownerKey, type });
  return records;
}

function existing(
  { state, steps }: OperationContext,
  { action, id, expect }: UpdateOperation | DeleteOperation,
): RecordEntity {
  const record = state.record(id);
  if (record === null) throw noSuchRecord();
  steps.assertMay(action, record);
  expect?.(record);
  return record;
}

function allowed(
  { rules, caller, steps }: OperationContext,
  content: RecordContent,
  before: RecordEntity | null,
): RecordContent {
  assertTtlAllowed(content.ttl, rules.minTtl, caller);
  const { expiresAt } = content;
  if (expiresAt !== null && expiresAt !== before?.expiresAt && expiresAt <= steps.begunAt)
    throw ServiceError.ofField(
      'invalid_object',
      'expires_at',
      'minimum',
      'expires_at: this time has already passed.',
      because('time_is_over', {}),
    );
  return content;
}

/** Whether an update changes nothing. */
function says(record: RecordEntity, content: RecordContent): boolean {
  return (['name', 'data', 'ttl', 'description', 'expiresAt'] as const).every(
    (field) => record[field] === content[field],
  );
}
