import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { DomainName } from '../../dns/name.js';
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
 * The record after an update: given fields replace stored ones, null included (behaviour 6.2, 6.3).
 * @throws ServiceError `change_not_allowed` for another type, and as `readRecordContent`
 */
export function mergedContent(types: RecordTypes, before: RecordEntity, fields: RecordUpdate): RecordContent {
  assertSameType(before, fields.type);
  const { name, type, data, priority, ttl, description, expiresAt } = before;
  const stored = { name, type, data, fields: undefined, priority, ttl, description, expiresAt };
  const said = Object.entries(fields).filter(([field, value]) => field in stored && value !== undefined);
  if (fields.fields !== undefined) said.unshift(['data', fields.data]);
  const merged: RecordFields = { ...stored, ...Object.fromEntries(said) };
  if (keepsContent(types, before, merged)) return sameContent(before, merged);
  const isRenamed = merged.name !== name;
  return isRenamed ? readNewRecord(types, merged) : readRecordContent(types, merged);
}

/** Parsing 60 KiB of TXT takes 2 ms, and a list may have 1,000 updates that only change a TTL. */
const LONG_DATA = 4096;

/** Whether the stored long data stay as they are and need no parsing. */
function keepsContent(types: RecordTypes, before: RecordEntity, { name, type, data, fields, priority }: RecordFields) {
  const isSame = data === before.data && (priority ?? null) === before.priority && name === before.name;
  return before.data.length > LONG_DATA && isSame && fields === undefined && types.byName(type) !== undefined;
}

function sameContent(
  before: RecordEntity,
  { ttl = null, description = null, expiresAt = null }: RecordFields,
): RecordContent {
  const { name, ownerKey, type, data, priority, rdata, fingerprint } = before;
  const ownerOctets = DomainName.parse(name).wire.length;
  return {
    ...{ name, ownerOctets, ownerKey, type, data, priority, ttl, description, expiresAt, fingerprint },
    rdataHex: rdata,
    get rdata(): Uint8Array {
      return Buffer.from(rdata, 'hex');
    },
  };
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
