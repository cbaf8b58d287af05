import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { HistoryService } from './history.service.js';
import { type ChangeSummary, ChangeSummaries } from './change-summaries.js';

export interface ChangesRequest {
  /** The number of the first step of the last change that was seen; `null` for none. */
  readonly marker: number | null;
  readonly limit: number;
  /** No changes of before; `null` for the whole history. */
  readonly since: Instant | null;
}

export interface ChangesPage {
  /** Latest first. */
  readonly changes: readonly ChangeSummary[];
  /** The marker of the next page; `null` after the last one. */
  readonly next: number | null;
}

/** A page ends with the change in which so many steps have been counted. */
export const MOST_STEPS = 100_000;

/** The story of a zone, change by change, none of them cut (behaviour 11.5). */
@Injectable()
export class ZoneChangesListService {
  constructor(
    private readonly histories: HistoryService,
    private readonly summed: ChangeSummaries,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found` for everybody but its owner and admins */
  page(zoneId: string, caller: Caller, request: ChangesRequest): Promise<ChangesPage> {
    return this.reads.offPrimary(() => this.read(zoneId, caller, request));
  }

  private async read(zoneId: string, caller: Caller, { marker, limit, since }: ChangesRequest): Promise<ChangesPage> {
    await this.histories.assertShown(zoneId, caller);
    const above = await this.histories.lastNotShown(zoneId, since);
    const changes: ChangeSummary[] = [];
    let steps = 0;
    for await (const change of this.summed.of(zoneId, { above, below: marker ?? Number.MAX_SAFE_INTEGER })) {
      changes.push(change);
      steps += change.last - change.first + 1;
      const isLast = change.serialBefore === null;
      if (changes.length === limit || steps >= MOST_STEPS) return { changes, next: isLast ? null : change.first };
    }
    return { changes, next: null };
  }
}
