import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { HistoryRepository, type NumberRange, type StepSummary } from './history.repository.js';

/** A change of a zone as a whole. */
export interface ChangeSummary extends Omit<StepSummary, 'number' | 'action'> {
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

/** Most changes are short: more rows are read at a time as one turns out to be long. */
const FIRST_ROWS = 64;
const MOST_ROWS = 2000;

/** Sums up the steps of each change of a zone. */
@Injectable()
export class ChangeSummaries {
  constructor(
    private readonly history: HistoryRepository,
    private readonly reads: Reads,
  ) {}

  /** The changes of a range, latest first, read while they are asked for. */
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
      end = rows.at(-1)?.number ?? 0;
      await nextTurn();
    }
    if (growing !== null) yield growing;
  }

  /** The latest of a range; `null` where there is none. */
  async latest(zoneId: string, range: NumberRange): Promise<ChangeSummary | null> {
    for await (const change of this.of(zoneId, range)) return change;
    return null;
  }
}

/** Steps come latest first. */
function withStep(change: ChangeSummary | null, { number, action, ...step }: StepSummary): ChangeSummary {
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
