/** RFC 1035 §3.2.4, RFC 2136 §2.4. */
export const RecordClass = { IN: 1, CH: 3, NONE: 254, ANY: 255 } as const;

/** Types of questions, and of records outside zones (RFC 6895 §3.1). */
export const MetaType = { OPT: 41, TSIG: 250, IXFR: 251, AXFR: 252, ANY: 255 } as const;

/** IANA, DNS OpCodes. */
export const Opcode = { QUERY: 0, NOTIFY: 4, UPDATE: 5 } as const;

/** Also TSIG errors (IANA, DNS RCODEs). 16 is BADVERS in EDNS and BADSIG in TSIG. */
export const Rcode = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADTRUNC: 22,
  BADCOOKIE: 23,
} as const;

const NAMES = new Map<number, string>(Object.entries(Rcode).map(([name, code]) => [code, name]));

/** Returns BADSIG for 16. For logs. */
export function rcodeName(code: number): string {
  return NAMES.get(code) ?? `RCODE${code}`;
}
