import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSnapshot, Step } from '../zones/journal/journal-format.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { type ChangeBounds, HistoryRepository } from './history.repository.js';
import type { HistoryPoint } from './history-point.js';
import { HistoryPoints, notKept } from './history-points.js';
import { type CompactedStep, compactSteps } from './change-compaction.js';
import { chunksOf } from './chunks.js';

/** A record that is not the same in two states of its zone: `before` in the first, `after` in the second, `null` where it is not. */
export type Difference =
  | { readonly action: 'create'; readonly before: null; readonly after: RecordSnapshot }
  | { readonly action: 'update'; readonly before: RecordSnapshot; readonly after: RecordSnapshot }
  | { readonly action: 'delete'; readonly before: RecordSnapshot; readonly after: null };

/** One between two moments. */
export type RecordDifference = Difference & { readonly octets: number; readonly latestVersion: number };

/** One that undoes a change. */
export type UndoingDifference = RecordDifference & {
  /** Others have changed the record since. */
  readonly hasChangedSince: boolean;
};

/** What one change would have to do to lead from the records of one moment to those of another (behaviour 11.2). */
@Injectable()
export class RecordDifferences {
  constructor(
    private readonly history: HistoryRepository,
    private readonly points: HistoryPoints,
  ) {}

  /**
   * The second moment may be the earlier one. Records come in the order in which they first changed.
   * @param zone as `tx` sees it; `tx` must see one moment for as long as this is read
   * @throws ServiceError `serial_not_found` while it is iterated
   */
  async *between(
    tx: Transaction,
    zone: ZoneEntity,
    from: HistoryPoint,
    to: HistoryPoint,
  ): AsyncGenerator<RecordDifference> {
    const start = (await this.points.find(tx, zone, from)).number;
    const end = (await this.points.find(tx, zone, to)).number;
    const [earlier, later] = start <= end ? [start, end] : [end, start];
    const { records } = await compactSteps(this.history.outline(tx, zone.id, earlier, later));
    for (const chunk of chunksOf(records.values())) {
      for (const { id: _, before, after, ...facts } of await this.read(tx, zone.id, chunk)) {
        const difference = start <= end ? differenceOf(before, after) : differenceOf(after, before);
        if (difference !== null) yield { ...difference, ...facts };
      }
      // Reading is synchronous on SQLite: other requests get their turn between two portions.
      await nextTurn();
    }
  }

  /**
   * What undoes one change: from what it has made of records to what they were.
   * @param zone as for `between`
   * @throws ServiceError `serial_not_found` while it is iterated
   */
  async *undoing(tx: Transaction, zone: ZoneEntity, changeId: string): AsyncGenerator<UndoingDifference> {
    const { first, last } = await this.changeIn(tx, zone, changeId);
    const { records } = await compactSteps(this.history.outline(tx, zone.id, first - 1, last));
    const { records: since } = await compactSteps(this.history.outline(tx, zone.id, last, zone.version));
    for (const chunk of chunksOf(records.values())) {
      for (const { id, before, after, ...facts } of await this.read(tx, zone.id, chunk)) {
        const difference = differenceOf(after, before);
        if (difference !== null) yield { ...difference, ...facts, hasChangedSince: since.has(id) };
      }
      await nextTurn();
    }
  }

  private async changeIn(tx: Transaction, zone: ZoneEntity, changeId: string): Promise<ChangeBounds> {
    const bounds = await this.history.boundsOf(tx, zone.id, changeId);
    if (bounds === null) throw notKept(zone, `the change ${JSON.stringify(changeId)}`);
    return bounds;
  }

  private async read(tx: Transaction, zoneId: string, records: readonly CompactedStep[]): Promise<Sides[]> {
    const numbers = records.flatMap(({ first, last }) => [first, last]);
    const steps = await this.history.steps(tx, zoneId, numbers);
    return records.map(({ id, first, last, octets }) => {
      // All of these steps are of records, never of the zone.
      const before = (steps.get(first)?.before ?? null) as RecordSnapshot | null;
      const latest = steps.get(last) as Step<RecordSnapshot> | undefined;
      const latestVersion = (latest?.after ?? latest?.before)?.version ?? 0;
      return { id, before, after: latest?.after ?? null, octets, latestVersion };
    });
  }
}

interface Sides {
  readonly id: string;
  readonly before: RecordSnapshot | null;
  readonly after: RecordSnapshot | null;
  /** Length of the snapshots. */
  readonly octets: number;
  /** The highest that the record has had by the later moment. */
  readonly latestVersion: number;
}

/** `null` where both are the same to a client. */
export function differenceOf(before: RecordSnapshot | null, after: RecordSnapshot | null): Difference | null {
  if (before === null) return after === null ? null : { action: 'create', before, after };
  if (after === null) return { action: 'delete', before, after };
  return isSame(before, after) ? null : { action: 'update', before, after };
}

/** Versions and times differ also where a record was changed and changed back. */
function isSame(one: RecordSnapshot, other: RecordSnapshot): boolean {
  const fields = ['name', 'type', 'data', 'priority', 'ttl', 'description'] as const;
  return fields.every((field) => one[field] === other[field]) && (one.expiresAt ?? null) === (other.expiresAt ?? null);
}
