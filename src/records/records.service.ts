import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Page } from '../common/collection-query.js';
import { Reads } from '../database/reads.js';
import { JournalRepository } from '../zones/journal/journal.repository.js';
import { type ChangeHook, HookGuard } from '../zones/changes/change-hook.js';
import { ZoneRepository, type OwnedZone } from '../zones/zone.repository.js';
import { assertTtlAllowed } from '../zones/zone-fields.js';
import { RecordChanges } from './changes/record-changes.js';
import type { RecordContent, RecordUpdate } from './record-content.js';
import type { ChangeResult } from './changes/change-request.js';
import type { Expectation, RecordOperation } from './changes/record-operation.js';
import type { RecordEntity } from './record.entity.js';
import { noSuchRecord, type RecordSearch, RecordRepository, type RecordView } from './record.repository.js';
import { hookOfOne, refusalOfOne } from './changes/operation-list.js';
import { RecordsOptions } from './records.options.js';

/** Reads and changes records on behalf of a caller. Each change is one transaction with its journal entries. */
@Injectable()
export class RecordsService {
  /** @internal */
  constructor(
    private readonly changes: RecordChanges,
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly journal: JournalRepository,
    private readonly reads: Reads,
    private readonly guard: HookGuard,
    private readonly options: RecordsOptions,
  ) {}

  /** @throws ServiceError `zone_not_found`, `record_not_found` */
  async get(zoneId: string, id: string, caller: Caller): Promise<RecordView> {
    const record = await this.records.findShown(zoneId, id);
    if (record !== undefined && maySee(caller, record)) return record;
    await this.zones.findOwned(zoneId, caller);
    throw noSuchRecord();
  }

  /** Returns the zone of a record list, after the access check. */
  zoneOf(zoneId: string, caller: Caller): Promise<OwnedZone> {
    return this.zones.findOwned(zoneId, caller);
  }

  page(search: RecordSearch, marker: string, limit: number): Promise<Page<RecordView>> {
    return this.records.page(search, marker, limit);
  }

  /** Whether the zone has or had that record. */
  async knows(zoneId: string, id: string): Promise<boolean> {
    if ((await this.records.findShown(zoneId, id)) !== undefined) return true;
    return this.reads.run((tx) => this.journal.hasDeletedRecord(tx, zoneId, id));
  }

  async create(
    zoneId: string,
    content: RecordContent,
    caller: Caller,
    hook: ChangeHook<RecordEntity> | null = null,
  ): Promise<RecordEntity> {
    assertTtlAllowed(content.ttl, this.options.minTtl, caller);
    return this.apply(zoneId, { action: 'create', content }, caller, hook && this.guard.around(hook, caller));
  }

  /** Merges `fields` into the record, then checks the result as a new record (behaviour 6.2). */
  update(
    zoneId: string,
    id: string,
    fields: RecordUpdate,
    caller: Caller,
    expect?: Expectation,
  ): Promise<RecordEntity> {
    return this.apply(zoneId, { action: 'update', id, fields, ...(expect && { expect }) }, caller);
  }

  async delete(zoneId: string, id: string, caller: Caller, expect?: Expectation): Promise<void> {
    await this.apply(zoneId, { action: 'delete', id, ...(expect && { expect }) }, caller);
  }

  private async apply(
    zoneId: string,
    operation: RecordOperation,
    caller: Caller,
    hook: ChangeHook<RecordEntity> | null = null,
  ): Promise<RecordEntity> {
    try {
      const ofOne = hook && hookOfOne(hook, recordOf);
      return recordOf(await this.changes.apply(zoneId, caller, [operation], { hook: ofOne }));
    } catch (error) {
      throw refusalOfOne(error);
    }
  }
}

function recordOf({ operations: [done] }: ChangeResult): RecordEntity {
  if (done === undefined || !('record' in done)) throw new Error('an operation was passed over');
  return done.record;
}
