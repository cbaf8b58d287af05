import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Page } from '../common/page.js';
import { ServiceError } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import { RecordTypes } from '../dns/rdata/index.js';
import { JournalRepository } from '../zones/journal.repository.js';
import { ZoneChanges } from '../zones/zone-changes.js';
import { ZoneRepository, type OwnedZone } from '../zones/zone.repository.js';
import { assertTtlAllowed } from '../zones/minimum-ttl.js';
import { readRecordContent, type RecordContent, type RecordFields, type RecordUpdate } from './record-content.js';
import type { RecordEntity } from './record.entity.js';
import { RecordWriter } from './record-writer.js';
import { noSuchRecord, type RecordFilter, RecordRepository, type ShownRecord } from './record.repository.js';
import { RecordsOptions } from './records.options.js';

@Injectable()
export class RecordsService {
  constructor(
    private readonly changes: ZoneChanges,
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly writing: RecordWriter,
    private readonly journal: JournalRepository,
    private readonly reads: Reads,
    private readonly types: RecordTypes,
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
    return this.changes.in(zoneId, caller, (change) => this.writing.add(change, content));
  }

  /** Merges `body` into the record; the whole of it then passes the rules of a new one (behaviour 6.2). */
  update(zoneId: string, id: string, body: RecordUpdate, caller: Caller): Promise<RecordEntity> {
    return this.changes.in(zoneId, caller, async (change) => {
      const before = await this.records.findForChange(change.tx, zoneId, id);
      assertSameType(before, body.type);
      const content = readRecordContent(this.types, merge(before, body));
      assertTtlAllowed(content.ttl, this.options.minTtl, caller);
      return this.writing.change(change, before, content);
    });
  }

  delete(zoneId: string, id: string, caller: Caller): Promise<void> {
    return this.changes.in(zoneId, caller, async (change) => {
      const record = await this.records.findForChange(change.tx, zoneId, id);
      await this.writing.remove(change, record);
    });
  }
}

/** Every field that was said replaces what is stored, null included; no field is derived from another. */
function merge(before: RecordEntity, body: RecordUpdate): RecordFields {
  const { name, type, data, priority, ttl, description } = before;
  const stored = { name, type, data, priority, ttl, description };
  const said = Object.entries(body).filter(([field, value]) => field in stored && value !== undefined);
  return { ...stored, ...Object.fromEntries(said) };
}

function assertSameType(record: RecordEntity, type: string | undefined): void {
  if (type === undefined || type === record.type) return;
  throw ServiceError.ofField(
    'change_not_allowed',
    'type',
    'enum',
    `The type of a record cannot change; create a new record and delete this ${record.type}.`,
  );
}
