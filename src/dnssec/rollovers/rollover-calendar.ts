import { Injectable } from '@nestjs/common';
import { maySee } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { type Instant, SECOND } from '../../common/clock.js';
import type { TimeCursor } from '../../zones/journal/time-cursor.js';
import { DnssecOptions } from '../dnssec.options.js';
import { KEY_ROLES } from '../keys/zone-key.entity.js';
import type { KeyByAge } from '../keys/zone-key.repository.js';
import { SigningContext } from '../signing-context.js';

export interface ScheduledKey extends KeyByAge {
  readonly at: Instant;
}

interface CalendarPage {
  readonly keys: readonly ScheduledKey[];
  /** `null`: no more keys. */
  readonly next: TimeCursor | null;
}

/** Lists the keys of a tenant by the time of their scheduled rollover (behaviour 23.17). */
@Injectable()
export class RolloverCalendar {
  constructor(
    private readonly context: SigningContext,
    private readonly options: DnssecOptions,
  ) {}

  /** Leaves out zones outside the scope of the token, so a page may be empty and not the last one. */
  async page(caller: Caller, marker: TimeCursor | null, limit: number): Promise<CalendarPage> {
    const found = await this.context.read(async (tx) => {
      const pages: ScheduledKey[][] = [];
      for (const role of KEY_ROLES) {
        const lifetime = this.options.lifetimes[role];
        if (lifetime === null) continue;
        const after = marker === null ? ([-1, ''] as const) : ([marker.at - lifetime * SECOND, marker.id] as const);
        const keys = await this.context.keys.byAge(tx, { tenantId: caller.tenantId, role }, after, limit + 1);
        pages.push(keys.map((key) => ({ ...key, at: key.createdAt + lifetime * SECOND })));
      }
      return pages.flat().sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
    });
    const read = found.slice(0, limit);
    const last = read.at(-1);
    return {
      keys: read.filter((key) => maySee(caller, key)),
      next: last !== undefined && found.length > limit ? { at: last.at, id: last.id, number: 0 } : null,
    };
  }
}
