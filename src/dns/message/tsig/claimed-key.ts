import type { DomainName } from '../../name.js';
import { MetaType } from '../codes.js';
import { CompressedReader } from '../compressed-reader.js';
import { HEADER_OCTETS, readCounts } from '../header.js';
import { WireError } from '../wire-reader.js';

/** Octets of TYPE and CLASS of a question; those of CLASS and TTL of a record. */
const QUESTION_OCTETS = 4;
const CLASS_AND_TTL_OCTETS = 6;
/** A label that begins so is a pointer of two octets (RFC 1035 §4.1.4). */
const POINTER = 0xc0;

/** Name and algorithm of the key that a message claims to be signed with. */
export interface ClaimedKey {
  readonly name: DomainName;
  readonly algorithm: DomainName;
}

/**
 * Finds the TSIG record at the end of a message without reading the records before it, in a small part of the time that
 * reading or verifying takes (RFC 8945 §5.1).
 * @returns `null` for a message without one, and for one that cannot be read that far
 */
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

/** Each step goes on by an octet at least, and ends behind the last one, whatever the counts announce. */
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
