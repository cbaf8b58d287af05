import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { type Instant, Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { PublicationsService } from '../../publishing/pool/publications.service.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { SOA } from '../../dns/rdata/soa.js';
import { ZoneCommits } from '../../zones/changes/zone-commits.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';

const SECOND: Instant = 1_000_000;
const HOUR = 3600 * SECOND;

/** Moves a zone from state to state, as soon as what it waits for has come. */
@Injectable()
export class SigningProgress {
  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly publications: PublicationsService,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly commits: ZoneCommits,
    private readonly clock: Clock,
  ) {}

  /** Looks at one zone, and says when it is to be looked at again. */
  async advance(zoneId: string): Promise<void> {
    const row = await this.reads.run((tx) => this.signing.find(tx, zoneId));
    if (row === undefined || row.state === 'halted') return;
    const isProven = row.state === 'proving' && row.readyAt === null && (await this.isProven(zoneId));
    const now = this.clock.now();
    const hasMoved = await this.unitOfWork.run(
      async (tx) => {
        const present = await this.signing.lock(tx, zoneId);
        // A run has come between: it is looked at again when the next is due.
        if (present === undefined || present.step !== row.step || present.state !== row.state) return false;
        const after = await this.after(tx, present, isProven, now);
        await this.signing.update(tx, { ...after, nextDueAt: await this.nextLook(tx, after, now) });
        return after.state !== present.state;
      },
      { zoneId },
    );
    // What is published follows the state.
    if (hasMoved) this.commits.tell(zoneId);
  }

  private async after(
    tx: Transaction,
    row: ZoneSigningEntity,
    isProven: boolean,
    now: Instant,
  ): Promise<ZoneSigningEntity> {
    if (row.state !== 'proving') return row;
    if (row.readyAt !== null) return row.readyAt > now ? row : { ...row, state: 'ready', stateSince: now };
    return isProven ? { ...row, readyAt: now + (await this.longestTtl(tx, row.zoneId)) * SECOND } : row;
  }

  /** Whether every name server answers with what is signed. */
  private async isProven(zoneId: string): Promise<boolean> {
    try {
      return (await this.publications.of(zoneId, administrator('signer', 'signer'))).isPublished;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return false;
      throw error;
    }
  }

  /** Until then caches may have an answer without signatures, in seconds. */
  private async longestTtl(tx: Transaction, zoneId: string): Promise<number> {
    const zone = await this.served.zone(tx, zoneId);
    const { minimum } = SOA.values(this.served.soaOf(zone));
    const longest = await this.recordSets.longestTtl(tx, zoneId);
    return Math.max(zone.ttl, minimum, longest);
  }

  private async nextLook(tx: Transaction, row: ZoneSigningEntity, now: Instant): Promise<Instant> {
    const due = await this.sets.firstDue(tx, row);
    const signatures = due === null ? now + HOUR : due * SECOND;
    if (row.state === 'signing' || row.state === 'proving') return Math.min(row.readyAt ?? now + SECOND, signatures);
    return Math.max(signatures, now + SECOND);
  }
}
