import { Injectable, type PipeTransform } from '@nestjs/common';
import { readInstant } from '../../../common/clock.js';
import { readField, ServiceError } from '../../../common/service-error.js';
import { NameError } from '../../../dns/name.js';
import { parseZoneName, parseOwnerName } from '../../../dns/owner-name.js';
import { RecordsOptions } from '../../../records/records.options.js';
import type { HistoryRequest } from '../../history.service.js';
import { DEFAULT_LIMIT, type HistoryOfNameQueryDto, type HistoryQueryDto } from '../dto/history.dto.js';

/** Reads the filters and paging of a history. Refuses invalid owner names and unknown types (behaviour 11.1). */
@Injectable()
export class HistoryRequestPipe implements PipeTransform<HistoryQueryDto, HistoryRequest> {
  constructor(private readonly options: RecordsOptions) {}

  transform({ limit = DEFAULT_LIMIT, marker, name, type, since }: HistoryQueryDto): HistoryRequest {
    const { knownTypes } = this.options;
    if (type !== undefined && knownTypes.byName(type) === undefined)
      throw ServiceError.ofField('invalid_object', 'type', 'enum', `type: not one of ${knownTypes.names.join(', ')}.`);
    if (name !== undefined) readField('name', NameError, () => parseOwnerName(name));
    return {
      limit,
      marker: marker ?? null,
      name: name?.toLowerCase() ?? null,
      type: type ?? null,
      since: since === undefined ? null : readInstant(since),
    };
  }
}

export interface HistoryOfNameRequest extends HistoryRequest {
  readonly domain: string;
}

@Injectable()
export class HistoryOfNameRequestPipe implements PipeTransform<HistoryOfNameQueryDto, HistoryOfNameRequest> {
  constructor(private readonly requests: HistoryRequestPipe) {}

  transform(query: HistoryOfNameQueryDto): HistoryOfNameRequest {
    const { domain } = query;
    readField('domain', NameError, () => parseZoneName(domain));
    return { ...this.requests.transform(query), domain };
  }
}
