import { Injectable } from '@nestjs/common';
import { mayHoldNameServers } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import { DomainName } from '../dns/name.js';
import { isKeyWithin, keyAbove, keysOnPath } from '../dns/name-key.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

/** Where in the tree of names a zone may be made (behaviour 7.1, 7.4). */
@Injectable()
export class ZonePlacement {
  private readonly nameServerKeys: readonly string[];

  constructor(
    private readonly zones: ZoneRepository,
    options: ZonesOptions,
  ) {
    this.nameServerKeys = options.generation.nameServers.map((name) => DomainName.parse(name).key);
  }

  /** @throws ServiceError `inside_foreign_zone`, `contains_foreign_zone` */
  async assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void> {
    this.assertHoldsNoNameServer(name, caller);
    // Held first: what is judged here stays true until the zone is there, whatever other processes do.
    await this.zones.lockTree(tx);
    const parents = await this.zones.lockByKeys(tx, keysOnPath('', keyAbove(name.key)).slice(1));
    if (parents.some((parent) => parent.tenantId !== caller.tenantId))
      throw locationRefused('inside_foreign_zone', `${name.toString()} lies inside a zone of another tenant.`);
    if (await this.zones.hasForeignZoneBelow(tx, name.key, caller.tenantId))
      throw locationRefused('contains_foreign_zone', `Another tenant holds a name inside ${name.toString()}.`);
  }

  /** Whoever holds the name servers' own names holds every zone they serve. */
  private assertHoldsNoNameServer(name: DomainName, caller: Caller): void {
    if (mayHoldNameServers(caller) || !this.nameServerKeys.some((key) => isKeyWithin(key, name.key))) return;
    throw locationRefused(
      'contains_foreign_zone',
      `${name.toString()} holds a name server of this service; ask an admin.`,
    );
  }
}

function locationRefused(code: 'inside_foreign_zone' | 'contains_foreign_zone', message: string): ServiceError {
  return ServiceError.ofField(code, 'name', 'format', message);
}
