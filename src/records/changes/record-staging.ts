import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import { type Staging, StagingArea, type WritePart } from '../../database/statements/staging.js';
import { Statement } from '../../database/statements/statement.js';
import { contentsOf, expandContents } from '../../database/statements/contents-id.js';
import type { StagedTable } from '../../database/sqlite/staged-rows.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ReplacedContents,
  StaleSnapshotError,
  type StagedContents,
} from '../../zones/staged-imports/staged-imports.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { RecordLimits } from '../record-limits.js';
import { RecordSetRepository } from '../record-set.repository.js';

const TABLES: readonly StagedTable[] = [
  { name: 'records', key: ['zone_id', 'id'], alsoFoundBy: ['owner_key', 'type', 'fingerprint'], scope: 'zone_id' },
  { name: 'record_sets', key: ['zone_id', 'owner_key', 'type'], scope: 'zone_id' },
  { name: 'journal', key: [], scope: 'zone_id', replaces: true },
];

/**
 * Prepares a large change outside of the zone, without blocking other changes. One short transaction merges it if the
 * zone has not changed.
 */
@Injectable()
export class RecordStaging {
  constructor(
    private readonly area: StagingArea,
    private readonly reads: Reads,
    private readonly zones: ZoneRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly limits: RecordLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * @param zone as stored, or as it will be created
   * @returns `null` on a database where a large change blocks no other
   */
  async begin(zone: Readonly<ZoneEntity>, caller: Caller): Promise<StagedRecords | null> {
    const hasRecords = await this.reads.run((tx) => this.recordSets.exists(tx, zone.id, zone.nameKey));
    const staging = await this.area.open(TABLES, !hasRecords);
    if (staging === null) return null;
    try {
      const stateBelow = await staging.run((tx) => this.zones.stateBelow(tx, zone.nameKey));
      return new StagedRecords(staging, new ZoneChange(zone, caller, this.clock.now()), stateBelow);
    } catch (error) {
      await staging.close();
      throw error;
    }
  }

  /**
   * Merges the staged change into `change`, which holds the zone lock.
   * @throws StaleSnapshotError if the zone or the zones below have changed since
   */
  async bringIn(change: ZoneChange, tx: Transaction, staged: StagedRecords): Promise<void> {
    const { zone } = staged.change;
    const isOther =
      change.zone.id === zone.id && (change.zone.version !== zone.version || change.zone.changedAt !== zone.changedAt);
    if (isOther || (await this.zones.stateBelow(tx, change.zone.nameKey)) !== staged.stateBelow)
      throw new StaleSnapshotError();
    change.keepSerialAs(staged.change);
    await this.assertWithinLimits(tx, change, staged);
    await staged.bringInto(change);
    change.adopt(staged.change);
  }

  /** Limits may have been lowered meanwhile. A breach restarts the change, which then checks record by record. */
  private async assertWithinLimits(tx: Transaction, { zone }: ZoneChange, staged: StagedRecords): Promise<void> {
    const { recordCount, recordSetCount } = staged.change;
    const check = await this.limits.checkFor(tx, zone.tenantId);
    try {
      check({
        zoneRecords: recordCount > zone.recordCount ? recordCount : null,
        zoneRecordsets: recordSetCount > zone.recordSetCount ? recordSetCount : null,
        recordsetRecords: staged.largestSet,
      });
    } catch (error) {
      throw error instanceof ServiceError ? new StaleSnapshotError() : error;
    }
  }
}

const IN_CONTENTS = expandContents(contentsOf('?'));

/** Steps of labels hold the zone, which a creation drafts again. */
const WITH_ZONE = "CASE action WHEN 'zone.update' THEN json_patch(before, ?) ELSE before END";

const LARGEST_SET = new Statement<{ readonly count: number | null }>(
  'SELECT MAX(record_count) AS count FROM staged_record_sets',
);

export class StagedRecords implements StagedContents {
  private isIn = false;
  private largest: number | null = null;

  constructor(
    private readonly staging: Staging,
    readonly change: ZoneChange,
    readonly stateBelow: string,
  ) {}

  get transaction(): Transaction {
    return this.staging.transaction;
  }

  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.staging.run(work);
  }

  async end(): Promise<void> {
    await this.staging.reveal();
    this.largest = (await LARGEST_SET.first(this.transaction, []))?.count ?? null;
  }

  get largestSet(): number | null {
    return this.largest;
  }

  get size(): number {
    return this.staging.size;
  }

  async bringInAhead(change: ZoneChange, write: WritePart, contents?: ReplacedContents): Promise<void> {
    await this.staging.bringInPortions(this.givenBy(change, contents?.to), write, contents?.from);
    this.isIn = true;
  }

  async bringInto(change: ZoneChange): Promise<void> {
    if (!this.isIn) await this.staging.bringIn(this.givenBy(change));
  }

  /** Serial, change id and time of all rows are only known now. */
  private givenBy({ zone, serial, id, begunAt, stepCount }: ZoneChange, contentsId = zone.id) {
    const zone_id = [IN_CONTENTS, contentsId] as const;
    const known = JSON.stringify({ id: zone.id, serial, createdAt: zone.createdAt });
    return {
      records: { zone_id },
      record_sets: { zone_id, serial: ['?', serial] },
      journal: {
        zone_id: ['?', zone.id],
        number: ['number + ?', zone.version + stepCount - this.change.zone.version],
        serial: ['?', serial],
        change_id: ['?', id],
        at: ['?', begunAt],
        before: [WITH_ZONE, known],
      },
    } as const;
  }

  close(): Promise<void> {
    return this.staging.close();
  }
}
