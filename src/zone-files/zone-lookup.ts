import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { DomainName } from '../dns/name.js';
import { keysOnPath, wildcardKey } from '../dns/name-key.js';
import type { ZoneRole } from '../dns/rdata/index.js';
import { RecordSetRepository } from '../records/record-set.repository.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneFilesOptions } from './zone-files.options.js';

/** What a resolver that asks for an address meets at a name. */
export type Found = 'address' | 'alias' | 'delegated' | 'nothing';

/** The roles of the types at a name. */
type Roles = ReadonlySet<ZoneRole | null>;

/** What stands at the names of a zone. */
export interface NamesOfZone {
  /** The types of which an owner name has records. */
  typesAt(ownerKey: string): Promise<readonly string[]>;
  /** Whether there are records at a name or below it. */
  isServed(ownerKey: string): Promise<boolean>;
}

/** Finds names of a zone as a name server does (RFC 1034 §4.3.2). */
@Injectable()
export class ZoneLookup {
  constructor(
    private readonly recordSets: RecordSetRepository,
    private readonly options: ZoneFilesOptions,
  ) {}

  /** What is stored. */
  stored(tx: Transaction, zoneId: string): NamesOfZone {
    return {
      typesAt: (ownerKey) => this.recordSets.typesAt(tx, zoneId, ownerKey),
      isServed: (ownerKey) => this.recordSets.isServed(tx, zoneId, ownerKey),
    };
  }

  /** @param name lies inside the zone */
  async find(names: NamesOfZone, { nameKey }: ZoneEntity, name: DomainName): Promise<Found> {
    const own = await this.rolesAt(names, name.key);
    if (own.has('address')) return 'address';
    const path = keysOnPath(nameKey, name.key);
    for (const key of path.slice(1)) if ((await this.rolesAt(names, key)).has('delegation')) return 'delegated';
    return foundIn(own.size > 0 ? own : await this.synthesized(names, path));
  }

  /** RFC 4592 §3.3: the roles at the wildcard below the closest name that exists, when the name itself does not. */
  private async synthesized(names: NamesOfZone, path: readonly string[]): Promise<Roles> {
    const [apex = '', ...below] = path;
    for (const key of below.toReversed())
      if (await names.isServed(key))
        return key === path[path.length - 1] ? new Set() : this.rolesAt(names, wildcardKey(key));
    return this.rolesAt(names, wildcardKey(apex));
  }

  private async rolesAt(names: NamesOfZone, ownerKey: string): Promise<Roles> {
    const types = await names.typesAt(ownerKey);
    return new Set(types.map((name) => this.options.knownTypes.byName(name)?.role ?? null));
  }
}

function foundIn(roles: Roles): Found {
  if (roles.has('address')) return 'address';
  return roles.has('alias') ? 'alias' : 'nothing';
}
