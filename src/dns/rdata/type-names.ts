/** The codes of the mnemonics that every name server knows in a list of types (IANA, Resource Record TYPEs). */
export const TYPE_CODES: ReadonlyMap<string, number> = new Map([
  ['A', 1],
  ['NS', 2],
  ['CNAME', 5],
  ['SOA', 6],
  ['PTR', 12],
  ['HINFO', 13],
  ['MX', 15],
  ['TXT', 16],
  ['RP', 17],
  ['AFSDB', 18],
  ['AAAA', 28],
  ['LOC', 29],
  ['SRV', 33],
  ['NAPTR', 35],
  ['KX', 36],
  ['CERT', 37],
  ['DNAME', 39],
  ['APL', 42],
  ['DS', 43],
  ['SSHFP', 44],
  ['IPSECKEY', 45],
  ['RRSIG', 46],
  ['NSEC', 47],
  ['DNSKEY', 48],
  ['DHCID', 49],
  ['NSEC3', 50],
  ['NSEC3PARAM', 51],
  ['TLSA', 52],
  ['SMIMEA', 53],
  ['CDS', 59],
  ['CDNSKEY', 60],
  ['OPENPGPKEY', 61],
  ['CSYNC', 62],
  ['SVCB', 64],
  ['HTTPS', 65],
  ['SPF', 99],
  ['EUI48', 108],
  ['EUI64', 109],
  ['URI', 256],
  ['CAA', 257],
]);

const NAMES = new Map([...TYPE_CODES].map(([name, code]) => [code, name]));

/** The mnemonic of a type, or TYPE and its number (RFC 3597 §5). */
export function typeName(code: number): string {
  return NAMES.get(code) ?? `TYPE${code}`;
}

/** The code of a mnemonic or of a name like TYPE65280; undefined for any other text. */
export function typeCode(name: string): number | undefined {
  const code = TYPE_CODES.get(name);
  if (code !== undefined) return code;
  const digits = /^TYPE(0|[1-9][0-9]{0,4})$/.exec(name)?.[1];
  return digits !== undefined && Number(digits) <= 0xffff ? Number(digits) : undefined;
}

/** Whether records of the type can stand in a zone, as OPT and the types of questions cannot (RFC 6895 §3.1). */
export function isDataType(code: number): boolean {
  return code !== 0 && code !== 41 && (code < 128 || code > 255) && code !== 0xffff;
}
