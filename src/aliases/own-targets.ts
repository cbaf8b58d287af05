import { Injectable } from '@nestjs/common';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { LONGEST_CHAIN } from '../dns/cname-chain.js';
import { DomainName } from '../dns/name.js';
import { keyAbove, wildcardKey } from '../dns/name-key.js';
import { ALIAS } from '../dns/rdata/index.js';
import { CNAME } from '../dns/rdata/name-types.js';
import { RecordRepository } from '../records/record.repository.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';

const LINKS = [ALIAS, CNAME] as const;

/** Finds targets in zones of this service. */
@Injectable()
export class OwnTargets {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly reads: Reads,
  ) {}

  /**
   * The zone that answers for the name, if it belongs to the tenant. Another tenant may create a zone of any name, so its
   * zone must not decide where the ALIAS points.
   */
  async zoneFor(tx: Transaction, name: DomainName, tenantId: string): Promise<ZoneEntity | null> {
    const zone = await this.closest(tx, name);
    return zone !== null && zone.type === 'PRIMARY' && zone.tenantId === tenantId ? zone : null;
  }

  /** Follows ALIAS and CNAME records through the zones of all tenants: a loop of ALIASes would keep its last addresses. */
  isLooping(target: DomainName): Promise<boolean> {
    return this.reads.run(async (tx) => {
      const seen = new Set<string>();
      for (let name: DomainName | null = target; name !== null; name = await this.next(tx, name)) {
        if (seen.has(name.key) || seen.size >= LONGEST_CHAIN) return true;
        seen.add(name.key);
      }
      return false;
    });
  }

  private async next(tx: Transaction, name: DomainName): Promise<DomainName | null> {
    const zone = await this.closest(tx, name);
    if (zone === null) return null;
    const owners = name.labelCount === 0 ? [name.key] : [name.key, wildcardKey(keyAbove(name.key))];
    for (const owner of owners)
      for (const type of LINKS) {
        const [record] = await this.records.servedSet(tx, zone.id, owner, type.name);
        if (record !== undefined) return type.values(Buffer.from(record.rdata, 'hex')).target;
      }
    return null;
  }

  private async closest(tx: Transaction, name: DomainName): Promise<ZoneEntity | null> {
    return (await this.zones.closestOf(tx, [name]))(name);
  }
}
