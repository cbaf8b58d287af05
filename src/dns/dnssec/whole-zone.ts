import { DomainName } from '../name.js';
import { keysOnPath, wireOfKey } from '../name-key.js';
import { Occlusion, provenTypes, signedTypes } from './authority.js';
import { type ChainKind, hashedName, nsec3Hash } from './denial.js';
import { SortedHashes } from './sorted-hashes.js';
import type { WireSet } from './wire-set.js';

/** The sets of one owner name. At least one. */
export type NameSets = readonly [WireSet, ...WireSet[]];

/** A zone as it has to be signed. */
export interface ZoneForm {
  readonly apex: DomainName;
  readonly kind: ChainKind;
  /** Of NSEC and NSEC3: the lower of the SOA's minimum and its TTL (RFC 9077). */
  readonly denialTtl: number;
}

/**
 * All sets of a zone that have to be signed: its own in their order, and those of the chain, which are made here, as soon as it
 * is known what follows them.
 * @param names with their sets, in canonical order; the apex comes first and has all that stands there
 */
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

/** A place in the chain, and the next one. */
interface Link {
  readonly owner: DomainName;
  readonly next: DomainName;
  readonly bitmap: Uint8Array;
}

function setOf({ owner, next, bitmap }: Link, kind: ChainKind, ttl: number): WireSet {
  return { owner, type: kind.type, ttl, rdatas: [kind.rdataOf(next, bitmap)] };
}

/** Names differ, and what stands at them hardly does. */
class Bitmaps {
  private readonly all: Uint8Array[] = [];
  private readonly known = new Map<string, number>();

  constructor(private readonly kind: ChainKind) {}

  /** @param hasSignatures whether any of the records at the name is signed */
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

/** What makes the chain of a whole zone, of names that come in canonical order. */
interface ZoneChain {
  /** @param bitmap its index. Returns a link that is whole by now, if there is one. */
  add(name: DomainName, bitmap: number): Link | null;
  /** All others. */
  rest(): Iterable<readonly Link[]>;
}

/** NSEC: the order of the chain is that in which the names come, so it takes no memory. */
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

/** NSEC3: the chain goes by hashes, so all names have to have come before it is known. */
class HashedNames implements ZoneChain {
  private readonly hashes = new SortedHashes();
  /** The name that came last, and those above it up to the apex; names below one of them come one behind the other. */
  private path: readonly string[] = [];

  constructor(
    private readonly apex: DomainName,
    private readonly bitmaps: Bitmaps,
  ) {}

  add(name: DomainName, bitmap: number): null {
    const path = keysOnPath(this.apex.key, name.key);
    for (const [depth, key] of path.entries())
      // A name above this one that has records of its own has come before it.
      if (depth < path.length - 1 && this.path[depth] !== key) this.addHash(nameOf(key), NO_TYPES);
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

/** The bitmap of an empty non-terminal (RFC 5155 §7.1). */
const NO_TYPES = 0xffff;

function nameOf(key: string): DomainName {
  return DomainName.read(wireOfKey(key));
}
