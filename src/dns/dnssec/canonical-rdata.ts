import { lowerCase } from '../labels.js';
import { DECOMPRESSED_RDATA, type NamesInRdata } from '../message/rdata-names.js';

/** Types with names signed in lower case (RFC 4034 §6.2, RFC 6840 §5.1). Not SVCB, HTTPS and later types. */
const FOLDED: ReadonlyMap<number, NamesInRdata> = new Map([
  ...DECOMPRESSED_RDATA,
  // KX, DNAME.
  [36, { before: 2, strings: 0, names: 1 }],
  [39, { before: 0, strings: 0, names: 1 }],
]);

/** SVCB and HTTPS: their signature depends on case, but NSD 4.6 serves their targets in lower case. */
const SENT_FOLDED: ReadonlyMap<number, NamesInRdata> = new Map(
  [64, 65].map((type) => [type, { before: 2, strings: 0, names: 1 }]),
);

/** Returns canonical RDATA (RFC 4034 §6.2); the same array without names to fold. */
export function canonicalRdata(type: number, rdata: Uint8Array): Uint8Array {
  return folded(FOLDED.get(type), rdata);
}

export function isCaseFolded({ type }: { readonly type: number }): boolean {
  return SENT_FOLDED.has(type);
}

/** Returns the signed octets, so that each server serves them. */
export function rdataInSignedZone(type: number, rdata: Uint8Array): Uint8Array {
  return folded(SENT_FOLDED.get(type), rdata);
}

function folded(layout: NamesInRdata | undefined, rdata: Uint8Array): Uint8Array {
  if (layout === undefined) return rdata;
  const octets = rdata.slice();
  let at = layout.before;
  for (let strings = layout.strings; strings > 0; strings -= 1) at += 1 + octetAt(octets, at);
  for (let names = layout.names; names > 0; names -= 1) at = foldName(octets, at);
  return octets;
}

/** Sorts canonical RDATA and removes duplicates (RFC 4034 §6.3). */
export function canonicalRdatas(type: number, rdatas: readonly Uint8Array[]): Uint8Array[] {
  const canonical = rdatas.map((rdata) => canonicalRdata(type, rdata));
  if (canonical.length < 2) return canonical;
  canonical.sort((one, other) => Buffer.compare(one, other));
  return canonical.filter((rdata, at) => {
    const before = canonical[at - 1];
    return before === undefined || Buffer.compare(before, rdata) !== 0;
  });
}

function foldName(octets: Uint8Array, from: number): number {
  let at = from;
  for (let length = octetAt(octets, at); length !== 0; length = octetAt(octets, at)) {
    const end = at + 1 + length;
    while (++at < end) octets[at] = lowerCase(octetAt(octets, at));
  }
  return at + 1;
}

function octetAt(octets: Uint8Array, at: number): number {
  const octet = octets[at];
  if (octet === undefined) throw new RangeError('the names of the RDATA end too early');
  return octet;
}
