/** Response codes, and the errors of TSIG (IANA, DNS RCODEs). BADVERS belongs to EDNS, and BADSIG, the same number, to TSIG. */
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

/** The mnemonic of a response code or TSIG error, for logs; 16 is named BADSIG. */
export function rcodeName(code: number): string {
  return NAMES.get(code) ?? `RCODE${code}`;
}
