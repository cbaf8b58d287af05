import { Injectable } from '@nestjs/common';
import { timeOrderedUuid } from '../common/uuid.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { JournalRepository } from '../zones/journal.repository.js';
import { RecordSetsAtName } from './record-sets-at-name.js';
import type { RecordContent } from './record-content.js';
import { octetsOf, type RecordEntity } from './record.entity.js';
import { RecordLimits } from './record-limits.js';
import { RecordPlacement } from './record-placement.js';
import { snapshotOf } from './record-snapshot.js';
import { RecordRepository } from './record.repository.js';
import { RecordSetRepository } from './record-set.repository.js';
import { RecordSetWriter } from './record-set-writer.js';

/**
 * Adds, changes and removes records within a change of their zone. Every way of writing records, one by one or a
 * zone at a time, goes through here: placement, counters, limits and journal are the same for all.
 */
@Injectable()
export class RecordWriter {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly setWriter: RecordSetWriter,
    private readonly journal: JournalRepository,
    private readonly placement: RecordPlacement,
    private readonly limits: RecordLimits,
  ) {}

  /** @throws ServiceError for a place or a limit that refuses the record, and `duplicate_record` */
  async add(change: ZoneChange, content: RecordContent): Promise<RecordEntity> {
    return this.addToSets(change, content, await this.setsAt(change, content.ownerKey));
  }

  /**
   * Adds a record unless it is there: then it returns the one that is.
   * @throws ServiceError as `add`
   */
  async addMissing(change: ZoneChange, content: RecordContent): Promise<RecordEntity | null> {
    const existing = await this.setsAt(change, content.ownerKey);
    // The first of its set needs no search.
    const stored = existing.has(content.type)
      ? await this.records.findDuplicate(change.tx, change.zone.id, content)
      : undefined;
    if (stored !== undefined) return stored;
    await this.addToSets(change, content, existing);
    return null;
  }

  private async addToSets(
    change: ZoneChange,
    content: RecordContent,
    existing: RecordSetsAtName,
  ): Promise<RecordEntity> {
    await this.placement.assertAllowed(change, content, existing);
    change.countRecords(1);
    if (!existing.has(content.type)) change.countRecordSets(1);
    await this.assertGrowthAllowed(change, existing.recordCountOf(content.type) + 1);
    const instant = change.nextInstant();
    const id = timeOrderedUuid(instant);
    const identity = { zoneId: change.zone.id, id, version: 1, createdAt: instant, updatedAt: null };
    const record = recordOf(identity, content);
    // The last thing that can refuse it is the first that is written: then there is nothing to undo.
    await this.records.insert(change.tx, record);
    await this.setWriter.join(change.tx, existing.get(record.type), record, instant);
    await this.journal.append(change, 'record.create', { before: null, after: snapshotOf(record) });
    return record;
  }

  /**
   * Gives a record its new content. One that stays as it was counts as an update all the same, but the zone does
   * not change by it (behaviour 6.2).
   * @throws ServiceError as `add`
   */
  async change(change: ZoneChange, before: RecordEntity, content: RecordContent): Promise<RecordEntity> {
    const { zoneId, id, version, createdAt } = before;
    const identity = { zoneId, id, version: version + 1, createdAt, updatedAt: change.nextInstant() };
    const after = recordOf(identity, content);
    const isChanged = CONTENT_COLUMNS.some((column) => before[column] !== after[column]);
    if (isChanged && before.ownerKey === after.ownerKey) await this.changeInSet(change, before, after, content);
    else if (isChanged) await this.rename(change, before, after, content);
    else await this.records.update(change.tx, after);
    if (isChanged)
      await this.journal.append(change, 'record.update', { before: snapshotOf(before), after: snapshotOf(after) });
    return after;
  }

  async remove(change: ZoneChange, record: RecordEntity): Promise<void> {
    await this.leave(change, record);
    change.countRecords(-1);
    await this.records.delete(change.tx, record);
    await this.journal.append(change, 'record.delete', { before: snapshotOf(record), after: null });
  }

  private async setsAt({ tx, zone }: ZoneChange, ownerKey: string): Promise<RecordSetsAtName> {
    return new RecordSetsAtName(await this.recordSets.atOwner(tx, zone.id, ownerKey));
  }

  private async changeInSet(
    change: ZoneChange,
    before: RecordEntity,
    after: RecordEntity,
    content: RecordContent,
  ): Promise<void> {
    const sets = await this.setsAt(change, before.ownerKey);
    await this.placement.assertAllowed(change, content, sets.without(before.type, octetsOf(before)));
    await this.assertGrowthAllowed(change, null);
    await this.records.update(change.tx, after);
    const set = sets.get(before.type);
    if (set !== undefined) await this.setWriter.replace(change.tx, set, before, after);
  }

  /** Takes the record out of its record set first, so that it does not stand in its own way where it belongs now. */
  private async rename(
    change: ZoneChange,
    before: RecordEntity,
    after: RecordEntity,
    content: RecordContent,
  ): Promise<void> {
    await this.leave(change, before);
    const existing = await this.setsAt(change, content.ownerKey);
    await this.placement.assertAllowed(change, content, existing);
    if (!existing.has(content.type)) change.countRecordSets(1);
    await this.assertGrowthAllowed(change, existing.recordCountOf(content.type) + 1);
    await this.records.update(change.tx, after);
    await this.setWriter.join(change.tx, existing.get(after.type), after, after.updatedAt ?? after.createdAt);
  }

  /** Takes a record out of its record set, and the set out of the zone when it was the last. */
  private async leave(change: ZoneChange, record: RecordEntity): Promise<void> {
    const set = (await this.setsAt(change, record.ownerKey)).get(record.type);
    if (set === undefined) return;
    if (set.recordCount === 1) change.countRecordSets(-1);
    await this.setWriter.leave(change.tx, set, record, change.nextInstant());
  }

  /** Limits stop growth only: what a change leaves as it was, or makes smaller, is not held against it. */
  private assertGrowthAllowed(change: ZoneChange, recordsetRecords: number | null): Promise<void> {
    const { tx, zone, recordCount, recordSetCount } = change;
    return this.limits.assertGrowthAllowed(tx, {
      tenantId: zone.tenantId,
      zoneRecords: recordCount > zone.recordCount ? recordCount : null,
      zoneRecordsets: recordSetCount > zone.recordSetCount ? recordSetCount : null,
      recordsetRecords,
    });
  }
}

/** What a caller can change of a record; whether any of it did decides if the serial moves. */
const CONTENT_COLUMNS = ['name', 'data', 'priority', 'ttl', 'description'] as const;

type Identity = Pick<RecordEntity, 'zoneId' | 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** Field by field: of an object that spreading gives so many fields V8 makes a dictionary, ten times as large. */
function recordOf(identity: Identity, content: RecordContent): RecordEntity {
  const { zoneId, id, version, createdAt, updatedAt } = identity;
  const { name, ownerKey, type, data, priority, ttl, description, fingerprint } = content;
  const rdata = Buffer.from(content.rdata).toString('hex');
  return {
    zoneId,
    id,
    name,
    ownerKey,
    type,
    data,
    priority,
    ttl,
    description,
    rdata,
    fingerprint,
    version,
    createdAt,
    updatedAt,
  };
}
