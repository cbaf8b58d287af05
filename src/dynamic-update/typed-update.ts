import { ServiceError } from '../common/service-error.js';
import type { DomainName } from '../dns/name.js';
import type { Prerequisite, Update, UpdateStep } from '../dns/message/update.js';
import { RdataError, type RecordType, SOA } from '../dns/rdata/index.js';
import { typeName } from '../dns/rdata/type-names.js';
import { typeRefusal } from '../dns/rdata/record-types.js';
import { contentOf, fingerprintOf, type RecordContent } from '../records/record-content.js';
import type { RecordsOptions } from '../records/records.options.js';
import { assertMayChangeRecords } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';

export type SetPrerequisite =
  | { readonly asks: 'name exists' | 'name is free'; readonly ownerKey: string }
  | { readonly asks: 'set exists' | 'set is free'; readonly ownerKey: string; readonly type: string }
  | { readonly asks: 'set has'; readonly ownerKey: string; readonly type: string; readonly fingerprint: string };

/** Steps without effect are absent. */
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

/** Parses the RDATA of a message by record type. @throws ServiceError `invalid_object` for a rejected record */
export function setUpdateOf({ prerequisites, steps }: Update, types: Types): SetUpdate {
  return {
    prerequisites: prerequisites.map((one) => prerequisiteOf(one, types)),
    steps: steps.flatMap((step) => stepOf(step, types) ?? []),
  };
}

function nameOfType(code: number, { knownTypes }: Pick<Types, 'knownTypes'>): string {
  return typeOf(code, knownTypes)?.name ?? typeName(code);
}

/** The fingerprint of an unknown type matches nothing, because none is stored. */
function prerequisiteOf(one: Prerequisite, { knownTypes }: Types): SetPrerequisite {
  const ownerKey = one.owner.key;
  if (!('type' in one)) return { asks: one.asks, ownerKey };
  const type = nameOfType(one.type, { knownTypes });
  if (one.asks !== 'set has') return { asks: one.asks, ownerKey, type };
  return { asks: one.asks, ownerKey, type, fingerprint: fingerprintFor(typeOf(one.type, knownTypes), one.rdata) };
}

/** `null` for a step that is always ignored (behaviour 20.5). */
function stepOf(step: UpdateStep, types: Types): SetStep | null {
  const ownerKey = step.owner.key;
  if (step.does === 'delete name') return { does: step.does, ownerKey };
  // The service generates the SOA.
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
  // Copy the octets: a view would keep the whole message in memory.
  return contentOf({ owner, type, rdata: Uint8Array.from(rdata), ttl });
}

function typeOf(code: number, knownTypes: Types['knownTypes']): RecordType | undefined {
  return code === SOA.code ? SOA : knownTypes.byCode(code);
}

/** Malformed octets match no stored record. */
function fingerprintFor(type: RecordType | undefined, rdata: Uint8Array): string {
  try {
    return fingerprintOf(type?.canonicalize(rdata) ?? rdata);
  } catch (error) {
    if (error instanceof RdataError) return fingerprintOf(rdata);
    throw error;
  }
}

/**
 * Checks steps and prerequisites against the key restrictions before any lookup, because prerequisites reveal zone data
 * (behaviour 20.2).
 * A "delete name" step is checked again once the types at the name are known.
 * @throws ServiceError `forbidden`
 */
export function assertMayUpdate(caller: Caller, { prerequisites, steps }: Update, types: Types): void {
  if (caller.restrictions === undefined) return;
  for (const one of steps) assertMayChangeRecords(caller, ACTIONS[one.does], setOf(one, types));
  for (const one of prerequisites) assertMayChangeRecords(caller, null, setOf(one, types));
}

const ACTIONS = {
  add: 'create',
  'delete record': 'delete',
  'delete set': 'delete',
  'delete name': 'delete',
} as const;

function setOf(one: Update['steps'][number] | Update['prerequisites'][number], types: Types) {
  return { ownerKey: one.owner.key, type: 'type' in one ? nameOfType(one.type, types) : null };
}
