import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Page } from '../common/page.js';
import { Reads } from '../database/reads.js';
import { JournalRepository } from '../zones/journal.repository.js';
import { ZoneRepository, type OwnedZone } from '../zones/zone.repository.js';
import { assertTtlAllowed } from '../zones/minimum-ttl.js';
import { OperationsRefused } from './operation-list.js';
import { RecordChanges } from './record-changes.js';
import type { RecordContent, RecordUpdate } from './record-content.js';
import type { RecordOperation } from './record-operation.js';
import type { RecordEntity } from './record.entity.js';
import { noSuchRecord, type RecordFilter, RecordRepository, type ShownRecord } from './record.repository.js';
import { RecordsOptions } from './records.options.js';

@Injectable()
export class RecordsService {
  constructor(
    private readonly changes: RecordChanges,
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly journal: JournalRepository,
    private readonly reads: Reads,
    private readonly options: RecordsOptions,
  ) {}

  /** @throws ServiceError `zone_not_found`, `record_not_found` */
  async get(zoneId: string, id: string, caller: Caller): Promise<ShownRecord> {
    const record = await this.records.findShown(zoneId, id);
    if (record !== undefined && maySee(caller, record)) return record;
    await this.zones.findOwned(zoneId, caller);
    throw noSuchRecord();
  }

  /** The zone to list, once it is known that the caller may. */
  domainOf(zoneId: string, caller: Caller): Promise<OwnedZone> {
    return this.zones.findOwned(zoneId, caller);
  }

  page(zoneId: string, filter: RecordFilter, marker: string, limit: number): Promise<Page<ShownRecord>> {
    return this.records.page(zoneId, filter, marker, limit);
  }

  /** Whether the zone has that record, or had it before it was deleted. */
  async knows(zoneId: string, id: string): Promise<boolean> {
    if ((await this.records.findShown(zoneId, id)) !== undefined) return true;
    return this.reads.run((tx) => this.journal.hasDeletedRecord(tx, zoneId, id));
  }

  async create(zoneId: string, content: RecordContent, caller: Caller): Promise<RecordEntity> {
    assertTtlAllowed(content.ttl, this.options.minTtl, caller);
    return this.apply(zoneId, { action: 'create', content }, caller);
  }

  /** Merges `fields` into the record; the whole of it then passes the rules of a new one (behaviour 6.2). */
  update(zoneId: string, id: string, fields: RecordUpdate, caller: Caller): Promise<RecordEntity> {
    return this.apply(zoneId, { action: 'update', id, fields }, caller);
  }

  async delete(zoneId: string, id: string, caller: Caller): Promise<void> {
    await this.apply(zoneId, { action: 'delete', id }, caller);
  }

  /** One operation: the record that it made or changed, or that was, and what alone it is refused for. */
  private async apply(
    zoneId: string,
    operation: Exclude<RecordOperation, { action: 'replace' }>,
    caller: Caller,
  ): Promise<RecordEntity> {
    const { operations } = await this.changes.apply(zoneId, caller, [operation]).catch((error: unknown) => {
      throw error instanceof OperationsRefused ? (error.faults[0]?.error ?? error) : error;
    });
    const [done] = operations;
    if (done === undefined || !('record' in done)) throw new Error('an operation was passed over');
    return done.record;
  }
}
