/** RDATA with names: fixed octets, character strings, names, then octets without names. */
export interface NamesInRdata {
  readonly before: number;
  readonly strings: number;
  readonly names: number;
}

/** RFC 1035 types with names, by code. A sender may compress names in no other RDATA (RFC 3597 §4). */
export const COMPRESSED_RDATA: ReadonlyMap<number, NamesInRdata> = new Map([
  ...[2, 3, 4, 5, 7, 8, 9, 12].map((code) => [code, { before: 0, strings: 0, names: 1 }] as const),
  [6, { before: 0, strings: 0, names: 2 }],
  [14, { before: 0, strings: 0, names: 2 }],
  [15, { before: 2, strings: 0, names: 1 }],
]);

/** Adds later types in which a receiver should accept compressed names (RFC 3597 §4). */
export const DECOMPRESSED_RDATA: ReadonlyMap<number, NamesInRdata> = new Map([
  ...COMPRESSED_RDATA,
  // RP, AFSDB, RT, PX, SRV, NAPTR. RFC 3597 also has SIG and NXT, which are obsolete.
  [17, { before: 0, strings: 0, names: 2 }],
  [18, { before: 2, strings: 0, names: 1 }],
  [21, { before: 2, strings: 0, names: 1 }],
  [26, { before: 2, strings: 0, names: 2 }],
  [33, { before: 6, strings: 0, names: 1 }],
  [35, { before: 4, strings: 3, names: 1 }],
]);
