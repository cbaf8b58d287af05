import { Injectable } from '@nestjs/common';
import { type Instant, SECOND } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { SOA } from '../../dns/rdata/soa.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { CacheDeadlines } from '../rollovers/key-rollover.js';
import { FormerTtlsRepository } from '../state/former-ttls.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { LONGEST_KEY_TTL } from './apex-sets.js';

/** Until when caches may have what was there before; `formerUntil` is 0 where no ttl was longer than those of now. */
export type CachedUntil = Omit<CacheDeadlines, 'isProven'> & { readonly formerUntil: Instant };

/** How long caches keep what all name servers have been seen not to send any more: ttls may have been longer than they are. */
@Injectable()
export class CacheExpiry {
  constructor(
    private readonly formerTtls: FormerTtlsRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly reads: Reads,
  ) {}

  /** Of contents that were changed or deleted before the zone was signed; 0 where it has been signed for long. */
  unsignedUntil({ zoneId, state }: ZoneSigningEntity, now: Instant): Promise<Instant> {
    if (state !== 'proving') return Promise.resolve(0);
    return this.reads.run(async (tx) => this.formerTtls.until(tx, await this.served.zone(tx, zoneId), now));
  }

  async cachedUntil(
    tx: Transaction,
    { zoneId, formerUntil, runAt }: ZoneSigningEntity,
    unsignedUntil: Instant,
    now: Instant,
  ): Promise<CachedUntil> {
    const zone = await this.served.zone(tx, zoneId);
    const { minimum } = SOA.values(this.served.soaOf(zone));
    const longest = Math.max(zone.ttl, servedSoaTtl(zone), minimum, await this.recordSets.longestTtl(tx, zoneId));
    // Name servers may have sent it until they were seen to have what came after it.
    const former = Math.max(formerUntil, unsignedUntil) + Math.max(0, now - runAt);
    const present = now + longest * SECOND;
    const dnskeyExpiresAt = Math.max(now + zone.ttl * SECOND, former);
    return {
      dnskeyExpiresAt: Math.min(dnskeyExpiresAt, now + LONGEST_KEY_TTL * SECOND),
      allExpiresAt: Math.max(present, former),
      formerUntil: former > present ? former : 0,
    };
  }
}
