import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { HistoryRepository, type StepSummary } from './history.repository.js';
import { HistoryService } from './history.service.js';

/** A change of a zone as a whole. */
export interface SummedChange extends Omit<StepSummary, 'number' | 'action'> {
  /** Numbers of its steps. */
  readonly first: number;
  readonly last: number;
  /** Records. */
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** What happened to the zone itself, in its order. */
  readonly zoneActions: readonly string[];
  /** Of the zone before it; `null` where that is not kept. */
  readonly serialBefore: number | null;
}

export interface ChangesRequest {
  /** The number of the first step of the last change that was seen; `null` for none. */
  readonly marker: number | null;
  readonly limit: number;
  /** No changes of before; `null` for the whole history. */
  readonly since: Instant | null;
}

export interface ChangesPage {
  /** Latest first. */
  readonly changes: readonly SummedChange[];
  /** The marker of the next page; `null` after the last one. */
  readonly next: number | null;
}

const ROWS_AT_A_TIME = 2000;
/** A page ends with the change in which so many steps have been counted. */
const MOST_STEPS = 100_000;

/** The story of a zone, change by change, none of them cut (behaviour 11.5). */
@Injectable()
export class ZoneChangesListService {
  constructor(
    private readonly histories: HistoryService,
    private readonly history: HistoryRepository,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found` for everybody but its owner and admins */
  async page(zoneId: string, caller: Caller, { marker, limit, since }: ChangesRequest): Promise<ChangesPage> {
    await this.histories.assertShown(zoneId, caller);
    const above = await this.histories.lastNotShown(zoneId, since);
    const changes: SummedChange[] = [];
    let growing: SummedChange | null = null;
    let steps = 0;
    for (let below = marker ?? Number.MAX_SAFE_INTEGER; ;) {
      const range = { above, below };
      const rows = await this.reads.run((tx) => this.history.summaries(tx, zoneId, range, ROWS_AT_A_TIME));
      for (const row of rows) {
        if (growing !== null && growing.changeId !== row.changeId) {
          changes.push({ ...growing, serialBefore: row.serial });
          if (changes.length === limit || steps >= MOST_STEPS) return { changes, next: growing.first };
          growing = null;
        }
        growing = withStep(growing, row);
        steps += 1;
      }
      if (rows.length < ROWS_AT_A_TIME) break;
      below = rows.at(-1)?.number ?? 0;
      await nextTurn();
    }
    return { changes: growing === null ? changes : [...changes, growing], next: null };
  }
}

/** Steps come latest first. */
function withStep(change: SummedChange | null, { number, action, ...step }: StepSummary): SummedChange {
  const { created = 0, updated = 0, deleted = 0, zoneActions = [], last = number } = change ?? {};
  return {
    ...step,
    ...{ first: number, last, serialBefore: null },
    created: created + Number(action === 'record.create'),
    updated: updated + Number(action === 'record.update'),
    deleted: deleted + Number(action === 'record.delete'),
    zoneActions: action.startsWith('zone.') ? [action, ...zoneActions] : zoneActions,
    // It is said in the first step.
    message: step.message ?? change?.message ?? null,
  };
}
