import { isWildcardLabel } from '../labels.js';
import type { DomainName } from '../name.js';
import { RecordClass } from '../message/codes.js';
import { signingAlgorithm } from './algorithms.js';
import { canonicalRdatas } from './canonical-rdata.js';
import { keyTag, readDnskey } from './dnskey.js';
import type { SigningKey } from './signing-key.js';
import type { WireSet } from './wire-set.js';

/** From when until when a signature counts, in seconds since 1970. */
export interface Validity {
  readonly inception: number;
  readonly expiration: number;
}

/** Type covered to key tag (RFC 4034 §3.1). */
export const RRSIG_FIXED_OCTETS = 18;
const RECORD_FIXED_OCTETS = 10;
const TWO_TO_32 = 2 ** 32;

/**
 * A signature of the set, as RDATA of RRSIG. It has been verified with the key as it is published.
 * @param apex the name of the zone
 * @throws UnverifiedSignature
 */
export function signSet(set: WireSet, key: SigningKey, apex: DomainName, validity: Validity): Uint8Array {
  const head = headOf(set, key, apex, validity);
  const data = signedData(head, set);
  const signature = key.sign(data);
  if (!key.verify(data, signature)) throw new UnverifiedSignature(set, key.tag);
  return Buffer.concat([head, signature]);
}

/** Whether the RRSIG signs the set with that DNSKEY, whatever the time is (RFC 4035 §5.3). */
export function isSignatureOf(rrsig: Uint8Array, set: WireSet, dnskey: Uint8Array, apex: DomainName): boolean {
  const end = RRSIG_FIXED_OCTETS + apex.wire.length;
  const head = Buffer.from(rrsig.subarray(0, end));
  const { algorithm, publicField } = readDnskey(dnskey);
  const isFor =
    head.readUInt16BE(0) === set.type &&
    head[2] === algorithm &&
    head[3] === labelsOf(set.owner) &&
    head.readUInt32BE(4) === set.ttl &&
    head.readUInt16BE(16) === keyTag(dnskey) &&
    Buffer.compare(head.subarray(RRSIG_FIXED_OCTETS), apex.canonical.wire) === 0;
  if (!isFor) return false;
  const signing = signingAlgorithm(algorithm);
  return signing.verify(signedData(head, set), signing.publicKeyOf(publicField), rrsig.subarray(end));
}

/** What an RRSIG says of itself. */
export function readRrsig(rrsig: Uint8Array): { readonly type: number; readonly tag: number } & Validity {
  const head = Buffer.from(rrsig.buffer, rrsig.byteOffset, rrsig.length);
  return {
    type: head.readUInt16BE(0),
    expiration: head.readUInt32BE(8),
    inception: head.readUInt32BE(12),
    tag: head.readUInt16BE(16),
  };
}

/** A signature that the published key does not verify. It must reach nobody. */
export class UnverifiedSignature extends Error {
  constructor({ owner, type }: WireSet, tag: number) {
    super(`the signature of ${owner.toString()} type ${type} by key ${tag} is wrong`);
  }
}

/** The RDATA without the signature (RFC 4034 §3.1.8.1). */
function headOf({ owner, type, ttl }: WireSet, key: SigningKey, apex: DomainName, validity: Validity): Buffer {
  const signer = apex.canonical.wire;
  const head = Buffer.alloc(RRSIG_FIXED_OCTETS + signer.length);
  head.writeUInt16BE(type, 0);
  head[2] = key.algorithm;
  head[3] = labelsOf(owner);
  head.writeUInt32BE(ttl, 4);
  // Times turn over, as serials do (RFC 4034 §3.1.5).
  head.writeUInt32BE(validity.expiration % TWO_TO_32, 8);
  head.writeUInt32BE(validity.inception % TWO_TO_32, 12);
  head.writeUInt16BE(key.tag, 16);
  head.set(signer, RRSIG_FIXED_OCTETS);
  return head;
}

function signedData(head: Uint8Array, { owner, type, ttl, rdatas }: WireSet): Buffer {
  const name = owner.canonical.wire;
  const parts: Uint8Array[] = [head];
  for (const rdata of canonicalRdatas(type, rdatas)) {
    const fixed = Buffer.alloc(RECORD_FIXED_OCTETS);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(RecordClass.IN, 2);
    fixed.writeUInt32BE(ttl, 4);
    fixed.writeUInt16BE(rdata.length, 8);
    parts.push(name, fixed, rdata);
  }
  return Buffer.concat(parts);
}

/** The leftmost `*` does not count, nor does the root (RFC 4034 §3.1.3). */
function labelsOf(owner: DomainName): number {
  return owner.labelCount - (isWildcardLabel(owner.labels[0]) ? 1 : 0);
}
