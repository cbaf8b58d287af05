import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { type Instant, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { SOA } from '../../dns/rdata/soa.js';
import { PublicationsService } from '../../publishing/pool/publications.service.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { CacheDeadlines } from '../rollovers/key-rollover.js';
import { FormerTtlsRepository } from '../state/former-ttls.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { LONGEST_KEY_TTL } from './present-sets.js';

/** When caches have expired the former data; `formerUntil` is 0 unless a former TTL was longer than the present ones. */
export type CachedUntil = Omit<CacheDeadlines, 'isProven'> & { readonly formerUntil: Instant };

/** Tells whether all name servers have a publication, and when caches have expired the data before it. */
@Injectable()
export class CacheExpiry {
  constructor(
    private readonly formerTtls: FormerTtlsRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly publications: PublicationsService,
  ) {}

  async isProven(zoneId: string): Promise<boolean> {
    try {
      return (await this.publications.of(zoneId, administrator('signer', 'signer'))).isPublished;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return false;
      throw error;
    }
  }

  /** Reads all record sets, so it does not belong into a transaction that writes. */
  async cachedUntil(
    tx: Transaction,
    { zoneId, state, formerUntil, runAt }: ZoneSigningEntity,
    now: Instant,
  ): Promise<CachedUntil> {
    const zone = await this.served.zone(tx, zoneId);
    const { minimum } = SOA.values(this.served.soaOf(zone));
    const longest = Math.max(zone.ttl, servedSoaTtl(zone), minimum, await this.recordSets.longestTtl(tx, zoneId));
    // Contents that changed before the zone was signed.
    const unsignedUntil = state === 'proving' ? await this.formerTtls.until(tx, zone, now) : 0;
    // Name servers may have sent the former data until the proof of the new one.
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
