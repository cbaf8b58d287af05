import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import {
  readNewRecord,
  readRecordContent,
  type RecordContent,
  type RecordFields,
  type RecordUpdate,
} from '../record-content.js';
import type { RecordEntity } from '../record.entity.js';

/**
 * What a record becomes: every field that was said replaces what is stored, null included; no field is derived from another
 * (behaviour 6.2, 6.3).
 * @throws ServiceError `change_not_allowed` for another type, and as `readRecordContent`
 */
export function mergedContent(types: RecordTypes, before: RecordEntity, fields: RecordUpdate): RecordContent {
  assertSameType(before, fields.type);
  const { name, type, data, priority, ttl, description, expiresAt } = before;
  const stored = { name, type, data, fields: undefined, priority, ttl, description, expiresAt };
  const said = Object.entries(fields).filter(([field, value]) => field in stored && value !== undefined);
  // Fields say all of the data.
  if (fields.fields !== undefined) said.unshift(['data', fields.data]);
  const merged: RecordFields = { ...stored, ...Object.fromEntries(said) };
  const isRenamed = merged.name !== name;
  return isRenamed ? readNewRecord(types, merged) : readRecordContent(types, merged);
}

function assertSameType(record: RecordEntity, type: string | undefined): void {
  if (type === undefined || type === record.type) return;
  throw ServiceError.ofField(
    'change_not_allowed',
    'type',
    'enum',
    `The type of a record cannot change; create a new record and delete this ${record.type}.`,
    because('type_is_fixed', { type: record.type }),
  );
}
