import { genericRdata } from './generic-rdata.js';
import { recordType, type RecordType } from './record-type.js';
import { typeCode } from './type-names.js';
import { assertDigest, SHA1_LENGTH, SHA256_LENGTH, SHA384_LENGTH } from './digest.js';
import { RdataError } from './rdata-error.js';

/** Type with generic data for a name like TYPE65280 (RFC 3597 §5); undefined if not offered. */
export function genericType(name: string): RecordType | undefined {
  const code = name.startsWith('TYPE') ? typeCode(name) : undefined;
  if (code === undefined || !isOpaque(code)) return undefined;
  return opaqueType(name, code);
}

/** Opaque type for stored records of an uninstalled plugin. */
export function formerType(name: string, code: number): RecordType {
  return opaqueType(name, code);
}

function opaqueType(name: string, code: number): RecordType {
  return recordType({
    name,
    code,
    rfc: 'RFC 3597 §5',
    fields: { data: genericRdata },
    check: ({ data }) => CHECKED.get(code)?.(data),
    example: { name: 'example.org.', data: '\\# 4 c0000201' },
  });
}

/** Throws RdataError for octets that make a name server refuse the zone. */
type OctetCheck = (rdata: Uint8Array) => void;

/** Types without a text form whose RDATA may be any octets: unassigned, private or unstructured. */
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

function isOpaque(code: number): boolean {
  return CHECKED.has(code) || ANY_OCTETS.some(([first, last]) => code >= first && code <= last);
}

function atLeast(octets: number, name: string): OctetCheck {
  return (rdata) => {
    if (rdata.length < octets) throw malformed(name, `it has ${octets} octets at least`);
  };
}

/** RFC 1035 §3.4.2: address, protocol, and a bit map of ports without zeros at its end. */
function assertWks(rdata: Uint8Array): void {
  const ports = rdata.length - 5;
  if (ports < 0 || ports > 8192 || (ports > 0 && rdata.at(-1) === 0))
    throw malformed('WKS', 'it has an address, a protocol and up to 8192 octets of ports, the last one not zero');
}

/** RFC 2874 §3.1: prefix length, the rest of the address, and with a prefix a name. */
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

/** RFC 4431 §2: TA and DLV have the RDATA of DS. */
function assertTrustAnchor(rdata: Uint8Array): void {
  if (rdata.length < 5) throw malformed('TA and DLV', 'they have the four octets of a DS and a digest');
  assertDigest(rdata.subarray(4), DIGEST_LENGTHS.get(rdata[3] ?? 0), 'digest');
}

function malformed(name: string, rule: string): RdataError {
  return new RdataError(`the octets are malformed for ${name}, and BIND would refuse the zone: ${rule}`);
}
