import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ZoneChange } from './zone-change.js';
import { ZoneRepository } from './zone.repository.js';

/** The one way in which a zone or anything in it changes: its row first, everything else inside. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: ZoneRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` while the zone is held, and writes the zone's row when something happened; all of it is committed
   * or nothing.
   * @throws ServiceError `zone_not_found`, `unavailable`, and what `work` throws
   */
  in<T>(zoneId: string, caller: Caller, work: (change: ZoneChange) => Promise<T>, { isLong = false } = {}): Promise<T> {
    const scope = { zoneId, isLong };
    return this.unitOfWork.run(async (tx) => {
      const zone = await this.zones.lock(tx, zoneId, caller);
      const change = new ZoneChange(tx, zone, caller, this.clock.now());
      const result = await work(change);
      const closed = change.close();
      if (closed !== null) await this.zones.closeChange(tx, closed);
      return result;
    }, scope);
  }
}
