import { assertDigest, SHA1_LENGTH, SHA256_LENGTH, SHA384_LENGTH } from './digest.js';
import { RdataError } from './rdata-error.js';

/** Throws an RdataError for octets with which a name server refuses the whole zone. */
type OctetCheck = (rdata: Uint8Array) => void;

/** Numbers without a text form here whose RDATA may be any octets: unassigned, private or without any structure. */
const ANY_OCTETS: readonly (readonly [first: number, last: number])[] = [
  // NULL; EID and NIMLOC; UINFO, UID, GID and UNSPEC.
  [10, 10],
  [31, 32],
  [54, 54],
  [69, 98],
  [100, 103],
  [110, 127],
  [265, 32767],
  [32770, 65534],
];

/** Obsolete types whose octets BIND checks in files and transfers. */
const CHECKED: ReadonlyMap<number, OctetCheck> = new Map([
  [11, assertWks],
  [34, atLeast(2, 'ATMA')],
  [38, assertA6],
  [40, atLeast(3, 'SINK')],
  [57, atLeast(5, 'RKEY')],
  [259, assertDoa],
  [32768, assertTrustAnchor],
  [32769, assertTrustAnchor],
]);

/** Whether records of the type are taken as octets, by the number of the type. */
export function isOpaque(code: number): boolean {
  return CHECKED.has(code) || ANY_OCTETS.some(([first, last]) => code >= first && code <= last);
}

/** @throws RdataError */
export function assertOpaque(code: number, rdata: Uint8Array): void {
  CHECKED.get(code)?.(rdata);
}

function atLeast(octets: number, name: string): OctetCheck {
  return (rdata) => {
    if (rdata.length < octets) throw malformed(name, `it has ${octets} octets at least`);
  };
}

/** RFC 1035 §3.4.2 — address, protocol, and a bit map of ports without zeros at its end. */
function assertWks(rdata: Uint8Array): void {
  const ports = rdata.length - 5;
  if (ports < 0 || ports > 8192 || (ports > 0 && rdata.at(-1) === 0))
    throw malformed('WKS', 'it has an address, a protocol and up to 8192 octets of ports, the last one not zero');
}

/** RFC 2874 §3.1 — prefix length, the rest of the address, and a name where there is a prefix. */
function assertA6(rdata: Uint8Array): void {
  const prefix = rdata[0] ?? 0xff;
  const suffix = 16 - Math.floor(prefix / 8);
  const hasName = prefix > 0;
  const isLong = rdata.length === 1 + suffix + (hasName ? 1 : 0);
  const isPadded = prefix % 8 === 0 || ((rdata[1] ?? 0) & ((0xff << (8 - (prefix % 8))) & 0xff)) === 0;
  if (prefix > 128 || !isLong || !isPadded || (hasName && rdata.at(-1) !== 0))
    throw malformed('A6', 'write it with a prefix length, the rest of the address, and the root as the name');
}

/** Enterprise, type and location, the media type with its length, and data (draft-durand-doa-over-dns §3). */
function assertDoa(rdata: Uint8Array): void {
  const mediaType = rdata[9] ?? 0xff;
  if (rdata.length < 10 + mediaType) throw malformed('DOA', 'its media type is cut off');
}

const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA1_LENGTH],
  [2, SHA256_LENGTH],
  [4, SHA384_LENGTH],
]);

/** RFC 4431 §2 — TA and DLV have the RDATA of DS. */
function assertTrustAnchor(rdata: Uint8Array): void {
  if (rdata.length < 5) throw malformed('TA and DLV', 'they have the four octets of a DS and a digest');
  assertDigest(rdata.subarray(4), DIGEST_LENGTHS.get(rdata[3] ?? 0), 'digest');
}

function malformed(name: string, rule: string): RdataError {
  return new RdataError(`the octets are malformed for ${name}, and BIND would refuse the zone: ${rule}`);
}
