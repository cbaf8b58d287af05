import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import type { Step } from '../zones/journal/journal-format.js';
import type { RecordSnapshot, ZoneSnapshot } from '../plugins/change-listener.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { type ChangeBounds, HistoryRepository, chunksOf } from './history.repository.js';
import { type HistoryPoint, HistoryPoints, notKept } from './history-points.js';
import { type CompactedStep, compactSteps } from './change-compaction.js';
import type { Readable } from 'node:stream';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { Reads } from '../database/reads.js';
import { Spool } from '../database/render-cache/spool.js';
import { ZoneRepository } from '../zones/zone.repository.js';

/** A record that differs between two states of its zone; `null`: absent. */
export type Difference =
  | { readonly action: 'create'; readonly before: null; readonly after: RecordSnapshot }
  | { readonly action: 'update'; readonly before: RecordSnapshot; readonly after: RecordSnapshot }
  | { readonly action: 'delete'; readonly before: RecordSnapshot; readonly after: null };

export type RecordDifference = Difference & { readonly octets: number; readonly latestVersion: number };

export type UndoingDifference = RecordDifference & {
  readonly hasChangedSince: boolean;
};

/** Finds the record differences between two moments (behaviour 11.2). */
@Injectable()
export class RecordDifferences {
  constructor(
    private readonly history: HistoryRepository,
    private readonly points: HistoryPoints,
  ) {}

  /**
   * Records come in the order of their first change. The second moment may be the earlier one.
   * @param zone as `tx` sees it; `tx` must keep one snapshot during the iteration
   * @throws ServiceError `serial_not_found` during the iteration
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
      // SQLite reads synchronously, so other requests get a turn between portions.
      await nextTurn();
    }
  }

  /**
   * Differences that undo one change, from its result to the state before it.
   * @param zone as for `between`
   * @throws ServiceError `serial_not_found` during the iteration
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

  /** Steps of one change that are label changes, of the zone or of its record sets. */
  async *labelSteps(tx: Transaction, zone: ZoneEntity, changeId: string): AsyncGenerator<Step<ZoneSnapshot>> {
    const { first, last } = await this.changeIn(tx, zone, changeId);
    for await (const outline of this.history.outline(tx, zone.id, first - 1, last))
      for (const chunk of chunksOf(outline.filter(({ action }) => action === 'zone.update'))) {
        const numbers = chunk.map(({ number }) => number);
        // These steps are of the zone, never of records.
        for (const step of (await this.history.steps(tx, zone.id, numbers)).values()) yield step as Step<ZoneSnapshot>;
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
      // These steps are of records, never of the zone.
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
  readonly octets: number;
  /** Highest version of the record up to the later moment. */
  readonly latestVersion: number;
}

/** `null` if clients see no difference. */
export function differenceOf(before: RecordSnapshot | null, after: RecordSnapshot | null): Difference | null {
  if (before === null) return after === null ? null : { action: 'create', before, after };
  if (after === null) return { action: 'delete', before, after };
  return isSame(before, after) ? null : { action: 'update', before, after };
}

/** Versions and times differ even if a record was changed back. */
function isSame(one: RecordSnapshot, other: RecordSnapshot): boolean {
  const fields = ['name', 'type', 'data', 'priority', 'ttl', 'description'] as const;
  return fields.every((field) => one[field] === other[field]) && (one.expiresAt ?? null) === (other.expiresAt ?? null);
}

/** `to: null` is the current state. */
export interface HistoryPointPair {
  readonly from: HistoryPoint;
  readonly to: HistoryPoint | null;
}

export interface DifferenceText {
  readonly write: (differences: AsyncIterable<RecordDifference>) => AsyncIterable<string>;
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
}

/** Compares a zone at two moments (behaviour 11.2). */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly differences: RecordDifferences,
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /**
   * Holds one database snapshot during the iteration, so the caller must not wait for a network.
   * @throws ServiceError `zone_not_found`; `serial_not_found`, `unavailable` during the iteration
   */
  async compare(
    zoneId: string,
    caller: Caller,
    { from, to }: HistoryPointPair,
  ): Promise<AsyncIterable<RecordDifference>> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    return this.reads.stream((tx) => this.between(tx, id, from, to));
  }

  /**
   * Renders all differences before the first read. Counts as in progress until read or destroyed.
   * @throws ServiceError `zone_not_found`, `serial_not_found`, `unavailable`
   */
  async compareInWords(
    zoneId: string,
    caller: Caller,
    points: HistoryPointPair,
    { write, gone }: DifferenceText,
  ): Promise<Readable> {
    const compared = (): Promise<Readable> =>
      this.reads.offPrimary(async () => this.spool.keep(write(await this.compare(zoneId, caller, points)), gone));
    const { tenantId } = caller;
    return this.streams.begin(tenantId, () => this.streams.inTurn(tenantId, compared));
  }

  private async *between(
    tx: Transaction,
    zoneId: string,
    from: HistoryPoint,
    to: HistoryPoint | null,
  ): AsyncGenerator<RecordDifference> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    yield* this.differences.between(tx, zone, from, to ?? { serial: zone.serial });
  }
}
