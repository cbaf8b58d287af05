import type { RecordSet } from '../../dns/master-file/record-set.js';
import { type AnswerSection, MAX_TRANSFERRED_RDATA, type TransferWriter } from '../../dns/message/transfer-writer.js';
import { rdataInSignedZone } from '../../dns/dnssec/canonical-rdata.js';
import { Type } from '../../dns/dnssec/codes.js';
import { isOmitted, type OmittedSet } from '../../records/served/served-zone.js';
import type { SignedForm, SignedSet, WireRecord } from './signed-zones.js';

/**
 * Whether a set is in transfers. One with a record that cannot be read is not served at all (behaviour 12.4); one with a
 * record that no message has room for can be exported only.
 */
export function isTransferred(set: RecordSet | OmittedSet): set is RecordSet {
  return !isOmitted(set) && set.rdatas.every(isTransferredRdata);
}

export function isTransferredRdata({ length }: Uint8Array): boolean {
  return length <= MAX_TRANSFERRED_RDATA;
}

/** The sections that the records have completed. */
export function* addRecords(writer: TransferWriter, records: Iterable<WireRecord>): Generator<AnswerSection> {
  for (const { owner, type, ttl, rdata } of records) {
    const section = writer.add(owner, type, ttl, rdata);
    if (section !== null) yield section;
  }
}

/** A record of the contents as it is sent where the zone is signed; most are as they are. */
export function inSignedZone(record: WireRecord, { maxTtl, isFolded }: SignedForm): WireRecord {
  const rdata = isFolded ? rdataInSignedZone(record.type, record.rdata) : record.rdata;
  if (record.ttl <= maxTtl && rdata === record.rdata) return record;
  return { ...record, ttl: Math.min(record.ttl, maxTtl), rdata };
}

/** The records of sets that signing makes: their own, and those that sign them. */
export function* recordsOfSigned(sets: readonly SignedSet[]): Generator<WireRecord> {
  for (const { owner, type, ttl, rdatas, signatures } of sets) {
    for (const rdata of rdatas) yield { owner, type, ttl, rdata };
    for (const rdata of signatures) yield { owner, type: Type.RRSIG, ttl, rdata };
  }
}

export function recordsOf({ owner, type, ttl, rdatas }: RecordSet): WireRecord[] {
  return rdatas.map((rdata) => ({ owner, type: type.code, ttl, rdata }));
}

/** The sections that the set has completed. */
export function addSet(writer: TransferWriter, set: RecordSet): Generator<AnswerSection> {
  return addRecords(writer, recordsOf(set));
}
