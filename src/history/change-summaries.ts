import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import {
  type ActionCount,
  HistoryRepository,
  isUpkeep,
  type NumberRange,
  type StepSummary,
} from './history.repository.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { HistoryService } from './history.service.js';

export interface ChangeSummary extends Omit<StepSummary, 'number' | 'action'> {
  /** Step numbers. */
  readonly first: number;
  readonly last: number;
  /** Record counts. */
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** Steps of the zone itself, in order. */
  readonly zoneActions: readonly string[];
  /** Serial before the change; `null` if not stored. */
  readonly serialBefore: number | null;
}

/** Most changes are short. Each further read takes more rows. */
const FIRST_ROWS = 64;
const MOST_ROWS = 2000;
/** Of a long change. */
const STEPS_COUNTED_AT_ONCE = 5000;

@Injectable()
export class ChangeSummaries {
  constructor(
    private readonly history: HistoryRepository,
    private readonly reads: Reads,
  ) {}

  async *of(zoneId: string, { above, below }: NumberRange): AsyncGenerator<ChangeSummary> {
    let growing: ChangeSummary | null = null;
    let limit = FIRST_ROWS;
    for (let end = below; ; limit = Math.min(limit * 4, MOST_ROWS)) {
      const range = { above, below: end };
      const rows = await this.reads.run((tx) => this.history.summaries(tx, zoneId, range, limit));
      for (const row of rows) {
        if (growing !== null && growing.changeId !== row.changeId) {
          yield { ...growing, serialBefore: row.serial };
          growing = null;
        }
        growing = withStep(growing, row);
      }
      if (rows.length < limit) break;
      end = growing?.first ?? 0;
      if (growing !== null && growing.last - end >= FIRST_ROWS - 1) {
        growing = await this.withRest(zoneId, growing, above);
        end = growing.first;
      }
      await nextTurn();
    }
    if (growing !== null) yield growing;
  }

  /** Counts the earlier steps of a long change in the database, which takes a tenth of the time of reading them. */
  private async withRest(zoneId: string, change: ChangeSummary, above: number): Promise<ChangeSummary> {
    const { changeId } = change;
    const first = await this.reads.run((tx) => this.history.endOfChange(tx, zoneId, changeId, change.first, -1));
    const second = Math.max(first, above + 1) + 1;
    let whole = change;
    while (whole.first > second) {
      const from = Math.max(second, whole.first - STEPS_COUNTED_AT_ONCE);
      const range = { above: from - 1, below: whole.first };
      const counts = await this.reads.run((tx) => this.history.actionCounts(tx, zoneId, range));
      whole = { ...counts.reduce(withSteps, whole), first: from };
      await nextTurn();
    }
    return whole;
  }

  async latest(zoneId: string, range: NumberRange): Promise<ChangeSummary | null> {
    for await (const change of this.of(zoneId, range)) return change;
    return null;
  }
}

const NOTHING = { created: 0, updated: 0, deleted: 0, zoneActions: [], message: null };

/** Steps come latest first. */
function withStep(change: ChangeSummary | null, { number, action, ...step }: StepSummary): ChangeSummary {
  const { last, message, ...counts } = change ?? { ...NOTHING, last: number };
  // Only the first step has the message.
  const ends = { first: number, last, serialBefore: null, message: step.message ?? message };
  return withSteps({ ...counts, ...step, ...ends }, { action, steps: 1 });
}

function withSteps(change: ChangeSummary, { action, steps }: ActionCount): ChangeSummary {
  return {
    ...change,
    created: change.created + (action === 'record.create' ? steps : 0),
    updated: change.updated + (action === 'record.update' ? steps : 0),
    deleted: change.deleted + (action === 'record.delete' ? steps : 0),
    zoneActions: action.startsWith('zone.') ? [action, ...change.zoneActions] : change.zoneActions,
  };
}

export interface ChangesRequest {
  /** First step of the last change of the previous page; `null`: first page. */
  readonly marker: number | null;
  readonly limit: number;
  /** Inclusive; `null`: no limit. */
  readonly since: Instant | null;
}

export interface ChangesPage {
  /** Latest first. */
  readonly changes: readonly ChangeSummary[];
  readonly next: number | null;
}

/** A page ends with the change that reaches this number of steps. */
export const MOST_STEPS = 100_000;

/** Lists whole changes of a zone (behaviour 11.5). */
@Injectable()
export class ZoneChangesListService {
  constructor(
    private readonly histories: HistoryService,
    private readonly summed: ChangeSummaries,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found` for callers other than its owner and admins */
  page(zoneId: string, caller: Caller, request: ChangesRequest): Promise<ChangesPage> {
    return this.reads.offPrimary(() => this.read(zoneId, caller, request));
  }

  private async read(zoneId: string, caller: Caller, { marker, limit, since }: ChangesRequest): Promise<ChangesPage> {
    await this.histories.assertShown(zoneId, caller);
    const above = await this.histories.lastNotShown(zoneId, since);
    const changes: ChangeSummary[] = [];
    let steps = 0;
    for await (const change of this.summed.of(zoneId, { above, below: marker ?? Number.MAX_SAFE_INTEGER })) {
      if (!isUpkeep(change)) changes.push(change);
      steps += change.last - change.first + 1;
      const isLast = change.serialBefore === null;
      if (changes.length === limit || steps >= MOST_STEPS) return { changes, next: isLast ? null : change.first };
    }
    return { changes, next: null };
  }
}
