/** The codes of the types that signing makes or looks at (IANA, Resource Record TYPEs). */
export const Type = {
  NS: 2,
  SOA: 6,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  CDS: 59,
  CDNSKEY: 60,
} as const;
