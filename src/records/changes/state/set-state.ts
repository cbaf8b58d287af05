import type { Instant } from '../../../common/clock.js';
import { timeOrderedUuid } from '../../../common/uuid.js';
import type { RecordSetEntity } from '../../record-set.entity.js';
import { octetsOf, type RecordEntity } from '../../record.entity.js';

/**
 * A record set in memory: its row, and the loaded records. Other records are known only by their count, and by their
 * smallest ttl if it can become the ttl of the set.
 */
export class SetState {
  row: RecordSetEntity | null;
  readonly members = new Map<string, RecordEntity>();
  /** Seconds, of records that are not members; `null`: no record has a ttl, or it cannot matter. */
  smallestOtherTtl: number | null;

  constructor(readonly stored: RecordSetEntity | null) {
    this.row = stored;
    this.smallestOtherTtl = stored?.ttl ?? null;
  }

  /** Whether it has records. Other rules ignore a set without records. */
  get exists(): boolean {
    return this.row !== null && this.row.recordCount > 0;
  }

  get isKept(): boolean {
    return this.exists || (this.row !== null && this.row.annotations !== null);
  }

  get recordCount(): number {
    return this.row?.recordCount ?? 0;
  }

  /** The row after adding `record`, which is already a member. */
  joinedBy(record: RecordEntity, at: Instant): RecordSetEntity {
    const { row } = this;
    if (row === null) return newSet(record, at);
    const ttl = row.recordCount === 0 ? record.ttl : smallestOf(row.ttl, record.ttl);
    return this.nextRow(row, at, 1, octetsOf(record), ttl);
  }

  /** The row after removing `record`, which is no longer a member. `zonewright check` finds missing rows. */
  leftBy(record: RecordEntity, at: Instant): RecordSetEntity | null {
    const { row } = this;
    return row && this.nextRow(row, at, -1, -octetsOf(record), this.ttlWithout(row, record));
  }

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
    const { zoneId, ownerKey, type, id, name, description, version, createdAt, serial, annotations, labels } = row;
    // Lists each field: spreading this number of fields costs V8 ten times as much.
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
      labels,
    };
  }

  /** Looks at other records only if `record` had the smallest ttl. */
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
    labels: null,
  };
}

function smallestOf(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
