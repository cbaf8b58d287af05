import type { Instant } from '../../../common/clock.js';
import { timeOrderedUuid } from '../../../common/uuid.js';
import type { RecordSetEntity } from '../../record-set.entity.js';
import { octetsOf, type RecordEntity } from '../../record.entity.js';

/**
 * A record set in memory: its row, and those of its records that are concerned. The others are known by their number, and by
 * the smallest ttl among them where it can become the set's.
 */
export class SetState {
  /** As it is now. */
  row: RecordSetEntity | null;
  readonly members = new Map<string, RecordEntity>();
  /** Of the records that are no members, in seconds; `null`: none has one, or it cannot matter. */
  smallestOtherTtl: number | null;

  /** @param stored as the database has it; `null`: not at all */
  constructor(readonly stored: RecordSetEntity | null) {
    this.row = stored;
    this.smallestOtherTtl = stored?.ttl ?? null;
  }

  /** Whether it has records: one without is not there for others. */
  get exists(): boolean {
    return this.row !== null && this.row.recordCount > 0;
  }

  /** Whether it has something to be kept for, when nobody asks for it to be kept empty. */
  get isKept(): boolean {
    return this.exists || (this.row !== null && this.row.annotations !== null);
  }

  get recordCount(): number {
    return this.row?.recordCount ?? 0;
  }

  /** The row once `record`, which is a member, has come in. */
  joinedBy(record: RecordEntity, at: Instant): RecordSetEntity {
    const { row } = this;
    if (row === null) return newSet(record, at);
    const ttl = row.recordCount === 0 ? record.ttl : smallestOf(row.ttl, record.ttl);
    return this.nextRow(row, at, 1, octetsOf(record), ttl);
  }

  /** The row once `record`, which is no member any more, has gone; a row that is missing is for `zonewright check` to find. */
  leftBy(record: RecordEntity, at: Instant): RecordSetEntity | null {
    const { row } = this;
    return row && this.nextRow(row, at, -1, -octetsOf(record), this.ttlWithout(row, record));
  }

  /** The row once a member has its new form. */
  changedBy(before: RecordEntity, after: RecordEntity, at: Instant): RecordSetEntity | null {
    const { row } = this;
    if (row === null) return null;
    const ttl = smallestOf(this.ttlWithout(row, before), after.ttl);
    return this.nextRow(row, at, 0, octetsOf(after) - octetsOf(before), ttl);
  }

  private nextRow(
    row: RecordSetEntity,
    at: Instant,
    records: number,
    octets: number,
    ttl: number | null,
  ): RecordSetEntity {
    const { zoneId, ownerKey, type, id, name, description, version, createdAt, serial, annotations } = row;
    // Field by field: what is spread into an object of so many fields costs V8 ten times as much.
    return {
      zoneId,
      ownerKey,
      type,
      id,
      name,
      ttl,
      description,
      version: version + 1,
      createdAt,
      updatedAt: at,
      recordCount: row.recordCount + records,
      octets: row.octets + octets,
      serial,
      annotations,
    };
  }

  /** The others are looked at only when it was this record that had the smallest ttl. */
  private ttlWithout(row: RecordSetEntity, record: RecordEntity): number | null {
    if (record.ttl === null || record.ttl !== row.ttl) return row.ttl;
    let smallest = this.smallestOtherTtl;
    for (const { ttl } of this.members.values()) smallest = smallestOf(smallest, ttl);
    return smallest;
  }
}

function newSet(record: RecordEntity, at: Instant): RecordSetEntity {
  const { zoneId, ownerKey, type, name, ttl } = record;
  return {
    zoneId,
    ownerKey,
    type,
    id: timeOrderedUuid(at),
    name,
    ttl,
    description: null,
    version: 1,
    createdAt: at,
    updatedAt: null,
    recordCount: 1,
    octets: octetsOf(record),
    serial: null,
    annotations: null,
  };
}

function smallestOf(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
