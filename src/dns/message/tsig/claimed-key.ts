import { HEADER_OCTETS, WireError } from '../wire.js';
import type { DomainName } from '../../name.js';
import { MetaType } from '../codes.js';
import { CompressedReader } from '../compressed-reader.js';
import { readCounts } from '../header.js';

const QUESTION_OCTETS = 4;
const CLASS_AND_TTL_OCTETS = 6;
/** RFC 1035 §4.1.4: from here on, a label octet begins a pointer of two octets. */
const POINTER = 0xc0;

/** Unverified. */
export interface ClaimedKey {
  readonly name: DomainName;
  readonly algorithm: DomainName;
}

/** Reads no other records: much faster than verification (RFC 8945 §5.1). @returns `null` if unsigned or unreadable */
export function claimedKeyOf(octets: Uint8Array): ClaimedKey | null {
  if (octets.length < HEADER_OCTETS) return null;
  const [questions, answers, authorities, additionals] = readCounts(octets);
  if (additionals === 0) return null;
  try {
    const at = offsetOfRecord(octets, questions, answers + authorities + additionals - 1);
    const reader = new CompressedReader(octets, at);
    const name = reader.name();
    if (reader.uint16() !== MetaType.TSIG) return null;
    // CLASS, TTL and RDLENGTH.
    reader.octets(CLASS_AND_TTL_OCTETS + 2);
    return { name, algorithm: reader.name() };
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

/** Ends with the octets, whatever the counts: each step advances by at least one octet. */
function offsetOfRecord(octets: Uint8Array, questions: number, records: number): number {
  let at = HEADER_OCTETS;
  for (let question = 0; question < questions && at < octets.length; question += 1)
    at = endOfName(octets, at) + QUESTION_OCTETS;
  for (let record = 0; record < records && at < octets.length; record += 1) {
    const lengthAt = endOfName(octets, at) + 2 + CLASS_AND_TTL_OCTETS;
    at = lengthAt + 2 + (((octets[lengthAt] ?? 0) << 8) | (octets[lengthAt + 1] ?? 0));
  }
  return at;
}

function endOfName(octets: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const label = octets[at] ?? 0;
    if (label === 0) return at + 1;
    if (label >= POINTER) return at + 2;
    at += label + 1;
  }
}
