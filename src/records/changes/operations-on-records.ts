import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { assertTtlAllowed } from '../../zones/zone-fields.js';
import { mergedContent } from './merged-content.js';
import type { OperationContext } from './operation-context.js';
import type { RecordContent } from '../record-content.js';
import type {
  CreateOperation,
  DeleteOperation,
  ReplaceOperation,
  ReplacingContent,
  UpdateOperation,
} from './record-operation.js';
import type { RecordEntity } from '../record.entity.js';
import { noSuchRecord } from '../record.repository.js';
import { forgetDescription, SetNotes } from './set-notes.js';

export function createRecord(
  context: OperationContext,
  { content, former }: CreateOperation,
  index: number,
): RecordEntity {
  context.steps.assertMay('create', content);
  return context.steps.create(index, allowed(context, content, null), former);
}

/** Merges the fields into the record and checks the result by the rules for new records (behaviour 6.2). */
export function updateRecord(context: OperationContext, operation: UpdateOperation, index: number): RecordEntity {
  const before = existing(context, operation);
  const content = mergedContent(context.rules.types, before, operation.fields);
  const { state, steps } = context;
  const after = steps.update(index, before, allowed(context, content, before));
  const own = state.set(after.ownerKey, after.type)?.row?.description ?? null;
  // A client that changes the description of a record refers to the whole set.
  if (after.description !== before.description && before.description === own) forgetDescription(state, steps, after);
  return after;
}

export function deleteRecord(context: OperationContext, operation: DeleteOperation, index: number): RecordEntity {
  const record = existing(context, operation);
  context.steps.remove(index, record);
  return record;
}

export function replaceRecords(
  context: OperationContext,
  { ownerKey, type, contents, expect, expectNew }: ReplaceOperation,
  index: number,
): RecordEntity[] {
  const { state, steps } = context;
  steps.assertMay(null, { ownerKey, type });
  const set = state.set(ownerKey, type);
  const isEmpty = set?.row?.recordCount === 0;
  const former = new Map([...(set?.members.values() ?? [])].map((record) => [record.fingerprint, record]));
  if (former.size === 0 && contents.length > 0) expectNew?.();
  const notes = new SetNotes(set);
  const names = new Set([...former.values()].map(({ name }) => name));
  const wanted = new Set(contents.map(({ fingerprint }) => fingerprint));
  const expiresAt = notes.expiry(({ fingerprint }) => wanted.has(fingerprint));
  const records = contents.map((sent) => {
    const before = former.get(sent.fingerprint);
    former.delete(sent.fingerprint);
    expect?.(sent, before ?? null);
    const { leftOut = [] } = sent;
    if (before === undefined) {
      const content = allowed(context, sent, null);
      return steps.create(index, leftOut.includes('expiresAt') ? { ...content, expiresAt } : content);
    }
    // All records of a set share one owner name. A record keeps its case unless no record of the set has the case sent.
    const name = names.has(sent.name) ? before.name : sent.name;
    const content = { ...keeping(before, sent, leftOut), name };
    return says(before, content) ? before : steps.update(index, before, allowed(context, content, before));
  });
  for (const record of former.values()) steps.remove(index, record);
  if (contents.every(({ leftOut = [] }) => leftOut.includes('description')))
    notes.keepDescription(state, steps, { ownerKey, type });
  else forgetDescription(state, steps, { ownerKey, type });
  if (contents.length === 0 && isEmpty) steps.removeEmptySet({ ownerKey, type });
  return records;
}

function keeping(
  { description, expiresAt }: RecordEntity,
  content: ReplacingContent,
  leftOut: NonNullable<ReplacingContent['leftOut']>,
): RecordContent {
  return {
    ...content,
    ...(leftOut.includes('description') && { description }),
    ...(leftOut.includes('expiresAt') && { expiresAt }),
  };
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
  if (content.ttl !== before?.ttl) assertTtlAllowed(content.ttl, rules.minTtl, caller);
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

/** Whether the record already has this content. */
function says(record: RecordEntity, content: RecordContent): boolean {
  return (['name', 'data', 'ttl', 'description', 'expiresAt'] as const).every(
    (field) => record[field] === content[field],
  );
}
