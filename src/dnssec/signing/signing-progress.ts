import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { type Instant, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { PublicationsService } from '../../publishing/pool/publications.service.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import { SignedZoneCheck } from '../signed-zone-check.js';
import { backoff } from '../rollovers/backoff.js';
import { KeyRollover } from '../rollovers/key-rollover.js';
import { ZoneRolloverRepository } from '../rollovers/zone-rollover.repository.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { CacheExpiry, type CachedUntil } from './cache-expiry.js';
import { SigningClock } from './signing-clock.js';
import { SigningJobs } from './signing-jobs.js';
import { ZoneUnsigner } from './zone-unsigner.js';

const HOUR = 3600 * SECOND;

/** Moves a zone from state to state, as soon as what it waits for has come. */
@Injectable()
export class SigningProgress {
  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly check: SignedZoneCheck,
    private readonly runs: SigningJobs,
    private readonly rollovers: KeyRollover,
    private readonly rolloverRows: ZoneRolloverRepository,
    private readonly cacheWaits: CacheExpiry,
    private readonly publications: PublicationsService,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: ZoneChanges,
    private readonly unsigning: ZoneUnsigner,
    private readonly commits: CommitHooks,
    private readonly clock: SigningClock,
  ) {}

  /**
   * Looks at one zone, and says when it is to be looked at again.
   * @throws WrongClock
   */
  async advance(zoneId: string): Promise<void> {
    await this.clock.compare();
    const [row, isRolling] = await this.reads.run(async (tx) => [
      await this.signing.find(tx, zoneId),
      (await this.rolloverRows.find(tx, zoneId)) !== null,
    ]);
    if (row?.haltedBecause !== null) return;
    const began = this.clock.after(row.runAt);
    if (row.state === 'leaving' && row.readyAt !== null && row.readyAt <= began) return this.unsign(zoneId);
    if (isAboutToBeReady(row, began) && !(await this.isFaultless(zoneId))) return;
    const isProven = (isRolling || row.state === 'proving') && (await this.isProven(zoneId));
    const now = this.clock.after(row.runAt);
    const unsignedUntil = isProven ? await this.cacheWaits.unsignedUntil(row, now) : 0;
    const hasMoved = await this.unitOfWork.run(
      async (tx) => {
        const present = await this.signing.lock(tx, zoneId);
        // A run has come between: it is looked at again when the next is due.
        if (present?.step !== row.step || present.keysVersion !== row.keysVersion) return false;
        const cached = isProven ? await this.cacheWaits.cachedUntil(tx, present, unsignedUntil, now) : NOT_YET;
        const waits = { isProven, ...cached };
        const after = stateAfter(present, waits, now);
        const hasRolled = await this.rollovers.advance(tx, present, waits, now);
        const hasChanged = hasRolled || after.state !== present.state;
        await this.signing.update(tx, {
          ...after,
          keysVersion: present.keysVersion + (hasChanged ? 1 : 0),
          nextDueAt: await this.nextCheckAt(tx, after, now),
        });
        return hasChanged;
      },
      { zoneId },
    );
    // What is published follows state and keys.
    if (hasMoved) this.commits.tell(zoneId);
  }

  /** Before a DS is offered, all that is published is looked at once more. */
  private async isFaultless(zoneId: string): Promise<boolean> {
    const [fault] = await this.check.faultsOf(zoneId, true);
    if (fault === undefined) return true;
    await this.runs.halt(zoneId, fault);
    return false;
  }

  /** Nobody looks for signatures any more. */
  private unsign(zoneId: string): Promise<void> {
    const take = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      const row = await this.signing.lock(tx, zoneId);
      if (row?.state === 'leaving') await this.unsigning.take(change, tx);
    };
    return this.changes.withZoneLock(zoneId, administrator('signer', 'signer'), take, { isUnlimited: true });
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

  private async nextCheckAt(tx: Transaction, row: ZoneSigningEntity, now: Instant): Promise<Instant> {
    const due = await this.sets.firstDue(tx, row);
    const looks = [
      due === null ? now + HOUR : due * SECOND,
      row.readyAt ?? (row.state === 'proving' ? backoff(row.stateSince, now) : Infinity),
      (await this.rollovers.nextCheckAt(tx, row.zoneId, now)) ?? Infinity,
    ];
    return Math.max(Math.min(...looks), now + SECOND);
  }
}

const NOT_YET: CachedUntil = { dnskeyExpiresAt: 0, allExpiresAt: 0, formerUntil: 0 };

function isAboutToBeReady({ state, readyAt }: ZoneSigningEntity, now: Instant): boolean {
  return state === 'proving' && readyAt !== null && readyAt <= now;
}

function stateAfter(
  row: ZoneSigningEntity,
  { isProven, allExpiresAt, formerUntil }: CachedUntil & { readonly isProven: boolean },
  now: Instant,
): ZoneSigningEntity {
  if (row.state !== 'proving') return row;
  if (row.readyAt !== null) return row.readyAt > now ? row : { ...row, state: 'ready', stateSince: now, readyAt: null };
  // Until then caches may have an answer without signatures.
  return isProven ? { ...row, readyAt: allExpiresAt, formerUntil: Math.max(row.formerUntil, formerUntil) } : row;
}
