import { hash } from 'node:crypto';
import type { Instant } from '../common/clock.js';
import { because, type RefusalFacts } from '../common/refusal-facts.js';
import { type FieldError, ServiceError } from '../common/service-error.js';
import { type DomainName, NameError, quoted } from '../dns/name.js';
import { assertOwnerName, parseNewOwnerName, parseOwnerName, storedOwnerName } from '../dns/owner-name.js';
import { type FieldFault, FieldsError } from '../dns/rdata/data-in-fields.js';
import { fieldsOf } from '../dns/rdata/fields-of.js';
import { isGenericText } from '../dns/rdata/generic-rdata.js';
import { type RecordTypes, SOA } from '../dns/rdata/index.js';
import { RdataError } from '../dns/rdata/rdata-error.js';
import type { RecordType } from '../dns/rdata/record-type.js';
import { typeCode } from '../dns/rdata/type-names.js';
import { typeRefusal } from '../dns/rdata/record-types.js';

/** Fields of a record as a caller sends them, with valid types. */
export interface RecordFields {
  readonly name: string;
  readonly type: string;
  /** Data as text; alternative to `fields` (behaviour 4.7). */
  readonly data?: string | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly priority?: number | null;
  readonly ttl?: number | null;
  readonly description?: string | null;
  readonly expiresAt?: Instant | null;
}

/** Update of a record. Absent fields keep their values; null clears a nullable field (behaviour 6.2). */
export type RecordUpdate = { readonly [Field in keyof RecordFields]?: RecordFields[Field] | undefined };

/** A valid record: text as sent, and the parsed data. */
export interface RecordContent {
  readonly name: string;
  /** Octets of the owner name on the wire. */
  readonly ownerOctets: number;
  readonly ownerKey: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  /** When the service removes it; `null`: never. */
  readonly expiresAt: Instant | null;
  readonly rdata: Uint8Array;
  /** RDATA in hexadecimal, if already stored. */
  readonly rdataHex?: string;
  readonly fingerprint: string;
}

/**
 * Parses and checks a record (behaviour 4 and 5).
 * @throws ServiceError `invalid_object` with one error for each invalid field, `change_not_allowed` for SOA
 */
export function readRecordContent(types: RecordTypes, fields: RecordFields): RecordContent {
  return readWith(parseOwnerName, types, fields);
}

/**
 * Parses a record of version 1 or 2 with a new name.
 * @throws ServiceError
 * @internal
 */
export function readNewRecord(types: RecordTypes, fields: RecordFields): RecordContent {
  return readWith(parseNewOwnerName, types, fields);
}

function readWith(parse: typeof parseNewOwnerName, types: RecordTypes, fields: RecordFields): RecordContent {
  const type = readType(types, fields.type);
  const errors: FieldError[] = [];
  const owner = attempt(fields, errors, () => parse(fields.name, type));
  const value = attempt(fields, errors, () => readValue(type, fields, fields.priority ?? null));
  if (owner === undefined || value === undefined) throw ServiceError.ofFields('invalid_object', errors);
  const { data, priority, rdata } = value;
  return {
    name: storedOwnerName(fields.name, owner),
    ownerOctets: owner.wire.length,
    ownerKey: owner.key,
    type: type.name,
    data,
    priority,
    ttl: fields.ttl ?? null,
    description: fields.description ?? null,
    expiresAt: fields.expiresAt ?? null,
    rdata,
    fingerprint: fingerprintOf(type.canonicalize(rdata)),
  };
}

/** Parses an owner name as `readNewRecord` does. */
export function readOwner(types: RecordTypes, { name, type }: Pick<RecordFields, 'name' | 'type'>): DomainName {
  const rules = readType(types, type);
  try {
    return parseNewOwnerName(name, rules);
  } catch (error) {
    throw ServiceError.ofFields('invalid_object', [faultOf(error, {})]);
  }
}

interface ReadValue {
  readonly data: string;
  readonly priority: number | null;
  readonly rdata: Uint8Array;
}

/** The type writes the text of `fields`, and of `\# length hex` if it has a text form. */
function readValue(type: RecordType, { data, fields }: RecordFields, priority: number | null): ReadValue {
  if (fields === undefined) {
    if (data === undefined) throw new FieldsError([MISSING_DATA]);
    const rdata = type.parse(data, priority);
    if (!isGenericText(data)) return { data, priority, rdata };
    const own = type.toData(rdata);
    return isGenericText(own.data) ? { data, priority, rdata } : { ...own, rdata };
  }
  if (data !== undefined) throw new FieldsError([SAID_TWICE]);
  const rdata = fieldsOf(type).parse(fields, priority);
  return { data: type.toData(rdata).data, priority, rdata };
}

const MISSING_DATA: FieldFault = { path: 'data', message: 'required, or fields instead', problem: 'required' };
const SAID_TWICE: FieldFault = {
  path: 'fields',
  message: 'send either data or fields',
  problem: 'additionalProperties',
};

