/** IANA, Resource Record TYPEs, November 2026. `*`, type 255, has the name ANY, as in DNS tools. */
const REGISTRY =
  'A 1, NS 2, MD 3, MF 4, CNAME 5, SOA 6, MB 7, MG 8, MR 9, NULL 10, WKS 11, PTR 12, HINFO 13, MINFO 14, MX 15, TXT 16, ' +
  'RP 17, AFSDB 18, X25 19, ISDN 20, RT 21, NSAP 22, NSAP-PTR 23, SIG 24, KEY 25, PX 26, GPOS 27, AAAA 28, LOC 29, NXT 30, ' +
  'EID 31, NIMLOC 32, SRV 33, ATMA 34, NAPTR 35, KX 36, CERT 37, A6 38, DNAME 39, SINK 40, OPT 41, APL 42, DS 43, ' +
  'SSHFP 44, IPSECKEY 45, RRSIG 46, NSEC 47, DNSKEY 48, DHCID 49, NSEC3 50, NSEC3PARAM 51, TLSA 52, SMIMEA 53, HIP 55, ' +
  'NINFO 56, RKEY 57, TALINK 58, CDS 59, CDNSKEY 60, OPENPGPKEY 61, CSYNC 62, ZONEMD 63, SVCB 64, HTTPS 65, DSYNC 66, ' +
  'HHIT 67, BRID 68, SPF 99, UINFO 100, UID 101, GID 102, UNSPEC 103, NID 104, L32 105, L64 106, LP 107, EUI48 108, ' +
  'EUI64 109, NXNAME 128, TKEY 249, TSIG 250, IXFR 251, AXFR 252, MAILB 253, MAILA 254, ANY 255, URI 256, CAA 257, ' +
  'AVC 258, DOA 259, AMTRELAY 260, RESINFO 261, WALLET 262, CLA 263, IPN 264, TA 32768, DLV 32769';

export const TYPE_CODES: ReadonlyMap<string, number> = new Map(
  REGISTRY.split(', ').map((entry) => {
    const [name = '', code] = entry.split(' ');
    return [name, Number(code)];
  }),
);

/** Mnemonics that BIND 9.18, Knot 3.2, NSD 4.6, ldns 1.8 and dnspython 2.3 read as a type and in type lists. */
const COMMON_NAMES =
  'A NS CNAME SOA PTR HINFO MX TXT RP AFSDB RT AAAA LOC SRV NAPTR KX CERT DNAME APL DS SSHFP IPSECKEY RRSIG NSEC ' +
  'DNSKEY DHCID NSEC3 NSEC3PARAM TLSA SMIMEA CDS CDNSKEY OPENPGPKEY CSYNC SVCB HTTPS SPF NID L32 L64 LP EUI48 EUI64 URI CAA';

const COMMON = new Map(COMMON_NAMES.split(' ').map((name) => [TYPE_CODES.get(name) ?? 0, name]));
const NAMES = new Map([...TYPE_CODES].map(([name, code]) => [code, name]));

/** Returns the mnemonic if all name servers read it, otherwise TYPE and the number (RFC 3597 §5). */
export function typeName(code: number): string {
  return COMMON.get(code) ?? `TYPE${code}`;
}

/** For messages: the registered mnemonic, otherwise TYPE and the number. */
export function registeredName(code: number): string {
  return NAMES.get(code) ?? `TYPE${code}`;
}

export function isCommonName(name: string, code: number): boolean {
  return COMMON.get(code) === name;
}

/** A mnemonic, or a name like TYPE65280. */
export function typeCode(name: string): number | undefined {
  const code = TYPE_CODES.get(name);
  if (code !== undefined) return code;
  const digits = /^TYPE(0|[1-9][0-9]{0,4})$/.exec(name)?.[1];
  return digits !== undefined && Number(digits) <= 0xffff ? Number(digits) : undefined;
}

/** Whether zones can have the type, unlike OPT and QTYPEs (RFC 6895 §3.1). */
export function isDataType(code: number): boolean {
  return code !== 0 && code !== 41 && (code < 128 || code > 255) && code !== 0xffff;
}
