import { createHash, type KeyObject } from 'node:crypto';
import type { DomainName } from '../name.js';
import { signingAlgorithm } from './algorithms.js';

/** RFC 4034 §2.1.1: flags of a ZSK, and with SEP of a KSK. */
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

/** RDATA of DNSKEY and CDNSKEY (RFC 7344 §3.2). */
export function dnskeyRdata({ flags, algorithm, publicField }: Dnskey): Uint8Array {
  return Uint8Array.from([flags >> 8, flags & 0xff, PROTOCOL, algorithm, ...publicField]);
}

export function readDnskey(rdata: Uint8Array): Dnskey {
  const [high = 0, low = 0, , algorithm = 0] = rdata;
  return { flags: (high << 8) | low, algorithm, publicField: rdata.subarray(FIXED_OCTETS) };
}

/** RFC 4034 App. B. Tags may collide; the signer avoids collisions of its own keys. */
export function keyTag(dnskey: Uint8Array): number {
  let sum = 0;
  dnskey.forEach((octet, at) => (sum += at % 2 === 0 ? octet << 8 : octet));
  return (sum + (sum >>> 16)) & 0xffff;
}

export const DIGEST_TYPES = { SHA256: 2, SHA384: 4 } as const;
type DigestType = (typeof DIGEST_TYPES)[keyof typeof DIGEST_TYPES];
const HASHES: Readonly<Record<DigestType, string>> = { 2: 'sha256', 4: 'sha384' };

/** RDATA of DS and CDS (RFC 4034 §5.1.4, RFC 7344 §3.1). */
export function dsRdata(apex: DomainName, dnskey: Uint8Array, digestType: DigestType): Uint8Array {
  const digest = createHash(HASHES[digestType]).update(apex.canonical.wire).update(dnskey).digest();
  const tag = keyTag(dnskey);
  return Uint8Array.from([tag >> 8, tag & 0xff, readDnskey(dnskey).algorithm, digestType, ...digest]);
}

/** Create it once: parsing a key takes longer than a verification. */
export class PublishedKey {
  readonly tag: number;
  readonly flags: number;
  readonly algorithm: number;
  private readonly publicKey: KeyObject;

  constructor(readonly dnskey: Uint8Array) {
    const { flags, algorithm, publicField } = readDnskey(dnskey);
    this.tag = keyTag(dnskey);
    this.flags = flags;
    this.algorithm = algorithm;
    this.publicKey = signingAlgorithm(algorithm).publicKeyOf(publicField);
  }

  verify(data: Uint8Array, signature: Uint8Array): boolean {
    return signingAlgorithm(this.algorithm).verify(data, this.publicKey, signature);
  }
}

export class SigningKey extends PublishedKey {
  /** @param dnskey published RDATA, which verifies the signatures */
  constructor(
    dnskey: Uint8Array,
    private readonly privateKey: KeyObject,
  ) {
    super(dnskey);
  }

  sign(data: Uint8Array): Uint8Array {
    return signingAlgorithm(this.algorithm).sign(data, this.privateKey);
  }
}
