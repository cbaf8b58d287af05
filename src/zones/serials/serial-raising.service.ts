import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { changeEach, ZoneChanges } from '../changes/zone-changes.js';
import { LastSerialRepository } from './last-serial.repository.js';
import { isLaterSerial, laterSerial, nextSerial, servedSerial } from './serial.js';
import type { ZoneChange } from '../changes/zone-change.js';
import { snapshotOf } from '../zone-snapshot.js';
import { ZoneRepository } from '../zone.repository.js';

/** After a restore of an older database, secondaries ignore changes below the serials they have (ADR 15). */
@Injectable()
export class SerialRaisingService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly changes: ZoneChanges,
    private readonly clock: Clock,
  ) {}

  /** Raises serials to the time or the next serial, plus `margin`; also of deleted zones. Returns the zone count. */
  async raiseAll(margin: number, caller: Caller): Promise<number> {
    const now = toUnixSeconds(this.clock.now());
    await this.lastSerials.changeAll((serial) => laterSerial(nextSerial(serial, now), margin));
    return changeEach(
      async (marker, limit) => (await this.zones.page(caller, marker, limit)).entries,
      (id) => this.raise(id, margin, caller),
    );
  }

  /** Raises the serial above one that a name server has (behaviour 12.3). Returns whether this was necessary. */
  raiseAbove(id: string, serial: number, caller: Caller): Promise<boolean> {
    const raise = async (change: ZoneChange): Promise<boolean> => {
      const isNeeded = isRaisable(change) && isLaterSerial(serial, servedSerial(change.zone));
      if (isNeeded) {
        change.raiseSerialAbove(serial);
        recordRaise(change);
      }
      return isNeeded;
    };
    return this.changes.withZoneLock(id, caller, raise, { isUnlimited: true });
  }

  private raise(id: string, margin: number, caller: Caller): Promise<void> {
    return this.changes.withZoneLock(id, caller, async (change) => {
      if (!isRaisable(change)) return;
      change.raiseSerial(margin);
      recordRaise(change);
    });
  }
}

/** The primaries of a secondary zone choose its serial. */
function isRaisable({ zone }: ZoneChange): boolean {
  return zone.type === 'PRIMARY';
}

function recordRaise(change: ZoneChange): void {
  const before = snapshotOf(change.zone);
  change.record('zone.serial', { before, after: { ...before, serial: change.serial } });
}
