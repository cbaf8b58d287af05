import { Injectable, type PipeTransform } from '@nestjs/common';
import { ServiceError } from '../../../common/service-error.js';
import { isSearch, toPageList } from '../../../http/lists/page-list.js';
import { ListRecordsQueryDto } from '../dto/list-records-query.dto.js';
import { RECORD_SORTS, type RecordListQuery } from '../../lists/record-lists.js';
import type { RecordFilter } from '../../record.repository.js';
import { RecordsOptions } from '../../records.options.js';
import { ownerKeyOf } from './owner-key.js';

/** What a list request asks for. */
export interface RecordListRequest {
  readonly page: ListRecordsQueryDto;
  readonly filter: RecordFilter;
  /** `null` where exact filters and markers do. */
  readonly search: RecordListQuery | null;
}

/** Reads the filters of a list. A name that is no owner name and an unknown type are refused (behaviour 6.4). */
@Injectable()
export class RecordFilterPipe implements PipeTransform<ListRecordsQueryDto, RecordListRequest> {
  constructor(private readonly options: RecordsOptions) {}

  transform(page: ListRecordsQueryDto): RecordListRequest {
    const { name, data = null, q = null } = page;
    const types = page.type?.split(',') ?? null;
    for (const type of types ?? []) this.assertKnown(type);
    const ownerKey = name === undefined ? null : ownerKeyOf(name);
    const filter = { ownerKey, type: page.type ?? null, data };
    if (!isSearch(page) && (types === null || types.length === 1)) return { page, filter, search: null };
    const list = toPageList(page, RECORD_SORTS, 'created');
    return { page, filter, search: { ...list, q, ownerKey, data, types: types && new Set(types) } };
  }

  /** @throws ServiceError `invalid_object` */
  private assertKnown(type: string): void {
    const { knownTypes } = this.options;
    if (knownTypes.byName(type) !== undefined) return;
    throw ServiceError.ofField('invalid_object', 'type', 'enum', `type: not one of ${knownTypes.names.join(', ')}.`);
  }
}
