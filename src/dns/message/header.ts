import type { Header } from './message.js';
import { MessageError } from './message-error.js';
import { Rcode } from './rcode.js';

/** How many octets the header takes. */
export const HEADER_OCTETS = 12;

/** How many entries the four sections have, in their order: questions, answers, authorities, additional records. */
export type SectionCounts = readonly [questions: number, answers: number, authorities: number, additionals: number];

const QR = 0x8000;
const AA = 0x0400;
const TC = 0x0200;
const RD = 0x0100;
const RA = 0x0080;
const AD = 0x0020;
const CD = 0x0010;

/**
 * Reads the header alone; its RCODE is the four bits that stand there.
 * @throws MessageError FORMERR for less than twelve octets
 */
export function readHeader(octets: Uint8Array): Header {
  if (octets.length < HEADER_OCTETS) throw new MessageError(Rcode.FORMERR, 'the header is cut off');
  const flags = uint16At(octets, 2);
  return {
    id: uint16At(octets, 0),
    opcode: (flags >> 11) & 0xf,
    rcode: flags & 0xf,
    isResponse: (flags & QR) !== 0,
    isAuthoritative: (flags & AA) !== 0,
    isTruncated: (flags & TC) !== 0,
    isRecursionDesired: (flags & RD) !== 0,
    isRecursionAvailable: (flags & RA) !== 0,
    isAuthenticData: (flags & AD) !== 0,
    isCheckingDisabled: (flags & CD) !== 0,
  };
}

/** What the header, which is there, announces. The numbers may lie. */
export function readCounts(octets: Uint8Array): SectionCounts {
  return [uint16At(octets, 4), uint16At(octets, 6), uint16At(octets, 8), uint16At(octets, 10)];
}

/** Writes header and counts to the beginning; of the RCODE its lower four bits. */
export function writeHeader(octets: Buffer, header: Header, counts: SectionCounts): void {
  octets.writeUInt16BE(header.id, 0);
  octets.writeUInt16BE(flagsOf(header), 2);
  counts.forEach((count, section) => octets.writeUInt16BE(count, 4 + 2 * section));
}

/** The header of a request: everything unset but these. */
export function requestHeader(id: number, opcode: number): Header {
  return {
    id,
    opcode,
    rcode: Rcode.NOERROR,
    isResponse: false,
    isAuthoritative: false,
    isTruncated: false,
    isRecursionDesired: false,
    isRecursionAvailable: false,
    isAuthenticData: false,
    isCheckingDisabled: false,
  };
}

/** The header of an answer: id, opcode and RD are those of the request (RFC 1035 §4.1.1), and it is authoritative. */
export function responseHeader(request: Header, rcode: number): Header {
  return {
    ...requestHeader(request.id, request.opcode),
    rcode,
    isResponse: true,
    isAuthoritative: true,
    isRecursionDesired: request.isRecursionDesired,
  };
}

function flagsOf(header: Header): number {
  return (
    (header.isResponse ? QR : 0) |
    (header.opcode << 11) |
    (header.isAuthoritative ? AA : 0) |
    (header.isTruncated ? TC : 0) |
    (header.isRecursionDesired ? RD : 0) |
    (header.isRecursionAvailable ? RA : 0) |
    (header.isAuthenticData ? AD : 0) |
    (header.isCheckingDisabled ? CD : 0) |
    (header.rcode & 0xf)
  );
}

function uint16At(octets: Uint8Array, at: number): number {
  return ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
}
