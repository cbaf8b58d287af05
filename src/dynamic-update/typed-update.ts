import { ServiceError } from '../common/service-error.js';
import type { DomainName } from '../dns/name.js';
import type { Prerequisite, Update, UpdateStep } from '../dns/message/update.js';
import { RdataError, type RecordType, SOA } from '../dns/rdata/index.js';
import { typeName } from '../dns/rdata/type-names.js';
import { typeRefusal } from '../dns/rdata/type-refusal.js';
import { contentOf, fingerprintOf, type RecordContent } from '../records/record-content.js';
import type { RecordsOptions } from '../records/records.options.js';

/** A prerequisite in the words of record sets. */
export type SetPrerequisite =
  | { readonly asks: 'name exists' | 'name is free'; readonly ownerKey: string }
  | { readonly asks: 'set exists' | 'set is free'; readonly ownerKey: string; readonly type: string }
  | { readonly asks: 'set has'; readonly ownerKey: string; readonly type: string; readonly fingerprint: string };

/** A step in the same words, without those that never do anything. */
export type SetStep =
  | { readonly does: 'add'; readonly ownerKey: string; readonly content: RecordContent }
  | { readonly does: 'delete record'; readonly ownerKey: string; readonly type: string; readonly fingerprint: string }
  | { readonly does: 'delete set'; readonly ownerKey: string; readonly type: string }
  | { readonly does: 'delete name'; readonly ownerKey: string };

export interface SetUpdate {
  readonly prerequisites: readonly SetPrerequisite[];
  readonly steps: readonly SetStep[];
}

export type Types = Pick<RecordsOptions, 'types' | 'knownTypes'>;

/**
 * Reads the records of a message by their types.
 * @throws ServiceError `invalid_object` for a record that the service does not take
 */
export function setUpdateOf({ prerequisites, steps }: Update, types: Types): SetUpdate {
  return {
    prerequisites: prerequisites.map((one) => prerequisiteOf(one, types)),
    steps: steps.flatMap((step) => stepOf(step, types) ?? []),
  };
}

/** The name of a type, of one that the service does not know as well. */
export function nameOfType(code: number, { knownTypes }: Pick<Types, 'knownTypes'>): string {
  return typeOf(code, knownTypes)?.name ?? typeName(code);
}

/** A key by which RDATA are compared. Of a type that is not known nothing is stored, and any will do. */
function prerequisiteOf(one: Prerequisite, { knownTypes }: Types): SetPrerequisite {
  const ownerKey = one.owner.key;
  if (!('type' in one)) return { asks: one.asks, ownerKey };
  const type = nameOfType(one.type, { knownTypes });
  if (one.asks !== 'set has') return { asks: one.asks, ownerKey, type };
  return { asks: one.asks, ownerKey, type, fingerprint: fingerprintFor(typeOf(one.type, knownTypes), one.rdata) };
}

/** `null` for what is ignored whatever the zone has (behaviour 20.5). */
function stepOf(step: UpdateStep, types: Types): SetStep | null {
  const ownerKey = step.owner.key;
  if (step.does === 'delete name') return { does: step.does, ownerKey };
  // The service makes the SOA.
  if (step.type === SOA.code) return null;
  if (step.does === 'add') return { does: step.does, ownerKey, content: readContent(step, types) };
  const type = types.knownTypes.byCode(step.type);
  if (type === undefined) return null;
  if (step.does === 'delete set') return { does: step.does, ownerKey, type: type.name };
  return { does: step.does, ownerKey, type: type.name, fingerprint: fingerprintFor(type, step.rdata) };
}

interface AddedRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

function readContent({ owner, type: code, ttl, rdata }: AddedRecord, { types }: Types): RecordContent {
  const type = types.byCode(code);
  if (type === undefined)
    throw ServiceError.ofField('invalid_object', 'type', 'enum', `type: ${typeRefusal(types, typeName(code))}.`);
  try {
    type.check(rdata);
  } catch (error) {
    if (!(error instanceof RdataError)) throw error;
    throw ServiceError.ofField('invalid_object', error.field, 'format', `${error.field}: ${error.message}.`);
  }
  // A view of the message, which would be kept whole for it.
  return contentOf({ owner, type, rdata: Uint8Array.from(rdata), ttl });
}

function typeOf(code: number, knownTypes: Types['knownTypes']): RecordType | undefined {
  return code === SOA.code ? SOA : knownTypes.byCode(code);
}

/** Octets that are not of their type are those of no stored record. */
function fingerprintFor(type: RecordType | undefined, rdata: Uint8Array): string {
  try {
    return fingerprintOf(type?.canonicalize(rdata) ?? rdata);
  } catch (error) {
    if (error instanceof RdataError) return fingerprintOf(rdata);
    throw error;
  }
}
