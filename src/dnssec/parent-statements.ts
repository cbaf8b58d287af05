import { Injectable } from '@nestjs/common';
import { DAY, type Instant, SECOND } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { agreedDs, awaitedDs, isAsAwaited, NO_DS, parentStatusText } from './parent/parent-observation.js';
import { KeyRollover } from './rollovers/key-rollover.js';
import { type LockedZone, SigningContext } from './signing-context.js';
import { SigningClock } from './signing/signing-clock.js';
import { BEFORE_DS, entering } from './state/zone-signing.entity.js';

/** The assumed DS TTL in seconds, the value of many top-level domains. */
export const USUAL_DS_TTL = 86_400;

/** A statement of a user, or an observation, about the DS in the parent zone. */
export interface ParentStatement {
  readonly hasDs: boolean;
  /** The DS TTL in seconds. */
  readonly ttl: number;
}

@Injectable()
export class ParentStatements {
  constructor(
    private readonly context: SigningContext,
    private readonly rollovers: KeyRollover,
    private readonly clock: SigningClock,
  ) {}

  /** Returns whether the state changed. Throws `signing_conflict` where the statement would break the zone. */
  take(locked: LockedZone, { hasDs, ttl }: ParentStatement): Promise<boolean> {
    return hasDs ? this.recordDs(locked, ttl) : this.recordNoDs(locked, ttl);
  }

  /** Withdraws the last statement. Returns whether one existed. */
  async takeBack({ tx, row }: LockedZone): Promise<boolean> {
    if (row.state !== 'leaving') return this.rollovers.recordDs(tx, row.zoneId, null);
    if (row.readyAt === null) return false;
    await this.context.signing.update(tx, { ...row, readyAt: null });
    return true;
  }

  /** The observation of the last day that contradicts the statement, as text; `null`: none. */
  async objectionTo(locked: LockedZone, { hasDs }: ParentStatement, now: Instant): Promise<string | null> {
    const { tx, zone, row } = locked;
    const { keys: keyRows, parents, rollovers } = this.context;
    const stored = await parents.observation(tx, zone.id);
    const agreed = stored === null || stored.seenAt < now - DAY ? null : agreedDs(stored.observation);
    if (stored === null || agreed === null) return null;
    const keys = await keyRows.ofZone(tx, zone.id);
    const stated = hasDs ? awaitedDs(row, await rollovers.find(tx, zone.id), keys) : NO_DS;
    if (stated === null || isAsAwaited(zone.name, agreed, stated)) return null;
    return parentStatusText(zone.name, stated, stored.observation);
  }

  private async recordDs({ tx, zone, row }: LockedZone, ttl: number): Promise<boolean> {
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
    if (row.state === 'ready') await this.context.signing.update(tx, entering(row, 'secure', now));
    else if (wasAwaited) await this.context.signing.update(tx, { ...row, nextDueAt: now });
    return wasAwaited || row.state === 'ready';
  }

  /** Caches keep the DS for its TTL. Validators require signatures until then. */
  private async recordNoDs({ tx, zone, row }: LockedZone, ttl: number): Promise<boolean> {
    if (row.state === 'secure') {
      await this.context.assertNoRollover(tx, zone);
      await this.context.signing.update(tx, entering(row, 'ready', this.clock.after(row.runAt)));
      return true;
    }
    if (row.state !== 'leaving')
      throw new ServiceError('signing_conflict', `No DS of ${zone.name} was said to be in its parent zone.`);
    if (row.readyAt !== null) return false;
    const readyAt = this.clock.after(row.runAt) + ttl * SECOND;
    await this.context.signing.update(tx, { ...row, readyAt, nextDueAt: earlier(row.nextDueAt, readyAt) });
    return true;
  }
}

function earlier(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.min(one, other);
}
