import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ChangeLimits, NoChangeLimits } from './change-limits.js';
import { ZoneChange } from './zone-change.js';
import { ZoneRepository } from './zone.repository.js';

/** How a change is treated. */
export interface ChangeScope {
  /** It may take seconds. */
  readonly isLong?: boolean;
  /** The service makes it for itself, and no tenant is to wait for that. */
  readonly isUnlimited?: boolean;
}

const UNLIMITED = new NoChangeLimits();

/** The one way in which a zone or anything in it changes: its row first, everything else inside. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: ZoneRepository,
    private readonly limits: ChangeLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` while the zone is held, and writes the zone's row when something happened; all of it is committed
   * or nothing.
   * @throws ServiceError `zone_not_found`, `rate_limited`, `unavailable`, and what `work` throws
   */
  in<T>(zoneId: string, caller: Caller, work: (change: ZoneChange) => Promise<T>, scope: ChangeScope = {}): Promise<T> {
    return this.run(caller, { ...scope, zoneId }, async (tx) => {
      const zone = await this.zones.lock(tx, zoneId, caller);
      const change = new ZoneChange(tx, zone, caller, this.clock.now());
      return { change, result: await work(change) };
    });
  }

  /**
   * Runs `work`, which creates a zone, in the same way.
   * @throws ServiceError `rate_limited`, `unavailable`, and what `work` throws
   */
  creating(
    caller: Caller,
    work: (tx: Transaction) => Promise<ZoneChange>,
    scope: ChangeScope = {},
  ): Promise<ZoneChange> {
    return this.run(caller, scope, async (tx) => {
      const change = await work(tx);
      return { change, result: change };
    });
  }

  private run<T>(
    { tenantId }: Caller,
    scope: ChangeScope & { readonly zoneId?: string },
    work: (tx: Transaction) => Promise<{ readonly change: ZoneChange; readonly result: T }>,
  ): Promise<T> {
    const limits = scope.isUnlimited === true ? UNLIMITED : this.limits;
    return limits.run(tenantId, (weigh) =>
      this.unitOfWork.run(async (tx) => {
        const { change, result } = await work(tx);
        const closed = change.close();
        if (closed !== null) await this.zones.closeChange(tx, closed);
        weigh(change.weight);
        return result;
      }, scope),
    );
  }
}
