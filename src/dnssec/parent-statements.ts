import { Injectable } from '@nestjs/common';
import { type Instant, SECOND } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { KeyRollover } from './rollovers/key-rollover.js';
import { SigningClock } from './signing/signing-clock.js';
import { BEFORE_DS, entering, type ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** Of a DS, in seconds, where nobody knows it; many top-level domains have this one. */
export const USUAL_DS_TTL = 86_400;

/** What somebody says of the parent zone, or what was seen there. */
export interface ParentStatement {
  readonly hasDs: boolean;
  /** Of the DS, in seconds. */
  readonly ttl: number;
}

/** What follows from what the parent zone is said to have. */
@Injectable()
export class ParentStatements {
  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly rollovers: KeyRollover,
    private readonly clock: SigningClock,
  ) {}

  /**
   * Returns whether anything follows from it that did not before.
   * @throws ServiceError `signing_conflict` where it would break the zone; WrongClock
   */
  take(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    { hasDs, ttl }: ParentStatement,
  ): Promise<boolean> {
    return hasDs ? this.recordDs(tx, zone, row, ttl) : this.recordNoDs(tx, zone, row, ttl);
  }

  /** What was taken for so is not so any more. Returns whether it was taken for so. */
  async takeBack(tx: Transaction, row: ZoneSigningEntity): Promise<boolean> {
    if (row.state !== 'leaving') return this.rollovers.recordDs(tx, row.zoneId, null);
    if (row.readyAt === null) return false;
    await this.signing.update(tx, { ...row, readyAt: null });
    return true;
  }

  private async recordDs(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    ttl: number,
  ): Promise<boolean> {
    if (BEFORE_DS.has(row.state))
      throw new ServiceError(
        'signing_conflict',
        `${zone.name} is not ready for a DS yet: take it out of the parent zone.`,
      );
    if (row.state === 'leaving')
      throw new ServiceError(
        'signing_conflict',
        `${zone.name} is to be unsigned: have the DS removed from the parent zone.`,
      );
    const now = this.clock.after(row.runAt);
    const wasAwaited = await this.rollovers.recordDs(tx, zone.id, now + ttl * SECOND);
    if (row.state === 'ready') await this.signing.update(tx, entering(row, 'secure', now));
    else if (wasAwaited) await this.signing.update(tx, { ...row, nextDueAt: now });
    return wasAwaited || row.state === 'ready';
  }

  /** Caches have the DS for as long as its ttl; until then they look for signatures. */
  private async recordNoDs(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    ttl: number,
  ): Promise<boolean> {
    if (row.state === 'secure') {
      await this.rollovers.assertNone(tx, zone);
      await this.signing.update(tx, entering(row, 'ready', this.clock.after(row.runAt)));
      return true;
    }
    if (row.state !== 'leaving')
      throw new ServiceError('signing_conflict', `No DS of ${zone.name} was said to be in its parent zone.`);
    if (row.readyAt !== null) return false;
    const readyAt = this.clock.after(row.runAt) + ttl * SECOND;
    await this.signing.update(tx, { ...row, readyAt, nextDueAt: earlier(row.nextDueAt, readyAt) });
    return true;
  }
}

function earlier(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.min(one, other);
}
