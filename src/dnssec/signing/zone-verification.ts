import { Injectable, Logger } from '@nestjs/common';
import { type Instant, Clock, DAY } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { FAULTS } from '../dnssec-metrics.js';
import { SignedZoneCheck } from '../signed-zone-check.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';

/** Looks at all that is published of each signed zone, once a day. What is found wrong is signed anew. */
@Injectable()
export class ZoneVerification {
  private readonly logger = new Logger('Zonewright');

  constructor(
    private readonly check: SignedZoneCheck,
    private readonly signing: ZoneSigningRepository,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const zoneId = await this.reads.run((tx) => this.signing.uncheckedSince(tx, this.clock.now() - DAY));
      if (zoneId === null || signal.aborted) return;
      await this.checkOne(zoneId);
    }
  }

  private async checkOne(zoneId: string): Promise<void> {
    const now = this.clock.now();
    const faults = await this.faultsOf(zoneId);
    if (faults.length > 0) {
      FAULTS.of().add(faults.length);
      this.logger.error(`What is published of the zone ${zoneId} is wrong, and is signed anew: ${faults.join('; ')}.`);
    }
    await this.unitOfWork.run(
      async (tx) => {
        await this.signing.recordCheck(tx, zoneId, now);
        const row = await this.signing.lock(tx, zoneId);
        if (row === undefined || faults.length === 0) return;
        const keysVersion = row.keysVersion + 1;
        await this.signing.update(tx, {
          ...row,
          signedVersion: null,
          keysVersion,
          nextDueAt: soonest(row.nextDueAt, now),
        });
      },
      { zoneId },
    );
  }

  /** A zone that is gone by now has none. */
  private async faultsOf(zoneId: string): Promise<readonly string[]> {
    try {
      return await this.check.faultsOf(zoneId, true);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return [];
      throw error;
    }
  }
}

function soonest(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.min(one, other);
}
