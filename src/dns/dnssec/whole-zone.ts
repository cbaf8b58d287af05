import { DomainName } from '../name.js';
import { keysOnPath, wireOfKey } from '../name-key.js';
import { Occlusion, provenTypes, signedTypes } from './authority.js';
import { type ChainKind, hashedName, nsec3Hash, HASH_OCTETS } from './denial.js';
import type { WireSet } from './wire-set.js';

export type NameSets = readonly [WireSet, ...WireSet[]];

export interface ZoneForm {
  readonly apex: DomainName;
  readonly kind: ChainKind;
  /** TTL of NSEC and NSEC3: the lower of SOA minimum and SOA TTL (RFC 9077). */
  readonly denialTtl: number;
}

/** Yields each NSEC or NSEC3 set when its successor is known. @param names in canonical order, the whole apex first */
export async function* setsToSign(
  { apex, kind, denialTtl }: ZoneForm,
  names: AsyncIterable<readonly NameSets[]>,
): AsyncGenerator<readonly WireSet[]> {
  const occlusion = new Occlusion(apex.key);
  const bitmaps = new Bitmaps(kind);
  const chain = kind.isByHash ? new HashedNames(apex, bitmaps) : new OrderedNames(bitmaps);
  for await (const some of names) {
    const batch: WireSet[] = [];
    for (const sets of some) {
      const [{ owner }] = sets;
      const types = sets.map(({ type }) => type);
      const authority = occlusion.authorityOf(owner.key, types);
      if (authority === 'occluded') continue;
      const signed = signedTypes(authority, types);
      batch.push(...sets.filter(({ type }) => signed.includes(type)));
      const link = chain.add(owner, bitmaps.indexOf(provenTypes(authority, types), signed.length > 0));
      if (link !== null) batch.push(setOf(link, kind, denialTtl));
    }
    yield batch;
  }
  for (const links of chain.rest()) yield links.map((link) => setOf(link, kind, denialTtl));
}

interface Link {
  readonly owner: DomainName;
  readonly next: DomainName;
  readonly bitmap: Uint8Array;
}

function setOf({ owner, next, bitmap }: Link, kind: ChainKind, ttl: number): WireSet {
  return { owner, type: kind.type, ttl, rdatas: [kind.rdataOf(next, bitmap)] };
}

/** Stores each distinct bitmap once: most names have the same types. */
class Bitmaps {
  private readonly all: Uint8Array[] = [];
  private readonly known = new Map<string, number>();

  constructor(private readonly kind: ChainKind) {}

  indexOf(types: readonly number[], hasSignatures: boolean): number {
    const place = `${types.join(' ')} ${hasSignatures}`;
    const known = this.known.get(place);
    if (known !== undefined) return known;
    this.known.set(place, this.all.length);
    return this.all.push(this.kind.bitmapOf(types, hasSignatures)) - 1;
  }

  at(index: number): Uint8Array {
    return this.all[index] ?? this.kind.bitmapOf([], false);
  }
}

/** Expects names in canonical order. */
interface ZoneChain {
  /** Returns a completed link. @param bitmap its index */
  add(name: DomainName, bitmap: number): Link | null;
  rest(): Iterable<readonly Link[]>;
}

/** NSEC: the chain has the order of the names, so it needs no memory. */
class OrderedNames implements ZoneChain {
  private first: DomainName | null = null;
  private last: { readonly owner: DomainName; readonly bitmap: Uint8Array } | null = null;

  constructor(private readonly bitmaps: Bitmaps) {}

  add(name: DomainName, bitmap: number): Link | null {
    const owner = name.canonical;
    const before = this.last;
    this.first ??= owner;
    this.last = { owner, bitmap: this.bitmaps.at(bitmap) };
    return before && { ...before, next: owner };
  }

  rest(): Iterable<readonly Link[]> {
    return this.last === null || this.first === null ? [] : [[{ ...this.last, next: this.first }]];
  }
}

/** NSEC3: the chain has the order of the hashes, so it is known only at the end. */
class HashedNames implements ZoneChain {
  private readonly hashes = new SortedHashes();
  /** Keys from the apex to the last name. Names below each key are contiguous. */
  private path: readonly string[] = [];

  constructor(
    private readonly apex: DomainName,
    private readonly bitmaps: Bitmaps,
  ) {}

  add(name: DomainName, bitmap: number): null {
    const path = keysOnPath(this.apex.key, name.key);
    for (const [depth, key] of path.entries())
      // A parent name with records came earlier.
      if (depth < path.length - 1 && this.path[depth] !== key) this.addHash(DomainName.read(wireOfKey(key)), NO_TYPES);
    this.path = path;
    this.addHash(name, bitmap);
    return null;
  }

  private addHash(name: DomainName, bitmap: number): void {
    this.hashes.add(nsec3Hash(name), bitmap);
  }

  *rest(): Generator<readonly Link[]> {
    const empty = this.bitmaps.at(NO_TYPES);
    let first: DomainName | null = null;
    let last: { readonly owner: DomainName; readonly bitmap: Uint8Array } | null = null;
    for (const portion of this.hashes.inOrder()) {
      const links: Link[] = [];
      for (const { hash, value } of portion) {
        const owner = hashedName(hash, this.apex);
        if (last !== null) links.push({ ...last, next: owner });
        first ??= owner;
        last = { owner, bitmap: value === NO_TYPES ? empty : this.bitmaps.at(value) };
      }
      yield links;
    }
    if (first !== null && last !== null) yield [{ ...last, next: first }];
  }
}

/** Bitmap of an empty non-terminal (RFC 5155 §7.1). */
const NO_TYPES = 0xffff;

const BUCKET_BITS = 12;
const VALUE_OCTETS = 2;
const ENTRY_OCTETS = HASH_OCTETS + VALUE_OCTETS;
const FIRST_ENTRIES = 4;

interface HashedValue {
  readonly hash: Uint8Array;
  readonly value: number;
}

/** Sorts hashes with 16-bit values, one bucket at a time. One million hashes take about 40 MB. */
export class SortedHashes {
  private readonly buckets = new Map<number, Bucket>();

  add(hash: Uint8Array, value: number): void {
    const place = (((hash[0] ?? 0) << 8) | (hash[1] ?? 0)) >> (16 - BUCKET_BITS);
    let bucket = this.buckets.get(place);
    if (bucket === undefined) this.buckets.set(place, (bucket = new Bucket()));
    bucket.add(hash, value);
  }

  *inOrder(): Generator<readonly HashedValue[]> {
    for (let place = 0; place < 1 << BUCKET_BITS; place += 1) {
      const bucket = this.buckets.get(place);
      if (bucket !== undefined) yield bucket.inOrder();
    }
  }
}

class Bucket {
  private octets = Buffer.allocUnsafeSlow(FIRST_ENTRIES * ENTRY_OCTETS);
  private length = 0;

  add(hash: Uint8Array, value: number): void {
    if (this.length === this.octets.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.length);
      larger.set(this.octets);
      this.octets = larger;
    }
    this.octets.set(hash, this.length);
    this.octets.writeUInt16BE(value, this.length + HASH_OCTETS);
    this.length += ENTRY_OCTETS;
  }

  inOrder(): HashedValue[] {
    const entries: Buffer[] = [];
    for (let at = 0; at < this.length; at += ENTRY_OCTETS) entries.push(this.octets.subarray(at, at + ENTRY_OCTETS));
    return entries
      .sort((one, other) => Buffer.compare(one, other))
      .map((entry) => ({ hash: entry.subarray(0, HASH_OCTETS), value: entry.readUInt16BE(HASH_OCTETS) }));
  }
}
