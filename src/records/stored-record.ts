import { DomainName, quoted } from '../dns/name.js';
import { isKeyOf, wireOfKey } from '../dns/name-key.js';
import type { RecordType, RecordTypes } from '../dns/rdata/index.js';
import { fingerprintOf } from './record-content.js';
import type { RecordEntity } from './record.entity.js';

export interface ReadRecord {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
  /** Presentation form. Writing it proves that the record is readable. */
  readonly text: string;
}

/** A stored record without a presentation or wire format (behaviour 12.4). */
export interface UnreadableRecord {
  readonly id: string;
  /** Owner name and type as far as known, in printable ASCII. */
  readonly owner: string;
  readonly type: string;
  readonly reason: string;
}

export function readStoredRecord(row: ServedRecord, types: RecordTypes): ReadRecord | UnreadableRecord {
  try {
    return read(row, types);
  } catch (error) {
    // A plugin may define the type, so any error is possible.
    const reason = error instanceof Error ? error.message : String(error);
    return { id: row.id, owner: ownerTextOf(row.ownerKey), type: printable(row.type), reason };
  }
}

export function isUnreadable(record: ReadRecord | UnreadableRecord): record is UnreadableRecord {
  return 'reason' in record;
}

function read({ name, ownerKey, type: typeName, rdata: hex }: ServedRecord, types: RecordTypes): ReadRecord {
  const type = types.stored(typeName);
  if (type === undefined) throw new Error(`the type ${printable(typeName)} is not known`);
  const owner = ownerOf(name);
  if (!isKeyOf(ownerKey, owner.wire))
    throw new Error(`the name ${quoted(name)} is not the one that the record is stored under`);
  const rdata = Buffer.from(hex, 'hex');
  // Decoding stops at the first character that is not a hex digit.
  if (rdata.length * 2 !== hex.length) throw new Error('its RDATA is not stored in hexadecimal');
  return { owner, type, rdata, text: type.toText(rdata) };
}

let lastOwner = { name: '.', owner: DomainName.ROOT };

/** Records of one owner name mostly follow each other, and share one object. */
function ownerOf(name: string): DomainName {
  if (name !== lastOwner.name) lastOwner = { name, owner: DomainName.parse(name) };
  return lastOwner.owner;
}

/** Position of a record in serving order. */
export type RecordPosition = Pick<ServedRecord, 'ownerKey' | 'type' | 'fingerprint'>;

/** Position of a record of which only the content was kept. An unreadable record comes first, where it is omitted. */
export function positionOf(
  { name, type, rdata }: Pick<ServedRecord, 'name' | 'type' | 'rdata'>,
  types: RecordTypes,
): RecordPosition {
  try {
    const octets = Buffer.from(rdata, 'hex');
    const canonical = types.stored(type)?.canonicalize(octets) ?? octets;
    return { ownerKey: DomainName.parse(name).key, type, fingerprint: fingerprintOf(canonical) };
  } catch {
    return { ownerKey: '', type, fingerprint: '' };
  }
}

export function comparePositions(one: RecordPosition, other: RecordPosition): number {
  return (
    compareOctets(one.ownerKey, other.ownerKey) ||
    compareOctets(one.type, other.type) ||
    compareOctets(one.fingerprint, other.fingerprint)
  );
}

function compareOctets(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Derived from the owner key if the stored name is unreadable. */
function ownerTextOf(ownerKey: string): string {
  try {
    return DomainName.read(wireOfKey(ownerKey)).toString();
  } catch {
    return quoted(ownerKey);
  }
}

function printable(text: string): string {
  return /^[!-~]+$/.test(text) ? text : quoted(text);
}

/** A record as name servers see it. */
export type ServedRecord = Pick<RecordEntity, 'id' | 'name' | 'ownerKey' | 'type' | 'ttl' | 'rdata' | 'fingerprint'>;

export const SERVED_COLUMNS = 'id, name, owner_key AS "ownerKey", type, ttl, rdata, fingerprint';
