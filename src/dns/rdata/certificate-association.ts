import { assertDigest, SHA256_LENGTH, SHA512_LENGTH } from './digest.js';
import { hex, uint8 } from './fields.js';
import { recordType, type RecordType } from './record-type.js';

/** RFC 6698 §2.1, RFC 7218 §2: the IANA numbers, 255 for private use. */
const USAGES = [0, 1, 2, 3, 255];
const SELECTORS = [0, 1, 255];
const MATCHING_TYPES = [0, 1, 2, 255];
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA256_LENGTH],
  [2, SHA512_LENGTH],
]);

/** TLSA and SMIMEA: which certificate stands behind the name. Clients ignore a record whose numbers they do not know. */
export function certificateAssociationType(
  about: Pick<RecordType, 'name' | 'code' | 'rfc'>,
  owner: string,
): RecordType {
  return recordType({
    ...about,
    fields: [
      uint8('usage', USAGES),
      uint8('selector', SELECTORS),
      uint8('matching type', MATCHING_TYPES),
      hex('certificate data'),
    ],
    check: ([, , matchingType, data]) => assertDigest(data, DIGEST_LENGTHS.get(matchingType), 'certificate data'),
    example: { name: owner, data: '3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
  });
}
