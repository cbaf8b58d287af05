import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { ZoneChanges } from './zone-changes.js';
import { ZoneRepository } from './zone.repository.js';
import { snapshotOf } from './zone-snapshot.js';
import { JournalRepository } from './journal.repository.js';

/** So many zones are raised together, in few commits. */
const PAGE = 128;

/**
 * After an older database was restored its serials lie behind those that were handed out, and secondaries would ignore
 * every change. Raising them is a change of each zone like any other (ADR 15).
 */
@Injectable()
export class SerialRaisingService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly journal: JournalRepository,
    private readonly changes: ZoneChanges,
  ) {}

  /** Raises every zone's serial to the time or the next one, and by `margin` more. Returns how many there are. */
  async raiseAll(margin: number, caller: Caller): Promise<number> {
    let raised = 0;
    let marker = '';
    for (;;) {
      const page = await this.zones.page(caller, marker, PAGE);
      const answers = await Promise.all(page.map(({ id }) => this.raise(id, margin, caller)));
      raised += answers.filter((isRaised) => isRaised).length;
      const last = page.at(-1);
      if (last === undefined) return raised;
      marker = last.id;
    }
  }

  /** Whether the zone was still there. */
  private async raise(id: string, margin: number, caller: Caller): Promise<boolean> {
    try {
      await this.changes.in(id, caller, async (change) => {
        change.raiseSerial(margin);
        const before = snapshotOf(change.zone);
        await this.journal.append(change, 'domain.serial', before, { ...before, serial: change.serial });
      });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return false;
      throw error;
    }
  }
}
