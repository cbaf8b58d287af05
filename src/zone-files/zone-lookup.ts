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

/** Finds names of a zone as a name server does (RFC 1034 §4.3.2). */
@Injectable()
export class ZoneLookup {
  constructor(
    private readonly recordSets: RecordSetRepository,
    private readonly options: ZoneFilesOptions,
  ) {}

  /** @param name lies inside the zone */
  async find(tx: Transaction, { id, nameKey }: ZoneEntity, name: DomainName): Promise<Found> {
    const own = await this.rolesAt(tx, id, name.key);
    if (own.has('address')) return 'address';
    const path = keysOnPath(nameKey, name.key);
    for (const key of path.slice(1)) if ((await this.rolesAt(tx, id, key)).has('delegation')) return 'delegated';
    return foundIn(own.size > 0 ? own : await this.synthesized(tx, id, path));
  }

  /** RFC 4592 §3.3: the roles at the wildcard below the closest name that exists, when the name itself does not. */
  private async synthesized(tx: Transaction, zoneId: string, path: readonly string[]): Promise<Roles> {
    const [apex = '', ...below] = path;
    for (const key of below.toReversed())
      if (await this.recordSets.isServed(tx, zoneId, key))
        return key === path[path.length - 1] ? new Set() : this.rolesAt(tx, zoneId, wildcardKey(key));
    return this.rolesAt(tx, zoneId, wildcardKey(apex));
  }

  private async rolesAt(tx: Transaction, zoneId: string, ownerKey: string): Promise<Roles> {
    const types = await this.recordSets.typesAt(tx, zoneId, ownerKey);
    return new Set(types.map((name) => this.options.knownTypes.byName(name)?.role ?? null));
  }
}

function foundIn(roles: Roles): Found {
  if (roles.has('address')) return 'address';
  return roles.has('alias') ? 'alias' : 'nothing';
}
