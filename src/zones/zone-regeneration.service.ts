import { Injectable } from '@nestjs/common';
import { administrator, type Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';
import { changeEach, ZoneChanges } from './changes/zone-changes.js';
import type { ZoneChange } from './changes/zone-change.js';
import { snapshotOf } from './zone-snapshot.js';
import { ZoneGenerationRepository } from './zone-generation.repository.js';
import { ZonesOptions } from './zones.options.js';

/** Applies the configured SOA and apex NS to all zones. Each changed zone gets a new serial (behaviour 12.2). */
@Injectable()
export class ZoneRegenerationService {
  constructor(
    private readonly generations: ZoneGenerationRepository,
    private readonly changes: ZoneChanges,
    private readonly options: ZonesOptions,
  ) {}

  async run(): Promise<number> {
    const caller = administrator('configuration', 'start');
    const generation = JSON.stringify(this.options.generation);
    if (await this.generations.isThatOfAll(generation)) return 0;
    return changeEach(
      (marker, limit) => this.generations.pageOfOthers(generation, marker, limit),
      (id) => this.regenerate(id, generation, caller),
    );
  }

  private regenerate(id: string, generation: string, caller: Caller): Promise<void> {
    const regenerate = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      // Another process may have changed it.
      if (change.zone.generation === generation) return;
      const before = snapshotOf(change.zone);
      const { apexNs, soaTtl } = before.generation ?? {};
      const made = {
        ...this.options.generation,
        ...(apexNs && { apexNs }),
        ...(soaTtl !== undefined && { soaTtl }),
      };
      const after = { ...before, generation: made, serial: change.serial };
      await this.generations.set(tx, id, generation);
      change.record('zone.regenerate', { before, after });
    };
    return this.changes.withZoneLock(id, caller, regenerate, { isUnlimited: true });
  }
}
