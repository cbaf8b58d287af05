import { Injectable } from '@nestjs/common';
import { timeOrderedUuid } from '../common/uuid.js';
import type { DomainChange } from '../domains/domain-change.js';
import { JournalRepository } from '../domains/journal.repository.js';
import { OwnerSets } from './owner-sets.js';
import type { RecordContent } from './record-content.js';
import type { RecordEntity } from './record.entity.js';
import { RecordLimits } from './record-limits.js';
import { RecordPlacement } from './record-placement.js';
import { snapshotOf } from './record-snapshot.js';
import { RecordRepository } from './record.repository.js';
import { RecordsetRepository } from './recordset.repository.js';

/**
 * Adds, changes and removes records within a change of their domain. Every way of writing records, one by one or a
 * zone at a time, goes through here: placement, counters, limits and journal are the same for all.
 */
@Injectable()
export class RecordWriting {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordsets: RecordsetRepository,
    private readonly journal: JournalRepository,
    private readonly placement: RecordPlacement,
    private readonly limits: RecordLimits,
  ) {}

  /** @throws ServiceError for a place or a limit that refuses the record, and `duplicate_record` */
  async add(change: DomainChange, content: RecordContent): Promise<RecordEntity> {
    return this.addBeside(change, content, await this.setsAt(change, content.ownerKey));
  }

  /**
   * Adds a record unless it is there: then it returns the one that is.
   * @throws ServiceError as `add`
   */
  async addMissing(change: DomainChange, content: RecordContent): Promise<RecordEntity | null> {
    const beside = await this.setsAt(change, content.ownerKey);
    // The first of its set needs no search.
    const stored = beside.has(content.type)
      ? await this.records.findDuplicate(change.tx, change.domain.id, content)
      : undefined;
    if (stored !== undefined) return stored;
    await this.addBeside(change, content, beside);
    return null;
  }

  private async addBeside(change: DomainChange, content: RecordContent, beside: OwnerSets): Promise<RecordEntity> {
    await this.placement.assertAllowed(change, content, beside);
    change.countRecords(1);
    if (!beside.has(content.type)) change.countRecordsets(1);
    await this.assertRoom(change, beside.recordCountOf(content.type) + 1);
    const instant = change.nextInstant();
    const id = timeOrderedUuid(instant);
    const identity = { domainId: change.domain.id, id, version: 1, createdAt: instant, updatedAt: null };
    const record = recordOf(identity, content);
    // The last thing that can refuse it is the first that is written: then there is nothing to undo.
    await this.records.insert(change.tx, record);
    await this.join(change, content);
    await this.journal.append(change, 'record.create', null, snapshotOf(record));
    return record;
  }

  /**
   * Gives a record its new content. One that stays as it was counts as an update all the same, but the domain does
   * not change by it (behaviour 6.2).
   * @throws ServiceError as `add`
   */
  async change(change: DomainChange, before: RecordEntity, content: RecordContent): Promise<RecordEntity> {
    const { domainId, id, version, createdAt } = before;
    const identity = { domainId, id, version: version + 1, createdAt, updatedAt: change.nextInstant() };
    const after = recordOf(identity, content);
    const isChanged = CONTENT_COLUMNS.some((column) => before[column] !== after[column]);
    if (isChanged) await this.move(change, before, content);
    await this.records.update(change.tx, after);
    if (isChanged) await this.journal.append(change, 'record.update', snapshotOf(before), snapshotOf(after));
    return after;
  }

  async remove(change: DomainChange, record: RecordEntity): Promise<void> {
    await this.leave(change, record, await this.setsAt(change, record.ownerKey));
    change.countRecords(-1);
    await this.records.delete(change.tx, record);
    await this.journal.append(change, 'record.delete', snapshotOf(record), null);
  }

  private async setsAt({ tx, domain }: DomainChange, ownerKey: string): Promise<OwnerSets> {
    return new OwnerSets(await this.recordsets.atOwner(tx, domain.id, ownerKey));
  }

  /** Takes a changed record out of its record set first, so that it does not stand in its own way where it belongs now. */
  private async move(change: DomainChange, before: RecordEntity, content: RecordContent): Promise<void> {
    await this.leave(change, before, await this.setsAt(change, before.ownerKey));
    const beside = await this.setsAt(change, content.ownerKey);
    await this.placement.assertAllowed(change, content, beside);
    if (!beside.has(content.type)) change.countRecordsets(1);
    await this.join(change, content);
    const isRenamed = before.ownerKey !== content.ownerKey;
    await this.assertRoom(change, isRenamed ? beside.recordCountOf(content.type) + 1 : null);
  }

  /** Counts a record into its record set. */
  private async join(change: DomainChange, { ownerKey, type, rdata }: RecordContent): Promise<void> {
    await this.recordsets.grow(change.tx, {
      domainId: change.domain.id,
      ownerKey,
      type,
      records: 1,
      octets: rdata.length,
    });
  }

  /** Counts a record out of its record set, and the set out of the domain when it was the last. */
  private async leave(change: DomainChange, record: RecordEntity, sets: OwnerSets): Promise<void> {
    const share = { ...record, records: -1, octets: -octetsOf(record) };
    if (sets.recordCountOf(record.type) > 1) return this.recordsets.grow(change.tx, share);
    change.countRecordsets(-1);
    await this.recordsets.delete(change.tx, share);
  }

  /** Limits stop growth only: what a change leaves as it was, or makes smaller, is not held against it. */
  private assertRoom(change: DomainChange, recordsetRecords: number | null): Promise<void> {
    const { tx, domain, recordCount, recordsetCount } = change;
    return this.limits.assertRoomFor(tx, {
      tenantId: domain.tenantId,
      zoneRecords: recordCount > domain.recordCount ? recordCount : null,
      zoneRecordsets: recordsetCount > domain.recordsetCount ? recordsetCount : null,
      recordsetRecords,
    });
  }
}

/** What a caller can change of a record; whether any of it did decides if the serial moves. */
const CONTENT_COLUMNS = ['name', 'data', 'priority', 'ttl', 'description'] as const;

type Identity = Pick<RecordEntity, 'domainId' | 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** Field by field: of an object that spreading gives so many fields V8 makes a dictionary, ten times as large. */
function recordOf(identity: Identity, content: RecordContent): RecordEntity {
  const { domainId, id, version, createdAt, updatedAt } = identity;
  const { name, ownerKey, type, data, priority, ttl, description, fingerprint } = content;
  const rdata = Buffer.from(content.rdata).toString('hex');
  return {
    domainId,
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

function octetsOf(record: RecordEntity): number {
  return record.rdata.length / 2;
}
