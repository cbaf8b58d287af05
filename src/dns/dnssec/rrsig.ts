import { isWildcardLabel } from '../labels.js';
import type { DomainName } from '../name.js';
import { RecordClass } from '../message/codes.js';
import { canonicalRdatas } from './canonical-rdata.js';
import { PublishedKey, type SigningKey } from './dnskey.js';
import { type WireSet, isSignedByKsk } from './wire-set.js';

/** Seconds since 1970. */
export interface Validity {
  readonly inception: number;
  readonly expiration: number;
}

/** RRSIG inception lies in the past for resolvers whose clock is behind, in seconds. */
export const BACKDATED = 3 * 3600;
/** From type covered to key tag (RFC 4034 §3.1). */
export const RRSIG_FIXED_OCTETS = 18;
const RECORD_FIXED_OCTETS = 10;
const TWO_TO_32 = 2 ** 32;

/** RDATA of RRSIG without the signature, and the octets to sign. */
interface UnsignedRrsig {
  readonly head: Uint8Array;
  readonly data: Uint8Array;
}

/** For a key that signs elsewhere. */
export function unsignedRrsig(set: WireSet, key: PublishedKey, apex: DomainName, validity: Validity): UnsignedRrsig {
  const head = headOf(set, key, apex, validity);
  return { head, data: signedData(head, set) };
}

/** Returns RDATA of RRSIG, verified with the published key. @throws UnverifiedSignature */
export function signSet(set: WireSet, key: SigningKey, apex: DomainName, validity: Validity): Uint8Array {
  const { head, data } = unsignedRrsig(set, key, apex, validity);
  const signature = key.sign(data);
  if (!key.verify(data, signature)) throw new UnverifiedSignature(set, key.tag);
  return Buffer.concat([head, signature]);
}

/** Ignores the validity period (RFC 4035 §5.3). */
export function isSignatureOf(rrsig: Uint8Array, set: WireSet, key: PublishedKey, apex: DomainName): boolean {
  const end = RRSIG_FIXED_OCTETS + apex.wire.length;
  const head = Buffer.from(rrsig.subarray(0, end));
  const isFor =
    head.readUInt16BE(0) === set.type &&
    head[2] === key.algorithm &&
    head[3] === labelsOf(set.owner) &&
    head.readUInt32BE(4) === set.ttl &&
    head.readUInt16BE(16) === key.tag &&
    Buffer.compare(head.subarray(RRSIG_FIXED_OCTETS), apex.canonical.wire) === 0;
  return isFor && key.verify(signedData(head, set), rrsig.subarray(end));
}

export function readRrsig(rrsig: Uint8Array): { readonly type: number; readonly tag: number } & Validity {
  const head = Buffer.from(rrsig.buffer, rrsig.byteOffset, rrsig.length);
  return {
    type: head.readUInt16BE(0),
    expiration: head.readUInt32BE(8),
    inception: head.readUInt32BE(12),
    tag: head.readUInt16BE(16),
  };
}

export class UnverifiedSignature extends Error {
  constructor({ owner, type }: WireSet, tag: number) {
    super(`the signature of ${owner.toString()} type ${type} by key ${tag} is wrong`);
  }
}

/** RDATA without the signature (RFC 4034 §3.1.8.1). */
function headOf({ owner, type, ttl }: WireSet, key: PublishedKey, apex: DomainName, validity: Validity): Buffer {
  const signer = apex.canonical.wire;
  const head = Buffer.alloc(RRSIG_FIXED_OCTETS + signer.length);
  head.writeUInt16BE(type, 0);
  head[2] = key.algorithm;
  head[3] = labelsOf(owner);
  head.writeUInt32BE(ttl, 4);
  // Times wrap around like serials (RFC 4034 §3.1.5).
  head.writeUInt32BE(validity.expiration % TWO_TO_32, 8);
  head.writeUInt32BE(validity.inception % TWO_TO_32, 12);
  head.writeUInt16BE(key.tag, 16);
  head.set(signer, RRSIG_FIXED_OCTETS);
  return head;
}

