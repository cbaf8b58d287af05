import { Injectable } from '@nestjs/common';
import { type Instant, Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { Rollovers } from './rollovers/rollovers.js';
import { BEFORE_DS, entering, type ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

const SECOND: Instant = 1_000_000;

/** What somebody says of the parent zone. */
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
    private readonly rollovers: Rollovers,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `signing_conflict` where that changes nothing or would break the zone */
  take(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    { hasDs, ttl }: ParentStatement,
  ): Promise<void> {
    return hasDs ? this.noteDs(tx, zone, row, ttl) : this.noteNoDs(tx, zone, row, ttl);
  }

  private async noteDs(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    ttl: number,
  ): Promise<void> {
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
    const now = this.clock.now();
    await this.rollovers.noteDs(tx, zone.id, now + ttl * SECOND);
    if (row.state === 'ready') await this.signing.update(tx, entering(row, 'secure', now));
    else await this.signing.update(tx, { ...row, nextDueAt: now });
  }

  /** Caches have the DS for as long as its ttl; until then they look for signatures. */
  private async noteNoDs(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    ttl: number,
  ): Promise<void> {
    if (row.state === 'secure') {
      await this.rollovers.assertNone(tx, zone);
      return this.signing.update(tx, entering(row, 'ready', this.clock.now()));
    }
    if (row.state !== 'leaving')
      throw new ServiceError('signing_conflict', `No DS of ${zone.name} was said to be in its parent zone.`);
    if (row.readyAt !== null) return;
    const readyAt = this.clock.now() + ttl * SECOND;
    await this.signing.update(tx, { ...row, readyAt, nextDueAt: earlier(row.nextDueAt, readyAt) });
  }
}

function earlier(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.min(one, other);
}
