import type { RecordSet } from '../../dns/master-file/record-set.js';
import { type AnswerSection, MAX_TRANSFERRED_RDATA, type TransferWriter } from '../../dns/message/transfer-writer.js';
import { isOmitted, type OmittedSet } from '../../records/served/served-zone.js';

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

/** The sections that the set has completed. */
export function* addSet(writer: TransferWriter, { owner, type, ttl, rdatas }: RecordSet): Generator<AnswerSection> {
  for (const rdata of rdatas) {
    const section = writer.add(owner, type.code, ttl, rdata);
    if (section !== null) yield section;
  }
}
