import { hash } from 'node:crypto';
import { DomainName } from '../name.js';
import { decodeBase32Hex, encodeBase32Hex } from '../rdata/encodings.js';
import { typeBitmap } from '../rdata/type-bitmap.js';
import { WireReader, WireWriter } from '../message/wire.js';
import { Type } from './wire-set.js';

export type Denial = 'nsec' | 'nsec3';

/** RFC 9276 §3.1: SHA-1, no flags, no extra iterations, no salt. */
export const NSEC3PARAM_RDATA = Uint8Array.from([1, 0, 0, 0, 0]);

export const HASH_OCTETS = 20;

export interface ChainKind {
  readonly type: number;
  /** Whether hashes sort the chain, which then has empty non-terminals (RFC 5155 §7.1). */
  readonly isByHash: boolean;
  ownerOf(name: DomainName, apex: DomainName): DomainName;
  /** @param hasSignatures whether records at the name are signed */
  bitmapOf(types: readonly number[], hasSignatures: boolean): Uint8Array;
  rdataOf(next: DomainName, bitmap: Uint8Array): Uint8Array;
  read(rdata: Uint8Array, apex: DomainName): { readonly next: DomainName; readonly bitmap: Uint8Array };
}

const NSEC: ChainKind = {
  type: Type.NSEC,
  isByHash: false,
  // Lower case, so that a change of case does not affect the chain.
  ownerOf: (name) => name.canonical,
  bitmapOf: (types) => bitmap([...types, Type.RRSIG, Type.NSEC]),
  rdataOf: (next, types) => Buffer.concat([next.wire, types]),
  read(rdata) {
    const next = DomainName.read(rdata);
    return { next, bitmap: rdata.subarray(next.wire.length) };
  },
};

const NSEC3_FIXED = Uint8Array.from([1, 0, 0, 0, 0, HASH_OCTETS]);

const NSEC3: ChainKind = {
  type: Type.NSEC3,
  isByHash: true,
  ownerOf: (name, apex) => hashedName(nsec3Hash(name), apex),
  bitmapOf: (types, hasSignatures) => bitmap(hasSignatures ? [...types, Type.RRSIG] : types),
  rdataOf: (next, types) => Buffer.concat([NSEC3_FIXED, hashIn(next), types]),
  read(rdata, apex) {
    const end = NSEC3_FIXED.length + HASH_OCTETS;
    return { next: hashedName(rdata.subarray(NSEC3_FIXED.length, end), apex), bitmap: rdata.subarray(end) };
  },
};

export function chainKind(denial: Denial): ChainKind {
  return denial === 'nsec' ? NSEC : NSEC3;
}

/** RFC 5155 §5. */
export function nsec3Hash(name: DomainName): Uint8Array {
  return hash('sha1', name.canonical.wire, 'buffer');
}

export function hashedName(hash: Uint8Array, apex: DomainName): DomainName {
  const label = Buffer.from(encodeBase32Hex(hash), 'latin1');
  return DomainName.read(Buffer.concat([Uint8Array.of(label.length), label, apex.wire]));
}

function hashIn(name: DomainName): Uint8Array {
  return decodeBase32Hex(Buffer.from(name.labels[0] ?? []).toString('latin1')) ?? new Uint8Array(HASH_OCTETS);
}

export function typesIn(octets: Uint8Array): readonly number[] {
  return typeBitmap.read(new WireReader(octets));
}

function bitmap(types: readonly number[]): Uint8Array {
  const out = new WireWriter();
  typeBitmap.write(
    [...new Set(types)].sort((a, b) => a - b),
    out,
  );
  return out.finish();
}
