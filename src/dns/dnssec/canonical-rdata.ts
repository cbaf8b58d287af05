import { lowerCase } from '../labels.js';
import { DECOMPRESSED_RDATA, type NamesInRdata } from '../message/rdata-names.js';

/**
 * The types whose names are signed in lower case (RFC 4034 §6.2, RFC 6840 §5.1), and no others: neither SVCB and HTTPS nor any
 * later type.
 */
const FOLDED: ReadonlyMap<number, NamesInRdata> = new Map([
  ...DECOMPRESSED_RDATA,
  // KX, DNAME.
  [36, { before: 2, strings: 0, names: 1 }],
  [39, { before: 0, strings: 0, names: 1 }],
]);

/** SVCB and HTTPS: they are signed as they are spelled, and NSD 4.6 hands their targets out in lower case. */
const SENT_FOLDED: ReadonlyMap<number, NamesInRdata> = new Map(
  [64, 65].map((type) => [type, { before: 2, strings: 0, names: 1 }]),
);

/** RDATA as it is signed. Returns the same array where there is nothing to fold. */
export function canonicalRdata(type: number, rdata: Uint8Array): Uint8Array {
  return folded(FOLDED.get(type), rdata);
}

/** Whether signed zones have records of that type with their names in lower case. */
export function isCaseFolded({ type }: { readonly type: number }): boolean {
  return SENT_FOLDED.has(type);
}

/** RDATA as signed zones have it, so that its signature holds wherever it is handed out. */
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

/** The RDATA of a set in the order in which they are signed, each once (RFC 4034 §6.3). */
export function canonicalRdatas(type: number, rdatas: readonly Uint8Array[]): Uint8Array[] {
  const canonical = rdatas.map((rdata) => canonicalRdata(type, rdata));
  if (canonical.length < 2) return canonical;
  canonical.sort((one, other) => Buffer.compare(one, other));
  return canonical.filter((rdata, at) => {
    const before = canonical[at - 1];
    return before === undefined || Buffer.compare(before, rdata) !== 0;
  });
}

/** Folds the name that begins there; returns where it ends. */
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
