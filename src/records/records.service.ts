import { Inject, Injectable } from '@nestjs/common';
import { type Caller, maySee } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { RecordTypes } from '../dns/rdata/index.js';
import { DomainChanges } from '../domains/domain-changes.js';
import { DomainRepository, type OwnedDomain } from '../domains/domain.repository.js';
import { assertTtlAllowed } from '../domains/minimum-ttl.js';
import type { UpdateRecordDto } from './dto/update-record.dto.js';
import { readRecordContent, type RecordContent, type RecordFields } from './record-content.js';
import type { RecordEntity } from './record.entity.js';
import { RecordWriting } from './record-writing.js';
import { noSuchRecord, type RecordFilter, RecordRepository, type ShownRecord } from './record.repository.js';
import { RECORDS_OPTIONS, type RecordsOptions } from './records.options.js';

@Injectable()
export class RecordsService {
  constructor(
    private readonly changes: DomainChanges,
    private readonly domains: DomainRepository,
    private readonly records: RecordRepository,
    private readonly writing: RecordWriting,
    private readonly types: RecordTypes,
    @Inject(RECORDS_OPTIONS) private readonly options: RecordsOptions,
  ) {}

  /** @throws ServiceError `domain_not_found`, `record_not_found` */
  async get(domainId: string, id: string, caller: Caller): Promise<ShownRecord> {
    const record = await this.records.findShown(domainId, id);
    if (record !== undefined && maySee(caller, record)) return record;
    await this.domains.findOwned(domainId, caller);
    throw noSuchRecord();
  }

  /** The domain to list, once it is known that the caller may. */
  domainOf(domainId: string, caller: Caller): Promise<OwnedDomain> {
    return this.domains.findOwned(domainId, caller);
  }

  page(domainId: string, filter: RecordFilter, marker: string, limit: number): Promise<ShownRecord[]> {
    return this.records.page(domainId, filter, marker, limit);
  }

  async create(domainId: string, content: RecordContent, caller: Caller): Promise<RecordEntity> {
    assertTtlAllowed(content.ttl, this.options.minTtl, caller);
    return this.changes.in(domainId, caller, (change) => this.writing.add(change, content));
  }

  /** Merges `body` into the record; the whole of it then passes the rules of a new one (behaviour 6.2). */
  update(domainId: string, id: string, body: UpdateRecordDto, caller: Caller): Promise<RecordEntity> {
    return this.changes.in(domainId, caller, async (change) => {
      const before = await this.records.findForChange(change.tx, domainId, id);
      assertSameType(before, body.type);
      const content = readRecordContent(this.types, merge(before, body));
      assertTtlAllowed(content.ttl, this.options.minTtl, caller);
      return this.writing.change(change, before, content);
    });
  }

  delete(domainId: string, id: string, caller: Caller): Promise<void> {
    return this.changes.in(domainId, caller, async (change) => {
      const record = await this.records.findForChange(change.tx, domainId, id);
      await this.writing.remove(change, record);
    });
  }
}

/** Every field that was said replaces what is stored, null included; no field is derived from another. */
function merge(before: RecordEntity, body: UpdateRecordDto): RecordFields {
  const { name, type, data, priority, ttl, description } = before;
  const stored = { name, type, data, priority, ttl, description };
  const said = Object.entries(body).filter(([field, value]) => field in stored && value !== undefined);
  return { ...stored, ...Object.fromEntries(said) };
}

function assertSameType(record: RecordEntity, type: string | undefined): void {
  if (type === undefined || type === record.type) return;
  throw ServiceError.ofField(
    'bad_request',
    'type',
    'enum',
    `The type of a record cannot change; create a new record and delete this ${record.type}.`,
  );
}
