import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/unit-of-work.js';
import type { DomainName } from '../dns/name.js';
import type { DomainEntity } from '../domains/domain.entity.js';
import { ZoneRepository } from './zone.repository.js';

/** What a resolver that asks for an address meets at a name. */
export type Found = 'address' | 'alias' | 'delegated' | 'nothing';

/** Finds names of a zone as a name server does (RFC 1034 §4.3.2). */
@Injectable()
export class ZoneLookup {
  constructor(private readonly zones: ZoneRepository) {}

  /** @param name lies inside the domain */
  async find(manager: Transaction, { id, nameKey }: DomainEntity, name: DomainName): Promise<Found> {
    const own = await this.zones.typesAt(manager, id, name.key);
    if (hasAddress(own)) return 'address';
    const path = keysFrom(nameKey, name.key);
    for (const key of path.slice(1))
      if ((await this.zones.typesAt(manager, id, key)).includes('NS')) return 'delegated';
    return foundIn(own.length > 0 ? own : await this.synthesized(manager, id, path));
  }

  /** RFC 4592 §3.3: the types of the wildcard below the closest name that exists, when the name itself does not. */
  private async synthesized(manager: Transaction, domainId: string, path: readonly string[]): Promise<string[]> {
    const [apex = '', ...below] = path;
    for (const key of below.toReversed())
      if (await this.zones.exists(manager, domainId, key))
        return key === path[path.length - 1] ? [] : this.zones.typesAt(manager, domainId, `${key} *`);
    return this.zones.typesAt(manager, domainId, `${apex} *`);
  }
}

/** The keys of the names from the apex down to the name. */
function keysFrom(apexKey: string, nameKey: string): string[] {
  const keys = [apexKey];
  for (let end = apexKey.length; end < nameKey.length;) {
    end = nameKey.indexOf(' ', end + 1);
    if (end === -1) end = nameKey.length;
    keys.push(nameKey.slice(0, end));
  }
  return keys;
}

function hasAddress(types: readonly string[]): boolean {
  return types.includes('A') || types.includes('AAAA');
}

function foundIn(types: readonly string[]): Found {
  if (hasAddress(types)) return 'address';
  return types.includes('CNAME') ? 'alias' : 'nothing';
}
