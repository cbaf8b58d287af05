import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { CommitHooks } from '../../zones/changes/zone-change-notifier.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { snapshotOf } from '../../zones/zone-snapshot.js';
import { KeyRollover } from '../rollovers/key-rollover.js';
import { SignedZoneCheck } from '../signed-zone-check.js';
import { SigningContext } from '../signing-context.js';
import { SignedStepRepository } from '../state/signed-step.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { CacheExpiry, type CachedUntil } from './cache-expiry.js';
import { backoff, SigningClock } from './signing-clock.js';

const HOUR = 3600 * SECOND;

@Injectable()
export class ZoneUnsigner {
  constructor(
    private readonly context: SigningContext,
    private readonly steps: SignedStepRepository,
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly clock: Clock,
  ) {}

  /** Unsigns a zone in the state `leaving`. */
  unsign(zoneId: string): Promise<void> {
    const take = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      const row = await this.context.signing.lock(tx, zoneId);
      if (row?.state === 'leaving') await this.take(change, tx);
    };
    return this.changes.withZoneLock(zoneId, administrator('signer', 'signer'), take, { isUnlimited: true });
  }

  /** Retired keys stay, so that no new key gets their tag. `SignedSetsCleanup` deletes the signed sets. */
  async take(change: ZoneChange, tx: Transaction): Promise<void> {
    const { zone } = change;
    // The published serial may be later than the serial of the contents.
    const before = snapshotOf(zone);
    change.record('zone.serial', { before, after: { ...before, serial: change.serial } });
    await this.context.forget(tx, zone.id);
    await this.steps.forgetBefore(tx, zone.id, Number.MAX_SAFE_INTEGER);
    await this.context.keys.retire(tx, zone.id, this.clock.now());
    await this.zones.publish(tx, zone.id, null);
  }
}

/** Advances zones from state to state, and rollovers from step to step. */
@Injectable()
export class SigningProgress {
  constructor(
    private readonly context: SigningContext,
    private readonly check: SignedZoneCheck,
    private readonly rollovers: KeyRollover,
    private readonly caches: CacheExpiry,
    private readonly unsigner: ZoneUnsigner,
    private readonly commits: CommitHooks,
    private readonly clock: SigningClock,
  ) {}

  /** Schedules the next check of the zone. Throws WrongClock. */
  async advance(zoneId: string): Promise<void> {
    await this.clock.compare();
    const [row, rollover] = await this.context.read(async (tx) => [
      await this.context.signing.find(tx, zoneId),
      await this.context.rollovers.find(tx, zoneId),
    ]);
    if (row?.haltedBecause !== null) return;
    const began = this.clock.after(row.runAt);
    if (row.state === 'leaving' && row.readyAt !== null && row.readyAt <= began) return this.unsigner.unsign(zoneId);
    if (isAboutToBeReady(row, began) && !(await this.isFaultless(zoneId))) return;
    // Whatever reads the whole zone comes before the transaction.
    const isOldInUse = await this.rollovers.replaceOld(row, rollover);
    const isAwaited = row.state === 'proving' || rollover?.provenUntil === null;
    const isProven = isAwaited && !isOldInUse && (await this.caches.isProven(zoneId));
    const now = this.clock.after(row.runAt);
    const cached = isProven ? await this.context.read((tx) => this.caches.cachedUntil(tx, row, now)) : NOT_PROVEN;
    const hasMoved = await this.context.update(zoneId, async (tx, present) => {
      // A signing job came between, and scheduled the next check.
      if (present?.step !== row.step || present.keysVersion !== row.keysVersion) return false;
      const deadlines = { isProven, ...cached };
      const after = stateAfter(present, deadlines, now);
      const hasRolled = await this.rollovers.advance(tx, present, deadlines, now);
      const hasChanged = hasRolled || after.state !== present.state;
      await this.context.signing.update(tx, {
        ...after,
        keysVersion: present.keysVersion + (hasChanged ? 1 : 0),
        nextDueAt: await this.nextCheckAt(tx, after, now),
      });
      return hasChanged;
    });
    // State and keys change the generated sets: sign them.
    if (hasMoved) this.commits.tell(zoneId);
  }

  /** Verifies the whole zone before it offers a DS. */
  private async isFaultless(zoneId: string): Promise<boolean> {
    const [fault] = await this.check.faultsOf(zoneId, true);
    if (fault === undefined) return true;
    await this.context.halt(zoneId, fault);
    return false;
  }

  private async nextCheckAt(tx: Transaction, row: ZoneSigningEntity, now: Instant): Promise<Instant> {
    const due = await this.context.sets.firstDue(tx, row);
    const checks = [
      due === null ? now + HOUR : due * SECOND,
      row.readyAt ?? (row.state === 'proving' ? backoff(row.stateSince, now) : Infinity),
      (await this.rollovers.nextCheckAt(tx, row.zoneId, now)) ?? Infinity,
    ];
    return Math.max(Math.min(...checks), now + SECOND);
  }
}

const NOT_PROVEN: CachedUntil = { dnskeyExpiresAt: 0, allExpiresAt: 0, formerUntil: 0 };

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
  // Until `readyAt`, caches may have answers without signatures.
  return isProven ? { ...row, readyAt: allExpiresAt, formerUntil: Math.max(row.formerUntil, formerUntil) } : row;
}
