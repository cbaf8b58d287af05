import { HEADER_OCTETS } from './wire.js';
import { type Header, MessageError } from './message.js';
import { Rcode } from './codes.js';

export type SectionCounts = readonly [questions: number, answers: number, authorities: number, additionals: number];

const QR = 0x8000;
const AA = 0x0400;
const TC = 0x0200;
const RD = 0x0100;
const RA = 0x0080;
const AD = 0x0020;
const CD = 0x0010;

/** Includes four RCODE bits. @throws MessageError FORMERR for fewer than twelve octets */
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

/** The counts are untrusted. Requires a whole header. */
export function readCounts(octets: Uint8Array): SectionCounts {
  return [uint16At(octets, 4), uint16At(octets, 6), uint16At(octets, 8), uint16At(octets, 10)];
}

/** Writes only the lower four bits of the RCODE. */
export function writeHeader(octets: Buffer, header: Header, counts: SectionCounts): void {
  octets.writeUInt16BE(header.id, 0);
  octets.writeUInt16BE(flagsOf(header), 2);
  counts.forEach((count, section) => octets.writeUInt16BE(count, 4 + 2 * section));
}

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

/** Authoritative answer with id, opcode and RD of the request (RFC 1035 §4.1.1). */
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
