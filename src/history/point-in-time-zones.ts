import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import { RecordRepository } from '../records/record.repository.js';
import { RecordsOptions } from '../records/records.options.js';
import { comparePositions, positionOf } from '../records/stored-record.js';
import type { RecordSnapshot, ZoneSnapshot } from '../zones/journal/journal-format.js';
import { generationColumns } from '../zones/zone-snapshot.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { HistoryRepository } from './history.repository.js';
import type { JournalStep, HistoryPoint } from './history-point.js';
import { HistoryPoints, notKept } from './history-points.js';
import { type CompactedStep, compactSteps } from './change-compaction.js';
import { type PastPosition, PointInTimeRecords, servedAt } from './point-in-time-records.js';
import { chunksOf } from './chunks.js';

/** So much of what changed records held stays in memory, in octets; the rest is read again. */
const ROOM_FOR_RECORDS = 2 ** 25;

/** A zone as it was. */
export interface PointInTimeZone {
  /** With the fields, the serial and the generation that it had. */
  readonly zone: ZoneEntity;
  readonly recordCount: number;
  readonly records: PointInTimeRecords;
}

/** What has changed in a zone, seen from before. */
export interface PastChanges {
  /** With the fields, the serial and the generation that it had. */
  readonly zone: ZoneEntity;
  /** The records that have changed, by their ids. */
  readonly changed: ReadonlyMap<string, CompactedStep>;
  /** Those of them that were there, in the order in which records are served. */
  readonly positions: readonly PastPosition[];
  /** Whether the serial was raised above others that name servers may have, with whatever contents. */
  readonly isRaised: boolean;
}

/**
 * Goes back from what is stored now: what has changed since was what the journal has before its first later step. In
 * memory is, for each record that has changed, where it stood and in which step that is written; what it held is as far as
 * there is room for it.
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
   * @param zone as `tx` sees it; `tx` must see one moment for as long as the records are read
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

  /**
   * What has changed after a step.
   * @param zone as `tx` sees it
   * @throws ServiceError `serial_not_found` where the steps after that one are not all kept
   */
  async changesSince(tx: Transaction, zone: ZoneEntity, { number, serial }: JournalStep): Promise<PastChanges> {
    const outline = this.history.outline(tx, zone.id, number, zone.version);
    const { records: changed, firstOfZone, count, isRaised } = await compactSteps(outline);
    if (count !== zone.version - number) throw notKept(zone, `all steps since the serial ${serial}`);
    const positions = await this.positionsOf(tx, zone, [...changed.values()]);
    return { zone: { ...(await this.zoneBefore(tx, zone, firstOfZone)), serial }, changed, positions, isRaised };
  }

  private async zoneBefore(tx: Transaction, zone: ZoneEntity, step: number | null): Promise<ZoneEntity> {
    if (step === null) return zone;
    // What is before a step of the zone is a zone.
    const before = (await this.history.before(tx, zone.id, [step])).get(step) as ZoneSnapshot | undefined;
    if (before === undefined) throw notKept(zone, `step ${step}`);
    const { email, ttl, description, generation } = before;
    return { ...zone, email, ttl, description, ...generationColumns(generation) };
  }

  /** Where those that were there stood, in the order in which records are served. */
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
      const before = await this.history.before(
        tx,
        zone.id,
        chunk.map(({ number }) => number),
      );
      for (const { number, octets } of chunk) {
        // What is before a step of a record is a record.
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
