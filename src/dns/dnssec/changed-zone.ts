import { DomainName } from '../name.js';
import { isKeyWithin, keyAbove, keysOnPath, wireOfKey } from '../name-key.js';
import { authorityAt, occludes, provenTypes, signedTypes } from './authority.js';
import type { ChainLink, StoredChain } from './chain.js';
import { typesIn } from './denial.js';
import type { NameSets, ZoneForm } from './whole-zone.js';
import type { WireSet } from './wire-set.js';

/** What is asked of the records of a zone as they are now; names are said by their keys. */
export interface PresentRecords {
  /** All sets at each of these names that has any, of occluded names too. */
  setsAt(keys: readonly string[]): Promise<ReadonlyMap<string, NameSets>>;
  /** The types of the sets at each of these names that has any. */
  typesAt(keys: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Names with records below that one; no more than so many. */
  namesBelow(key: string, most: number): Promise<readonly string[]>;
}

/** What has to be signed at some names of a zone, and what their places in the chain are. */
export interface ChangedNames {
  /** The names that were looked at, by their keys. What was signed at them and is not in `sets` has gone. */
  readonly names: ReadonlySet<string>;
  readonly sets: readonly WireSet[];
  /** What becomes of links, by the keys of their owner names. */
  readonly links: ReadonlyMap<string, ChainLink | null>;
}

/** A change of more names is no change any more: the whole zone is signed anew. */
export interface Bounds {
  readonly mostNames: number;
}

/**
 * What the zone's own names and its chain have to be after records at some names have changed.
 * @param changed the keys of these names
 * @returns `null` where more names than that would have to be looked at
 */
export async function changedNames(
  form: ZoneForm,
  records: PresentRecords,
  stored: StoredChain,
  changed: Iterable<string>,
  { mostNames }: Bounds,
): Promise<ChangedNames | null> {
  const reading = new Reading(form, records, stored);
  const names = await reading.touchedBy(changed, mostNames);
  return names && reading.read(names);
}

class Reading {
  private readonly apexKey: string;

  constructor(
    private readonly form: ZoneForm,
    private readonly records: PresentRecords,
    private readonly stored: StoredChain,
  ) {
    this.apexKey = form.apex.key;
  }

  /** Where a cut or a DNAME comes or goes, all names below it are touched as well. */
  async touchedBy(changed: Iterable<string>, most: number): Promise<ReadonlySet<string> | null> {
    const touched = new Set(changed);
    let fresh: readonly string[] = [...touched];
    while (fresh.length > 0) {
      if (touched.size > most) return null;
      const turned = await this.turned(fresh);
      fresh = [];
      for (const key of turned) {
        if (key === this.apexKey) return null;
        const below = await this.records.namesBelow(key, most + 1 - touched.size);
        const added = below.filter((name) => !touched.has(name));
        for (const name of added) touched.add(name);
        fresh = [...fresh, ...added];
      }
    }
    return touched;
  }

  /** Those of the names that occlude what is below them, and did not before, or the other way round. */
  private async turned(keys: readonly string[]): Promise<readonly string[]> {
    const now = await this.records.typesAt(keys);
    const linkKeys = new Map(keys.map((key) => [this.linkKeyOf(nameOf(key)), key]));
    const links = await this.stored.at([...linkKeys.keys()]);
    const before = new Map(links.map(({ owner, bitmap }) => [linkKeys.get(owner.key), typesIn(bitmap)]));
    return keys.filter((key) => {
      const isApex = key === this.apexKey;
      return occludes(isApex, now.get(key) ?? []) !== occludes(isApex, before.get(key) ?? []);
    });
  }

  async read(names: ReadonlySet<string>): Promise<ChangedNames> {
    const present = await this.records.setsAt([...names]);
    const types = await this.typesOnPaths(names, present);
    const sets: WireSet[] = [];
    const links = new Map<string, ChainLink | null>();
    for (const key of names) {
      const here = present.get(key);
      if (here === undefined || this.isOccluded(key, types)) continue;
      const own = here.map(({ type }) => type);
      const authority = authorityAt(key === this.apexKey, false, own);
      const signed = signedTypes(authority, own);
      sets.push(...here.filter(({ type }) => signed.includes(type)));
      const bitmap = this.form.kind.bitmapOf(provenTypes(authority, own), signed.length > 0);
      this.addLink(links, here[0].owner, bitmap);
    }
    await this.addEmptyNames(links, names, types);
    return { names, sets, links };
  }

  /** Names without records of their own, at those names and above them. */
  private async addEmptyNames(
    links: Map<string, ChainLink | null>,
    names: ReadonlySet<string>,
    types: ReadonlyMap<string, readonly number[]>,
  ): Promise<void> {
    const { kind } = this.form;
    for (const key of new Set([...names].flatMap((name) => (kind.isByHash ? this.pathTo(name) : [name])))) {
      if (key === this.apexKey) continue;
      const isOccluded = this.isOccluded(key, types);
      if (types.has(key) && !isOccluded) continue;
      const isNonTerminal = kind.isByHash && !isOccluded && (await this.records.namesBelow(key, 1)).length > 0;
      this.addLink(links, nameOf(key), isNonTerminal ? kind.bitmapOf([], false) : null);
    }
  }

  private addLink(links: Map<string, ChainLink | null>, name: DomainName, bitmap: Uint8Array | null): void {
    const owner = this.form.kind.ownerOf(name, this.form.apex);
    links.set(owner.key, bitmap && { owner, bitmap });
  }

  private linkKeyOf(name: DomainName): string {
    return this.form.kind.ownerOf(name, this.form.apex).key;
  }

  /** The types at the names and at all names above them. */
  private async typesOnPaths(
    names: ReadonlySet<string>,
    present: ReadonlyMap<string, NameSets>,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const above = new Set([...names].flatMap((key) => this.pathTo(key)));
    const types = new Map(await this.records.typesAt([...above].filter((key) => !names.has(key))));
    for (const [key, sets] of present)
      types.set(
        key,
        sets.map(({ type }) => type),
      );
    return types;
  }

  private pathTo(key: string): string[] {
    return keysOnPath(this.apexKey, key);
  }

  private isOccluded(key: string, types: ReadonlyMap<string, readonly number[]>): boolean {
    for (let above = key; above !== this.apexKey && isKeyWithin(above, this.apexKey);) {
      above = keyAbove(above);
      if (occludes(above === this.apexKey, types.get(above) ?? [])) return true;
    }
    return false;
  }
}

function nameOf(key: string): DomainName {
  return DomainName.read(wireOfKey(key));
}
