import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import type { DomainName } from '../dns/name.js';
import { keysOnPath, wildcardKey } from '../dns/name-key.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { RecordSetRepository } from '../records/record-set.repository.js';

/** What a resolver that asks for an address meets at a name. */
export type Found = 'address' | 'alias' | 'delegated' | 'nothing';

/** Finds names of a zone as a name server does (RFC 1034 §4.3.2). */
@Injectable()
export class ZoneLookup {
  constructor(private readonly recordSets: RecordSetRepository) {}

  /** @param name lies inside the zone */
  async find(tx: Transaction, { id, nameKey }: ZoneEntity, name: DomainName): Promise<Found> {
    const own = await this.recordSets.typesAt(tx, id, name.key);
    if (hasAddress(own)) return 'address';
    const path = keysOnPath(nameKey, name.key);
    for (const key of path.slice(1))
      if ((await this.recordSets.typesAt(tx, id, key)).includes('NS')) return 'delegated';
    return foundIn(own.length > 0 ? own : await this.synthesized(tx, id, path));
  }

  /** RFC 4592 §3.3: the types of the wildcard below the closest name that exists, when the name itself does not. */
  private async synthesized(tx: Transaction, zoneId: string, path: readonly string[]): Promise<string[]> {
    const [apex = '', ...below] = path;
    for (const key of below.toReversed())
      if (await this.recordSets.exists(tx, zoneId, key))
        return key === path[path.length - 1] ? [] : this.recordSets.typesAt(tx, zoneId, wildcardKey(key));
    return this.recordSets.typesAt(tx, zoneId, wildcardKey(apex));
  }
}

function hasAddress(types: readonly string[]): boolean {
  return types.includes('A') || types.includes('AAAA');
}

function foundIn(types: readonly string[]): Found {
  if (hasAddress(types)) return 'address';
  return types.includes('CNAME') ? 'alias' : 'nothing';
}
