import { Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../http/request.js';
import { V2Links } from '../../http/v2/collection.js';
import type { RecordSetPage } from '../lists/record-set-lists.js';
import type { RecordSetView } from '../record-set-view.js';
import { type RecordSetDto, type StatusView, statusOf, toRecordSetDto } from './dto/record-set.dto.js';

/** Record sets as they are answered, with their links. */
@Injectable()
export class RecordSetAnswers {
  constructor(private readonly links: V2Links) {}

  show(set: RecordSetView, status: StatusView, request: ApiRequest): RecordSetDto {
    return toRecordSetDto(set, status, this.links.self(request, pathOf(set)));
  }

  /** As it stands. */
  showNow(set: RecordSetView, request: ApiRequest): RecordSetDto {
    return this.show(set, statusOf(set), request);
  }

  list({ sets, hasNext, total }: RecordSetPage, request: ApiRequest): object {
    // The URL of the service is the same for all of them.
    const base = this.links.to(request, '');
    const entries = sets.map((set) => toRecordSetDto(set, statusOf(set), { self: `${base}${pathOf(set)}` }));
    const next = hasNext ? (sets.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('recordsets', { entries, next, total }, request);
  }

  locationOf(set: Pick<RecordSetView, 'zoneId' | 'id'>, request: ApiRequest): string {
    return this.links.to(request, pathOf(set));
  }
}

function pathOf({ zoneId, id }: Pick<RecordSetView, 'zoneId' | 'id'>): string {
  return `/v2/zones/${zoneId}/recordsets/${id}`;
}
