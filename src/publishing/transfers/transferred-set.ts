import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import { type AnswerSection, MAX_TRANSFERRED_RDATA, type TransferWriter } from '../../dns/message/transfer-writer.js';
import { rdataInSignedZone } from '../../dns/dnssec/canonical-rdata.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import { isOmitted, type OmittedSet } from '../../records/served/served-zone.js';
import type { SignedForm, SignedSet, WireRecord } from './signed-zones.js';

/** Excludes sets with unreadable records (behaviour 12.4) or a record too large for a message. */
export function isTransferred(set: RecordSet | OmittedSet): set is RecordSet {
  return !isOmitted(set) && set.rdatas.every(isTransferredRdata);
}

export function isTransferredRdata({ length }: Uint8Array): boolean {
  return length <= MAX_TRANSFERRED_RDATA;
}

/** Yields the completed sections. */
export function* addRecords(writer: TransferWriter, records: Iterable<WireRecord>): Generator<AnswerSection> {
  for (const { owner, type, ttl, rdata } of records) {
    const section = writer.add(owner, type, ttl, rdata);
    if (section !== null) yield section;
  }
}

export function inSignedZone(record: WireRecord, { maxTtl, isFolded }: SignedForm): WireRecord {
  const rdata = isFolded ? rdataInSignedZone(record.type, record.rdata) : record.rdata;
  if (record.ttl <= maxTtl && rdata === record.rdata) return record;
  return { ...record, ttl: Math.min(record.ttl, maxTtl), rdata };
}

export function* recordsOfSigned(sets: readonly SignedSet[]): Generator<WireRecord> {
  for (const { owner, type, ttl, rdatas, signatures } of sets) {
    for (const rdata of rdatas) yield { owner, type, ttl, rdata };
    for (const rdata of signatures) yield { owner, type: Type.RRSIG, ttl, rdata };
  }
}

export function recordsOf({ owner, type, ttl, rdatas }: RecordSet): WireRecord[] {
  return rdatas.map((rdata) => ({ owner, type: type.code, ttl, rdata }));
}

export function addSet(writer: TransferWriter, set: RecordSet): Generator<AnswerSection> {
  return addRecords(writer, recordsOf(set));
}
