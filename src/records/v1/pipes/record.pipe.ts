import { type Instant, readInstant } from '../../../common/clock.js';
import { type FieldValidator, ServiceError } from '../../../common/service-error.js';
import { RecordsOptions } from '../../records.options.js';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { RecordTypes } from '../../../dns/rdata/index.js';
import { CreateRecordDto, type UpdateRecordDto } from '../dto/record-request.dto.js';
import { readNewRecord, type RecordContent, type RecordUpdate } from '../../record-content.js';
import { isSearch, toPageList } from '../../../http/lists/page-list.js';
import { ListRecordsQueryDto } from '../dto/record-list.dto.js';
import { RECORD_SORTS, type RecordBounds, type RecordListQuery } from '../../lists/record-lists.js';
import type { RecordFilter } from '../../record.repository.js';
import { ownerKeyOf } from '../query-parameters.mapper.js';

interface MaySayExpiry {
  readonly expires_at?: unknown;
}

/**
 * Converts `expires_at` of a body to the core form.
 * @throws ServiceError `invalid_object` for an invalid time, or any time without `expiring_records` (behaviour 14.5)
 */
export function recordFieldsOf<Said extends MaySayExpiry>(
  said: Said,
  { expiringRecords }: RecordsOptions,
): Said & { readonly expiresAt?: Instant | null } {
  const { expires_at } = said;
  if (expires_at === undefined) return said;
  if (!expiringRecords) throw fault('additionalProperties', 'expires_at is not a known field; leave it out.');
  return { ...said, expiresAt: expires_at === null ? null : readExpiry(expires_at) };
}

function readExpiry(value: unknown): Instant {
  const instant = typeof value === 'string' ? readInstant(value) : null;
  if (instant === null)
    throw fault('format', 'expires_at is a time such as 2026-11-20T08:30:00Z, or null for a record that stays.');
  if (instant > Number.MAX_SAFE_INTEGER) throw fault('maximum', 'expires_at is a time before the year 2255.');
  return instant;
}

function fault(validator: FieldValidator, message: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'expires_at', validator, message);
}

/** Reads type, name, data and priority of a new record by the rules of its type (behaviour 4 and 5). */
@Injectable()
export class RecordContentPipe implements PipeTransform<CreateRecordDto, RecordContent> {
  constructor(
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  transform(body: CreateRecordDto): RecordContent {
    return readNewRecord(this.types, recordFieldsOf(body, this.options));
  }
}

/** Reads an update. Its validity shows only after the merge with the record (behaviour 6.2). */
@Injectable()
export class RecordUpdatePipe implements PipeTransform<UpdateRecordDto, RecordUpdate> {
  constructor(private readonly options: RecordsOptions) {}

  transform(body: UpdateRecordDto): RecordUpdate {
    return recordFieldsOf(body, this.options);
  }
}

export interface RecordListRequest {
  readonly page: ListRecordsQueryDto;
  readonly filter: RecordFilter;
  /** `null` if exact filters and markers suffice. */
  readonly search: RecordListQuery | null;
}

/** `null` without any. */
function boundsOf({ ttl_above, ttl_below, updated_since }: ListRecordsQueryDto): RecordBounds | null {
  if (ttl_above === undefined && ttl_below === undefined && updated_since === undefined) return null;
  const updatedSince = updated_since === undefined ? null : readInstant(updated_since);
  return { ttlAbove: ttl_above ?? null, ttlBelow: ttl_below ?? null, updatedSince };
}

/** Reads list filters. Refuses invalid owner names and unknown types (behaviour 6.4). */
@Injectable()
export class RecordFilterPipe implements PipeTransform<ListRecordsQueryDto, RecordListRequest> {
  constructor(private readonly options: RecordsOptions) {}

  transform(page: ListRecordsQueryDto): RecordListRequest {
    const { name, data = null, q = null } = page;
    const types = page.type?.split(',') ?? null;
    for (const type of types ?? []) this.assertKnown(type);
    const ownerKey = name === undefined ? null : ownerKeyOf(name);
    const filter = { ownerKey, type: page.type ?? null, data };
    const bounds = boundsOf(page);
    if (!isSearch(page) && bounds === null && (types === null || types.length === 1))
      return { page, filter, search: null };
    const list = toPageList(page, RECORD_SORTS, 'created');
    return { page, filter, search: { ...list, q, ownerKey, data, types: types && new Set(types), bounds } };
  }

  private assertKnown(type: string): void {
    const { knownTypes } = this.options;
    if (knownTypes.byName(type) !== undefined) return;
    throw ServiceError.ofField('invalid_object', 'type', 'enum', `type: not one of ${knownTypes.names.join(', ')}.`);
  }
}
