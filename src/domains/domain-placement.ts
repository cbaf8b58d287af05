import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/unit-of-work.js';
import { DomainName, isKeyWithin } from '../dns/name.js';
import { DomainRepository } from './domain.repository.js';
import { DOMAINS_OPTIONS, type DomainsOptions } from './domains.options.js';

/** Where in the tree of names a domain may be made (behaviour 7.1). */
@Injectable()
export class DomainPlacement {
  private readonly nameServerKeys: readonly string[];

  constructor(
    private readonly domains: DomainRepository,
    @Inject(DOMAINS_OPTIONS) options: DomainsOptions,
  ) {
    this.nameServerKeys = options.nameServers.map((name) => DomainName.parse(name).key);
  }

  /** @throws ServiceError `illegal_child`, `illegal_parent` */
  async assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void> {
    this.assertHoldsNoNameServer(name, caller);
    // Held first: what is judged here stays true until the domain is there, whatever other processes do.
    await this.domains.lockTree(tx);
    const parents = await this.domains.lockByKeys(tx, ancestorKeys(name.key));
    if (parents.some((parent) => parent.tenantId !== caller.tenantId))
      throw locationRefused('illegal_child', `${name.toString()} lies inside a domain of another tenant.`);
    if (await this.domains.hasForeignDomainBelow(tx, name.key, caller.tenantId))
      throw locationRefused('illegal_parent', `Another tenant has a domain inside ${name.toString()}.`);
  }

  /** Whoever holds the name servers' own names holds every domain they serve. */
  private assertHoldsNoNameServer(name: DomainName, caller: Caller): void {
    if (caller.isAdmin || !this.nameServerKeys.some((key) => isKeyWithin(key, name.key))) return;
    throw locationRefused('illegal_parent', `${name.toString()} holds a name server of this service; ask an admin.`);
  }
}

/** The keys of all names above, without the root: `org`, `org example` for `org example www`. */
export function ancestorKeys(key: string): string[] {
  const labels = key.split(' ');
  return labels.slice(1).map((_, depth) => labels.slice(0, depth + 1).join(' '));
}

function locationRefused(code: 'illegal_child' | 'illegal_parent', message: string): ServiceError {
  return ServiceError.ofField(code, 'name', 'format', message);
}
