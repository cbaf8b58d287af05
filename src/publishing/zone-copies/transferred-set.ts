import type { RecordSet } from '../../dns/master-file/record-set.js';
import { MAX_TRANSFERRED_RDATA } from '../../dns/wire/transfer-writer.js';
import { isOmitted, type OmittedSet } from '../../records/served-zone.js';

/**
 * Whether a set is in transfers. One with a record that cannot be read is not served at all (behaviour 12.4); one with a
 * record that no message has room for can be exported only.
 */
export function isTransferred(set: RecordSet | OmittedSet): set is RecordSet {
  return !isOmitted(set) && set.rdatas.every(({ length }) => length <= MAX_TRANSFERRED_RDATA);
}