export interface MasterFileContent {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
  readonly ttl: number | null;
}

/** @throws ServiceError `invalid_object` for an owner name that no record of the type may have */
export function contentOf({ owner, type, rdata, ttl }: MasterFileContent): RecordContent {
  const name = owner.toString();
  try {
    assertOwnerName(owner, type);
  } catch (error) {
    throw ServiceError.ofFields('invalid_object', [faultOf(error, {})]);
  }
  return {
    name,
    ownerOctets: owner.wire.length,
    ownerKey: owner.key,
    type: type.name,
    ...type.toData(rdata),
    ttl,
    description: null,
    expiresAt: null,
    rdata,
    fingerprint: fingerprintOf(type.canonicalize(rdata)),
  };
}

/** Content of a transferred record. Invalid RDATA is kept under the type number (RFC 3597 §5; RFC 2181 §11). */
export function transferredContentOf(
  types: RecordTypes,
  {
    owner,
    code,
    rdata,
    ttl,
  }: { readonly owner: DomainName; readonly code: number } & Pick<MasterFileContent, 'rdata' | 'ttl'>,
): RecordContent {
  const numbered = types.stored(`TYPE${code}`);
  const read = shownAs(types.byCode(code), rdata) ?? shownAs(numbered, rdata);
  if (read === null) throw new Error(`records of the type ${code} stand in no zone`);
  return {
    name: owner.toString(),
    ownerOctets: owner.wire.length,
    ownerKey: owner.key,
    ...read,
    ttl,
    description: null,
    expiresAt: null,
    rdata,
  };
}

function shownAs(
  type: RecordType | undefined,
  rdata: Uint8Array,
): Pick<RecordContent, 'type' | 'data' | 'priority' | 'fingerprint'> | null {
  if (type === undefined) return null;
  try {
    // Writing both forms proves that the record can be served and shown.
    if (!/^[ -~]*$/.test(type.toText(rdata))) return null;
    return { type: type.name, ...type.toData(rdata), fingerprint: fingerprintOf(type.canonicalize(rdata)) };
  } catch {
    return null;
  }
}

function readType(types: RecordTypes, name: string): RecordType {
  if (name === SOA.name)
    throw ServiceError.ofField(
      'change_not_allowed',
      'type',
      'enum',
      'The SOA record is made by the service; create records of other types.',
      because('soa_is_generated', {}),
    );
  const type = types.byName(name);
  if (type !== undefined) return type;
  const known = types.names.join(', ');
  const message =
    typeCode(name) !== undefined
      ? `type: ${typeRefusal(types, name)}.`
      : `type: ${quoted(name)} is not one of ${known}.`;
  throw ServiceError.ofField(
    'invalid_object',
    'type',
    'enum',
    message,
    because('unknown_type', { type: name.slice(0, LONGEST_TYPE), values: types.names }),
  );
}

/** The result of `read`, or `undefined` after adding an error of the refused field. */
function attempt<T>(fields: RecordFields, errors: FieldError[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    errors.push(...faultsOf(error, fields));
    return undefined;
  }
}

function faultsOf(error: unknown, fields: FaultyFields): FieldError[] {
  if (!(error instanceof FieldsError)) return [faultOf(error, fields)];
  return error.faults.map(({ path, message, problem }) =>
    path === 'priority'
      ? faultOf(new RdataError(message, 'priority'), fields)
      : { path, validator: problem, message: `${path}: ${message}.`, facts: factsOf(fields, path, problem) },
  );
}

/** @throws the error itself if it is not about a field */
function faultOf(error: unknown, fields: FaultyFields): FieldError {
  if (error instanceof NameError)
    return { path: 'name', validator: 'format', message: `name: ${error.message}.`, facts: because('owner_name', {}) };
  if (!(error instanceof RdataError)) throw error;
  const message = `${error.field}: ${error.message}.`;
  const facts = factsOf(fields, error.field);
  if (error.field === 'data') return { path: 'data', validator: 'format', message, facts };
  return { path: 'priority', validator: (fields.priority ?? null) === null ? 'required' : 'type', message, facts };
}

/** Returns no facts for absent or unknown fields: the validator reports these. */
function factsOf({ type }: FaultyFields, path: string, problem = 'format'): RefusalFacts | undefined {
  if (type === undefined || problem === 'required' || problem === 'additionalProperties') return undefined;
  return because('record_data', { type, field: path.replace(/^fields\./, '') });
}

type FaultyFields = Partial<Pick<RecordFields, 'type' | 'priority'>>;

/** An invalid type may be as long as the body. */
const LONGEST_TYPE = 64;

const DIGEST_HEX = 32;

/** The canonical RDATA if short, else 128 bits of its SHA-256. The two differ in length. */
export function fingerprintOf(canonicalRdata: Uint8Array): string {
  if (canonicalRdata.length * 2 < DIGEST_HEX) return Buffer.from(canonicalRdata).toString('hex');
  return hash('sha256', canonicalRdata).slice(0, DIGEST_HEX);
}
