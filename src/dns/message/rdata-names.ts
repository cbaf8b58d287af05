/** Where the names stand in RDATA that has any: fixed octets, character strings, names; what follows has none. */
export interface NamesInRdata {
  readonly before: number;
  readonly strings: number;
  readonly names: number;
}

/**
 * The types of RFC 1035, by code, as far as they have names: in these and in no other RDATA a sender may compress names
 * (RFC 3597 §4).
 */
export const COMPRESSED_RDATA: ReadonlyMap<number, NamesInRdata> = new Map([
  ...[2, 3, 4, 5, 7, 8, 9, 12].map((code) => [code, { before: 0, strings: 0, names: 1 }] as const),
  [6, { before: 0, strings: 0, names: 2 }],
  [14, { before: 0, strings: 0, names: 2 }],
  [15, { before: 2, strings: 0, names: 1 }],
]);

/** Those, and the later types in which a receiver should understand compressed names all the same (RFC 3597 §4). */
export const DECOMPRESSED_RDATA: ReadonlyMap<number, NamesInRdata> = new Map([
  ...COMPRESSED_RDATA,
  // RP, AFSDB, RT, PX, SRV, NAPTR; SIG and NXT, which RFC 3597 names too, are no longer in use.
  [17, { before: 0, strings: 0, names: 2 }],
  [18, { before: 2, strings: 0, names: 1 }],
  [21, { before: 2, strings: 0, names: 1 }],
  [26, { before: 2, strings: 0, names: 2 }],
  [33, { before: 6, strings: 0, names: 1 }],
  [35, { before: 4, strings: 3, names: 1 }],
]);