function signedData(head: Uint8Array, { owner, type, ttl, rdatas }: WireSet): Buffer {
  const name = owner.canonical.wire;
  const ordered = canonicalRdatas(type, rdatas);
  const length = ordered.reduce((sum, rdata) => sum + name.length + RECORD_FIXED_OCTETS + rdata.length, head.length);
  const data = Buffer.allocUnsafe(length);
  data.set(head);
  let at = head.length;
  for (const rdata of ordered) {
    data.set(name, at);
    at += name.length;
    data.writeUInt16BE(type, at);
    data.writeUInt16BE(RecordClass.IN, at + 2);
    data.writeUInt32BE(ttl, at + 4);
    data.writeUInt16BE(rdata.length, at + 8);
    data.set(rdata, at + RECORD_FIXED_OCTETS);
    at += RECORD_FIXED_OCTETS + rdata.length;
  }
  return data;
}

/** A leftmost `*` and the root do not count (RFC 4034 §3.1.3). */
function labelsOf({ wire, labelCount }: DomainName): number {
  return labelCount - (isWildcardLabel(wire.subarray(1, 1 + (wire[0] ?? 0))) ? 1 : 0);
}

/** A signature that was made where the private key is. */
export interface PreparedSignature {
  /** RDATA of RRSIG. */
  readonly rrsig: Uint8Array;
  /** In seconds since 1970, when the next signature replaces it: no later than its expiration. */
  readonly dueAt: number;
}

/** A key whose signatures were made elsewhere: in a token, or by an offline KSK. */
export class PresignedKey extends PublishedKey {
  constructor(
    dnskey: Uint8Array,
    private readonly find: (set: WireSet, tag: number) => PreparedSignature | null,
  ) {
    super(dnskey);
  }

  /** @throws MissingSignature */
  prepared(set: WireSet): PreparedSignature {
    const found = this.find(set, this.tag);
    if (found === null) throw new MissingSignature(this.tag);
    return found;
  }
}

export class MissingSignature extends Error {
  constructor(tag: number) {
    super(`the signatures of the offline KSK ${tag} have ended: import a signed key response`);
  }
}

/** A key whose private key is in a token. It becomes a `PresignedKey` for the sets that the token has signed. */
export class TokenKey extends PublishedKey {
  constructor(
    dnskey: Uint8Array,
    /** Returns the signatures in the order of the data. */
    readonly sign: (data: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>,
  ) {
    super(dnskey);
  }
}

/** A combined signing key is in both lists. */
export interface SigningKeys<Key = SigningKey | PresignedKey> {
  /** KSKs, for DNSKEY, CDS and CDNSKEY. */
  readonly ofKeys: readonly Key[];
  readonly ofZone: readonly Key[];
}

/** The keys of a zone, before those in a token have signed. */
export type ZoneSigners = SigningKeys<SigningKey | PresignedKey | TokenKey>;

export function keysFor<Key>(
  set: Pick<WireSet, 'owner' | 'type'>,
  { ofKeys, ofZone }: SigningKeys<Key>,
  apex: DomainName,
): readonly Key[] {
  return isSignedByKsk(set, apex) ? ofKeys : ofZone;
}

/** Returns one verified RRSIG for each key. @throws UnverifiedSignature, MissingSignature */
export function signaturesOf(set: WireSet, keys: SigningKeys, apex: DomainName, validity: Validity): Uint8Array[] {
  return keysFor(set, keys, apex).map((key) => {
    if (!(key instanceof PresignedKey)) return signSet(set, key, apex, validity);
    const { rrsig } = key.prepared(set);
    if (!isSignatureOf(rrsig, set, key, apex)) throw new UnverifiedSignature(set, key.tag);
    return rrsig;
  });
}
