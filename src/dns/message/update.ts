import type { DomainName } from '../name.js';
import { SOA } from '../rdata/soa.js';
import { isDataType } from '../rdata/type-names.js';
import { MetaType, RecordClass, Rcode } from './codes.js';
import { type Message, MessageError, refusedRequest, type Question, type ResourceRecord } from './message.js';

/** RFC 2136 §2.4. */
export type Prerequisite =
  | { readonly asks: 'name exists' | 'name is free'; readonly owner: DomainName }
  | { readonly asks: 'set exists' | 'set is free'; readonly owner: DomainName; readonly type: number }
  /** All prerequisites of one name and type together are the set. */
  | { readonly asks: 'set has'; readonly owner: DomainName; readonly type: number; readonly rdata: Uint8Array };

/** RFC 2136 §2.5. */
export type UpdateStep =
  | {
      readonly does: 'add';
      readonly owner: DomainName;
      readonly type: number;
      readonly ttl: number;
      readonly rdata: Uint8Array;
    }
  | { readonly does: 'delete record'; readonly owner: DomainName; readonly type: number; readonly rdata: Uint8Array }
  | { readonly does: 'delete set'; readonly owner: DomainName; readonly type: number }
  | { readonly does: 'delete name'; readonly owner: DomainName };

/** The additional section of an UPDATE is ignored (RFC 2136 §2.6). */
export interface Update {
  readonly prerequisites: readonly Prerequisite[];
  readonly steps: readonly UpdateStep[];
}

/** RFC 2181 §8: a TTL with the highest bit set counts as 0. */
const LONGEST_TTL = 0x7fffffff;

/** RFC 2136 §3.1.1. @throws MessageError FORMERR unless the section is one entry of type SOA */
export function zoneOfUpdate(message: Message): Question {
  const [zone, ...others] = message.questions;
  if (zone !== undefined && others.length === 0 && zone.type === SOA.code) return zone;
  throw refused(message, Rcode.FORMERR, 'the zone section of an UPDATE must be one entry of type SOA');
}

/** Reads all records before any lookup (RFC 2136 §3.2, §3.4.1). @throws MessageError FORMERR, NOTZONE */
export function readUpdate(message: Message): Update {
  const { name } = zoneOfUpdate(message);
  const read = <Read>(record: ResourceRecord, reader: (record: ResourceRecord) => Read | null): Read => {
    if (!record.owner.isWithin(name))
      throw refused(message, Rcode.NOTZONE, `${record.owner.toString()} is outside of ${name.toString()}`);
    const found = reader(record);
    if (found === null)
      throw refused(message, Rcode.FORMERR, `invalid record for an UPDATE at ${record.owner.toString()}`);
    return found;
  };
  return {
    prerequisites: message.answers.map((record) => read(record, prerequisiteOf)),
    steps: message.authorities.map((record) => read(record, stepOf)),
  };
}

/** RFC 2136 §3.2.5; `null` for an invalid record. */
function prerequisiteOf({ owner, type, class: recordClass, ttl, rdata }: ResourceRecord): Prerequisite | null {
  if (ttl !== 0) return null;
  if (recordClass === RecordClass.IN) return { asks: 'set has', owner, type, rdata };
  const isFree = recordClass === RecordClass.NONE;
  if (rdata.length > 0 || (!isFree && recordClass !== RecordClass.ANY)) return null;
  if (type === MetaType.ANY) return { asks: isFree ? 'name is free' : 'name exists', owner };
  return { asks: isFree ? 'set is free' : 'set exists', owner, type };
}

/** RFC 2136 §3.4.1.3; `null` for an invalid record. */
function stepOf({ owner, type, class: recordClass, ttl, rdata }: ResourceRecord): UpdateStep | null {
  const isOfData = isDataType(type);
  if (recordClass === RecordClass.IN)
    return isOfData ? { does: 'add', owner, type, ttl: ttl > LONGEST_TTL ? 0 : ttl, rdata } : null;
  if (ttl !== 0) return null;
  if (recordClass === RecordClass.NONE) return isOfData ? { does: 'delete record', owner, type, rdata } : null;
  if (recordClass !== RecordClass.ANY || rdata.length > 0) return null;
  if (type === MetaType.ANY) return { does: 'delete name', owner };
  return isOfData ? { does: 'delete set', owner, type } : null;
}

function refused(message: Message, rcode: number, text: string): MessageError {
  return new MessageError(rcode, text, refusedRequest(message));
}
