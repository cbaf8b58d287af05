import { DomainName, quoted } from '../dns/name.js';
import { isKeyOf, wireOfKey } from '../dns/name-key.js';
import type { RecordType, RecordTypes } from '../dns/rdata/index.js';
import { fingerprintOf } from './record-content.js';
import type { ServedRecord } from './served/served-record.js';

/** A stored record as name servers need it. */
export interface ReadRecord {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
  /** Its presentation form: to write it is how it is known to be readable. */
  readonly text: string;
}

/** A stored record that cannot be written in presentation or wire format (behaviour 12.4). */
export interface UnreadableRecord {
  readonly id: string;
  /** Owner name and type as far as they can be told, in printable ASCII. */
  readonly owner: string;
  readonly type: string;
  readonly reason: string;
}

/** Reads a stored record, or says why that is not possible. */
export function readStoredRecord(row: ServedRecord, types: RecordTypes): ReadRecord | UnreadableRecord {
  try {
    return read(row, types);
  } catch (error) {
    // A record type may come from a plugin, so that any error is possible here.
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
  // Decoding ends at the first character that is no digit.
  if (rdata.length * 2 !== hex.length) throw new Error('its RDATA is not stored in hexadecimal');
  return { owner, type, rdata, text: type.toText(rdata) };
}

let lastOwner = { name: '.', owner: DomainName.ROOT };

/** Records of one owner name mostly follow each other, and then have the same object. */
function ownerOf(name: string): DomainName {
  if (name !== lastOwner.name) lastOwner = { name, owner: DomainName.parse(name) };
  return lastOwner.owner;
}

/** Where a record stands among those of its zone, in the order in which they are served. */
export type RecordPosition = Pick<ServedRecord, 'ownerKey' | 'type' | 'fingerprint'>;

/** The place of a record of which only the contents were kept. One that cannot be read comes first, and is left out there. */
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

/** Of ASCII text. */
function compareOctets(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The owner key says the name where the stored one cannot be read. */
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
