import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { ChangeResult } from '../records/changes/change-request.js';
import { OperationsRefused } from '../records/changes/operation-list.js';
import { type ChangeOptions, RecordChanges } from '../records/changes/record-changes.js';
import type { ChangeHook } from '../zones/changes/change-hook.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { LargeReverts } from './large-reverts.js';
import { type Reversion, Reversions, type RevertTarget, ZoneHasMoved } from './reversions.js';

/** Attempts while other changes of the zone come between reading and reverting. */
const ATTEMPTS = 5;
/** Of these, for large differences, outside the lock. */
const PREPARATIONS = 2;

/** Reverts records to a former state, as one change (behaviour 11.3). */
@Injectable()
export class RevertService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly reversions: Reversions,
    private readonly changes: RecordChanges,
    private readonly large: LargeReverts,
  ) {}

  /**
   * @throws OperationsRefused if current rules refuse former records, with indexes into the differences from now to
   * then.
   * ServiceError `zone_not_found`, `serial_not_found`, `over_quota`, `file_too_large`, `unavailable`
   */
  async revert(
    zoneId: string,
    caller: Caller,
    target: RevertTarget,
    { isDryRun = false, hook = null }: ChangeOptions,
  ): Promise<ChangeResult> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const reversion = await this.reversions.find(id, caller.tenantId, target);
      if (reversion.faults.length > 0) throw new OperationsRefused(reversion.faults);
      const options = { isDryRun, hook: ofVersion(reversion.zone.version, hook) };
      try {
        const done = attempt < PREPARATIONS ? await this.large.apply(reversion, caller, options) : null;
        return done ?? (await this.applyList(reversion, caller, options));
      } catch (error) {
        if (!(error instanceof ZoneHasMoved)) throw error;
      }
    }
    throw new ServiceError('unavailable', 'The zone keeps changing; try again later.');
  }

  private async applyList(
    { zone, operations, labels }: Reversion,
    caller: Caller,
    options: ChangeOptions,
  ): Promise<ChangeResult> {
    const list = [...operations.map(({ operation }) => operation), ...labels];
    try {
      return await this.changes.apply(zone.id, caller, list, options);
    } catch (error) {
      if (!(error instanceof OperationsRefused)) throw error;
      const inDifferences = error.faults.map((fault) => {
        return { ...fault, index: operations[fault.index]?.index ?? fault.index };
      });
      throw new OperationsRefused(inDifferences);
    }
  }
}

/** Fails if the zone version has changed. Runs under the zone lock, after `hook`. */
function ofVersion(version: number, hook: ChangeHook<ChangeResult> | null): ChangeHook<ChangeResult> {
  return {
    isOurs: true,
    load: (tx, zone) => hook?.load?.(tx, zone) ?? Promise.resolve(),
    admit: (zone) => {
      hook?.admit?.(zone);
      if (zone.version !== version) throw new ZoneHasMoved('the zone has been changed meanwhile');
    },
    write: (tx, outcome) => hook?.write?.(tx, outcome) ?? Promise.resolve(),
  };
}
