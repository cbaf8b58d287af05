import { createHash } from 'node:crypto';
import type { DomainName } from '../name.js';

/** RFC 4034 §2.1.1: the key signs the zone; with SEP it is what a DS refers to. */
export const ZONE_KEY = 256;
export const SECURE_ENTRY_POINT = 257;
/** RFC 4034 §2.1.2. */
const PROTOCOL = 3;
const FIXED_OCTETS = 4;

export interface Dnskey {
  readonly flags: number;
  readonly algorithm: number;
  readonly publicField: Uint8Array;
}

/** RDATA of DNSKEY, and of the CDNSKEY that says the same (RFC 7344 §3.2). */
export function dnskeyRdata({ flags, algorithm, publicField }: Dnskey): Uint8Array {
  return Uint8Array.from([flags >> 8, flags & 0xff, PROTOCOL, algorithm, ...publicField]);
}

export function readDnskey(rdata: Uint8Array): Dnskey {
  const [high = 0, low = 0, , algorithm = 0] = rdata;
  return { flags: (high << 8) | low, algorithm, publicField: rdata.subarray(FIXED_OCTETS) };
}

/** RFC 4034 App. B. Keys of a zone may have the same one by nature; a signer takes care that its own do not. */
export function keyTag(dnskey: Uint8Array): number {
  let sum = 0;
  dnskey.forEach((octet, at) => (sum += at % 2 === 0 ? octet << 8 : octet));
  return (sum + (sum >>> 16)) & 0xffff;
}

export const DIGEST_TYPES = { SHA256: 2, SHA384: 4 } as const;
type DigestType = (typeof DIGEST_TYPES)[keyof typeof DIGEST_TYPES];
const HASHES: Readonly<Record<DigestType, string>> = { 2: 'sha256', 4: 'sha384' };

/** RDATA of DS, and of the CDS that asks for it (RFC 4034 §5.1.4, RFC 7344 §3.1). */
export function dsRdata(apex: DomainName, dnskey: Uint8Array, digestType: DigestType): Uint8Array {
  const digest = createHash(HASHES[digestType]).update(apex.canonical.wire).update(dnskey).digest();
  const tag = keyTag(dnskey);
  return Uint8Array.from([tag >> 8, tag & 0xff, readDnskey(dnskey).algorithm, digestType, ...digest]);
}
