import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { timeOrderedUuid } from '../common/uuid.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSetEntity } from './record-set.entity.js';
import { RecordSetRepository } from './record-set.repository.js';
import { octetsOf, type RecordEntity } from './record.entity.js';
import { RecordRepository } from './record.repository.js';

/** Keeps a record set what its records make it: their number, their octets, and the ttl that they are served with. */
@Injectable()
export class RecordSetWriter {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
  ) {}

  /** Takes in a record, which is stored already; `set` is `undefined` for the first of its set. */
  async join(tx: Transaction, set: RecordSetEntity | undefined, record: RecordEntity, at: Instant): Promise<void> {
    if (set === undefined) return this.recordSets.insert(tx, setOf(record, at));
    const ttl = smallestOf(set.ttl, record.ttl);
    const recordCount = set.recordCount + 1;
    await this.update(tx, { ...set, ttl, recordCount, octets: set.octets + octetsOf(record) }, at);
  }

  /** Takes the new form of a record of the set, which is stored already. */
  async replace(tx: Transaction, set: RecordSetEntity, before: RecordEntity, after: RecordEntity): Promise<void> {
    const ttl = smallestOf(await this.ttlWithout(tx, set, before), after.ttl);
    const octets = set.octets - octetsOf(before) + octetsOf(after);
    await this.update(tx, { ...set, ttl, octets }, after.updatedAt ?? after.createdAt);
  }

  /** Lets go of a record, which may still be stored; the set goes with its last one. */
  async leave(tx: Transaction, set: RecordSetEntity, record: RecordEntity, at: Instant): Promise<void> {
    if (set.recordCount === 1) return this.recordSets.delete(tx, set);
    const ttl = await this.ttlWithout(tx, set, record);
    const recordCount = set.recordCount - 1;
    await this.update(tx, { ...set, ttl, recordCount, octets: set.octets - octetsOf(record) }, at);
  }

  private update(tx: Transaction, set: RecordSetEntity, at: Instant): Promise<void> {
    return this.recordSets.update(tx, { ...set, version: set.version + 1, updatedAt: at });
  }

  /** The other records are looked at only when it was this one that had the smallest ttl. */
  private ttlWithout(tx: Transaction, set: RecordSetEntity, record: RecordEntity): Promise<number | null> {
    if (record.ttl === null || record.ttl !== set.ttl) return Promise.resolve(set.ttl);
    return this.records.smallestTtl(tx, record);
  }
}

function setOf(record: RecordEntity, at: Instant): RecordSetEntity {
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
  };
}

function smallestOf(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
