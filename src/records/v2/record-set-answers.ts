import { Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../http/request.js';
import { V2Links } from '../../http/v2/collection.js';
import type { RecordSetPage } from '../lists/record-set-lists.js';
import type { RecordSetView } from '../record-set-view.js';
import { type RecordSetDto, type StatusView, statusOf, toRecordSetDto } from './dto/record-set.dto.js';
import { ServiceError } from '../../common/service-error.js';

@Injectable()
export class RecordSetAnswers {
  constructor(private readonly links: V2Links) {}

  show(set: RecordSetView, status: StatusView, request: ApiRequest): RecordSetDto {
    return toRecordSetDto(set, status, this.links.self(request, pathOf(set)));
  }

  showNow(set: RecordSetView, request: ApiRequest): RecordSetDto {
    return this.show(set, statusOf(set), request);
  }

  list({ sets, hasNext, total }: RecordSetPage, request: ApiRequest): object {
    // All entries share the service URL.
    const base = this.links.to(request, '');
    const toDto = (set: RecordSetView): RecordSetDto =>
      toRecordSetDto(set, statusOf(set), { self: `${base}${pathOf(set)}` });
    return this.links.collectionOf('recordsets', { rows: sets, hasNext, total }, toDto, request);
  }

  locationOf(set: Pick<RecordSetView, 'zoneId' | 'id'>, request: ApiRequest): string {
    return this.links.to(request, pathOf(set));
  }
}

function pathOf({ zoneId, id }: Pick<RecordSetView, 'zoneId' | 'id'>): string {
  return `/v2/zones/${zoneId}/recordsets/${id}`;
}

/** Translates record errors into the terms of their set. */
export function inWordsOfRecordSets(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'duplicate_record')
    return ServiceError.ofField('duplicate_record_set', 'records', 'enum', error.message);
  if (!error.errors.some(({ path }) => OF_RECORDS.has(path))) return error;
  const errors = error.errors.map((one) => (OF_RECORDS.has(one.path) ? { ...one, path: 'records' } : one));
  return error.withErrors(errors);
}

const OF_RECORDS = new Set(['data', 'priority']);
