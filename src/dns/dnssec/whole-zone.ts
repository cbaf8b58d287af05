import { DomainName } from '../name.js';
import { keyAbove } from '../name-key.js';
import { Occlusion, provenTypes, signedTypes } from './authority.js';
import type { ChainLink } from './chain.js';
import type { ChainKind } from './denial.js';
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
 * All sets of a zone that have to be signed: its own first, in their order, and those of the chain, which are made here.
 * @param names with their sets, in canonical order; the apex comes first and has all that stands there
 */
export async function* setsToSign(
  { apex, kind, denialTtl }: ZoneForm,
  names: AsyncIterable<readonly NameSets[]>,
): AsyncGenerator<readonly WireSet[]> {
  const occlusion = new Occlusion(apex.key);
  const links = new LinkedNames(apex, kind);
  for await (const some of names) {
    const batch: WireSet[] = [];
    for (const sets of some) {
      const [{ owner }] = sets;
      const types = sets.map(({ type }) => type);
      const authority = occlusion.authorityOf(owner.key, types);
      if (authority === 'occluded') continue;
      const signed = signedTypes(authority, types);
      batch.push(...sets.filter(({ type }) => signed.includes(type)));
      links.add(owner, provenTypes(authority, types), signed.length > 0);
    }
    yield batch;
  }
  yield* links.sets(denialTtl);
}

/** So many sets of the chain are handed on together. */
const BATCH = 500;

/** The chain of a whole zone. It holds one entry for each name in memory. */
class LinkedNames {
  private readonly links: ChainLink[] = [];
  private readonly emptyNonTerminals = new Map<string, DomainName>();
  private readonly named = new Set<string>();
  /** Names differ, and what stands at them hardly does. */
  private readonly bitmaps = new Map<string, Uint8Array>();

  constructor(
    private readonly apex: DomainName,
    private readonly kind: ChainKind,
  ) {}

  /** @param hasSignatures whether any of the records at the name is signed */
  add(name: DomainName, types: readonly number[], hasSignatures: boolean): void {
    this.links.push({ owner: this.kind.ownerOf(name, this.apex), bitmap: this.bitmapOf(types, hasSignatures) });
    if (!this.kind.hasEmptyNonTerminals) return;
    this.named.add(name.key);
    this.emptyNonTerminals.delete(name.key);
    for (const above of namesAbove(name, this.apex)) {
      if (this.named.has(above.key) || this.emptyNonTerminals.has(above.key)) break;
      this.emptyNonTerminals.set(above.key, above);
    }
  }

  private bitmapOf(types: readonly number[], hasSignatures: boolean): Uint8Array {
    const place = `${types.join(' ')} ${hasSignatures}`;
    const known = this.bitmaps.get(place);
    if (known !== undefined) return known;
    const bitmap = this.kind.bitmapOf(types, hasSignatures);
    this.bitmaps.set(place, bitmap);
    return bitmap;
  }

  *sets(ttl: number): Generator<readonly WireSet[]> {
    const bitmap = this.bitmapOf([], false);
    for (const name of this.emptyNonTerminals.values())
      this.links.push({ owner: this.kind.ownerOf(name, this.apex), bitmap });
    const ordered = this.links.sort((one, other) => (one.owner.key < other.owner.key ? -1 : 1));
    for (let from = 0; from < ordered.length; from += BATCH) {
      yield ordered.slice(from, from + BATCH).map(({ owner, bitmap: types }, at) => {
        const next = ordered[(from + at + 1) % ordered.length]?.owner ?? owner;
        return { owner, type: this.kind.type, ttl, rdatas: [this.kind.rdataOf(next, types)] };
      });
    }
  }
}

/** The names between that one and the apex, the lowest first. */
function* namesAbove(name: DomainName, apex: DomainName): Generator<DomainName> {
  let above = name;
  for (let key = keyAbove(name.key); key.length > apex.key.length; key = keyAbove(key)) {
    above = DomainName.read(above.wire, 1 + (above.wire[0] ?? 0));
    yield above;
  }
}
