import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import { RecordRepository, type ServedRecord } from '../records/record.repository.js';
import { RecordsOptions } from '../records/records.options.js';
import { comparePositions, positionOf, type RecordPosition } from '../records/stored-record.js';
import type { RecordSnapshot, ZoneSnapshot } from '../plugins/change-listener.js';
import { generationColumns } from '../zones/zone-snapshot.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { HistoryRepository, chunksOf } from './history.repository.js';
import { type JournalStep, type HistoryPoint, HistoryPoints, notKept } from './history-points.js';
import { type CompactedStep, compactSteps } from './change-compaction.js';
import type { RecordSource } from '../records/served/served-zone.js';

/** Octets of former record content in memory. Content beyond this limit is read again. */
const ROOM_FOR_RECORDS = 2 ** 25;

export interface PointInTimeZone {
  /** With its former fields, serial and generation. */
  readonly zone: ZoneEntity;
  readonly recordCount: number;
  readonly records: PointInTimeRecords;
}

export interface PointInTimeDifference {
  /** With its former fields, serial and generation. */
  readonly zone: ZoneEntity;
  readonly changed: ReadonlyMap<string, CompactedStep>;
  /** Changed records that existed then, in serving order. */
  readonly positions: readonly PastPosition[];
  /** Whether the serial was raised above serials that name servers may have with any content. */
  readonly isRaised: boolean;
}

/**
 * Reconstructs a former zone from the current one and the journal: the first later step has the former content of a
 * changed record.
 * Memory holds the position and step of each changed record, and its content up to a limit.
 */
@Injectable()
export class PointInTimeZones {
  constructor(
    private readonly history: HistoryRepository,
    private readonly points: HistoryPoints,
    private readonly stored: RecordRepository,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * @param zone as `tx` sees it; `tx` must keep one snapshot until the records are read
   * @throws ServiceError `serial_not_found`
   */
  async find(tx: Transaction, zone: ZoneEntity, point: HistoryPoint): Promise<PointInTimeZone> {
    const past = await this.changesSince(tx, zone, await this.points.find(tx, zone, point));
    const { changed, positions } = past;
    const existing = [...changed.values()].filter(({ exists }) => exists);
    return {
      zone: past.zone,
      recordCount: zone.recordCount + positions.length - existing.length,
      records: new PointInTimeRecords(this.stored, this.history, tx, zone.id, changed, positions),
    };
  }

  /** @throws ServiceError `serial_not_found` if a later step is missing */
  async changesSince(
    tx: Transaction,
    zone: ZoneEntity,
    { number, serial }: JournalStep,
  ): Promise<PointInTimeDifference> {
    const outline = this.history.outline(tx, zone.id, number, zone.version);
    const { records: changed, firstOfZone, count, isRaised } = await compactSteps(outline);
    if (count !== zone.version - number) throw notKept(zone, `all steps since the serial ${serial}`);
    const positions = await this.positionsOf(tx, zone, [...changed.values()]);
    return { zone: { ...(await this.zoneBefore(tx, zone, firstOfZone)), serial }, changed, positions, isRaised };
  }

  private async zoneBefore(tx: Transaction, zone: ZoneEntity, step: number | null): Promise<ZoneEntity> {
    if (step === null) return zone;
    // A step of the zone has a zone snapshot before it.
    const before = (await this.history.before(tx, zone.id, [step])).get(step) as ZoneSnapshot | undefined;
    if (before === undefined) throw notKept(zone, `step ${step}`);
    const { email, ttl, description, generation } = before;
    return { ...zone, email, ttl, description, ...generationColumns(generation) };
  }

  private async positionsOf(
    tx: Transaction,
    zone: ZoneEntity,
    steps: readonly CompactedStep[],
  ): Promise<PastPosition[]> {
    const positions: PastPosition[] = [];
    const existed = steps
      .filter((step) => step.existed)
      .map(({ first, firstOctets }) => ({ number: first, octets: firstOctets }));
    let room = ROOM_FOR_RECORDS;
    for (const chunk of chunksOf(existed)) {
      const numbers = chunk.map(({ number }) => number);
      const before = await this.history.before(tx, zone.id, numbers);
      for (const { number, octets } of chunk) {
        const snapshot = before.get(number) as RecordSnapshot | undefined;
        if (snapshot === undefined) throw notKept(zone, `step ${number}`);
        const position = positionOf(snapshot, this.options.knownTypes);
        room -= octets;
        positions.push({ ...position, number, octets, kept: room < 0 ? null : servedAt(position, snapshot) });
      }
      await nextTurn();
    }
    return positions.sort(comparePositions);
  }
}

/** Former position of a record, and the step whose `before` has it. */
interface PastPosition extends RecordPosition {
  readonly number: number;
  readonly octets: number;
  /** The record; `null` above the memory limit, which requires another read. */
  readonly kept: ServedRecord | null;
}

/** Former records: unchanged stored records, and former content of changed ones. */
class PointInTimeRecords implements RecordSource {
  constructor(
    private readonly stored: RecordRepository,
    private readonly history: HistoryRepository,
    private readonly tx: Transaction,
    private readonly zoneId: string,
    private readonly changed: { has(id: string): boolean },
    private readonly positions: readonly PastPosition[],
  ) {}

  all(): AsyncIterable<readonly ServedRecord[]> {
    return this.merged(this.stored.served(this.tx, this.zoneId), this.positions);
  }

  async ofSet(ownerKey: string, type: string): Promise<ServedRecord[]> {
    const positions = this.positions.filter((position) => position.ownerKey === ownerKey && position.type === type);
    const records: ServedRecord[] = [];
    const stored = await this.stored.servedSet(this.tx, this.zoneId, ownerKey, type);
    for await (const some of this.merged([stored], positions)) records.push(...some);
    return records;
  }

  /** Merges both sources, which are in serving order, and holds one page at a time. */
  private async *merged(
    stored: AsyncIterable<readonly ServedRecord[]> | Iterable<readonly ServedRecord[]>,
    positions: readonly PastPosition[],
  ): AsyncGenerator<readonly ServedRecord[]> {
    const past = this.read(positions);
    let next = await past.next();
    for await (const page of stored) {
      let unchanged: ServedRecord[] = [];
      for (const record of page) {
        if (this.changed.has(record.id)) continue;
        for (; next.done !== true && comparePositions(next.value, record) < 0; next = await past.next()) {
          yield [...unchanged, next.value];
          unchanged = [];
        }
        unchanged.push(record);
      }
      yield unchanged;
    }
    for (; next.done !== true; next = await past.next()) yield [next.value];
  }

  private async *read(positions: readonly PastPosition[]): AsyncGenerator<ServedRecord, undefined> {
    for (const chunk of chunksOf(positions)) {
      const numbers = chunk.filter(({ kept }) => kept === null).map(({ number }) => number);
      if (numbers.length === 0) {
        for (const { kept } of chunk) yield kept as ServedRecord;
        continue;
      }
      const before = await this.history.before(this.tx, this.zoneId, numbers);
      // The records existed, and the snapshot is the same.
      for (const position of chunk)
        yield position.kept ?? servedAt(position, before.get(position.number) as RecordSnapshot);
      await nextTurn();
    }
    return undefined;
  }
}

function servedAt({ ownerKey, type, fingerprint }: RecordPosition, snapshot: RecordSnapshot): ServedRecord {
  const { id, name, ttl, rdata } = snapshot;
  return { id, name, ownerKey, type, ttl, rdata, fingerprint };
}
