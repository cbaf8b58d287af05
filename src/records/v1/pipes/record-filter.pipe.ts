import { Injectable, type PipeTransform } from '@nestjs/common';
import { ServiceError } from '../../../common/service-error.js';
import { ListRecordsQueryDto } from '../dto/list-records-query.dto.js';
import type { RecordFilter } from '../../record.repository.js';
import { RecordsOptions } from '../../records.options.js';
import { ownerKeyOf } from './owner-key.js';

/** What a list request asks for. */
export interface RecordListRequest {
  readonly page: ListRecordsQueryDto;
  readonly filter: RecordFilter;
}

/** Reads the filters of a list. A name that is no owner name and an unknown type are refused (behaviour 6.4). */
@Injectable()
export class RecordFilterPipe implements PipeTransform<ListRecordsQueryDto, RecordListRequest> {
  constructor(private readonly options: RecordsOptions) {}

  transform(page: ListRecordsQueryDto): RecordListRequest {
    const { name, type = null, data = null } = page;
    const { knownTypes } = this.options;
    if (type !== null && knownTypes.byName(type) === undefined)
      throw ServiceError.ofField('invalid_object', 'type', 'enum', `type: not one of ${knownTypes.names.join(', ')}.`);
    return { page, filter: { ownerKey: name === undefined ? null : ownerKeyOf(name), type, data } };
  }
}
