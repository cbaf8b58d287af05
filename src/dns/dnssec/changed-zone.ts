import { DomainName } from '../name.js';
import { isKeyWithin, keyAbove, keysOnPath, wireOfKey } from '../name-key.js';
import { authorityAt, occludes, provenTypes, signedTypes } from './authority.js';
import type { ChainLink, StoredChain } from './chain.js';
import { typesIn } from './denial.js';
import type { NameSets, ZoneForm } from './whole-zone.js';
import type { WireSet } from './wire-set.js';

export interface PresentRecords {
  /** Includes occluded names. */
  setsAt(keys: readonly string[]): Promise<ReadonlyMap<string, NameSets>>;
  typesAt(keys: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  namesBelow(key: string, most: number): Promise<readonly string[]>;
}

export interface ChangedNames {
  /** Keys of all examined names. Their signed sets that are missing in `sets` are to be removed. */
  readonly names: ReadonlySet<string>;
  readonly sets: readonly WireSet[];
  readonly links: ReadonlyMap<string, ChainLink | null>;
}

/** A change of more names signs the whole zone again. */
export interface Bounds {
  readonly mostNames: number;
}

/** @param changed keys of the names @returns `null` above `mostNames` examined names */
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

  /** A new or removed cut or DNAME touches all names below it. */
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

  /** Returns the names that began or ceased to occlude names below them. */
  private async turned(keys: readonly string[]): Promise<readonly string[]> {
    const now = await this.records.typesAt(keys);
    const linkKeys = new Map(keys.map((key) => [this.form.kind.ownerOf(nameOf(key), this.form.apex).key, key]));
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

  private async typesOnPaths(
    names: ReadonlySet<string>,
    present: ReadonlyMap<string, NameSets>,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const above = new Set([...names].flatMap((key) => this.pathTo(key)));
    const types = new Map(await this.records.typesAt([...above].filter((key) => !names.has(key))));
    for (const [key, sets] of present) {
      const typesHere = sets.map(({ type }) => type);
      types.set(key, typesHere);
    }
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
