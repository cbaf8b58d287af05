import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { AbsoluteUrl } from '../absolute-url.js';
import { completeList, type JsonList, type ListSource } from './json-list.js';
import type { ListQueryDto } from './list-query.dto.js';
import type { ApiRequest } from '../request.js';

/** Answers list requests: the complete list, or one page with a link to the next (behaviour 6.4). */
@Injectable()
export class Paging {
  constructor(private readonly absoluteUrl: AbsoluteUrl) {}

  /** @throws ServiceError `invalid_object` for a marker that never was in the list */
  async answer<Entity extends { readonly id: string }>(
    field: string,
    source: ListSource<Entity>,
    { limit, marker = '' }: ListQueryDto,
    request: ApiRequest,
  ): Promise<JsonList> {
    if (marker !== '' && !(await source.knows(marker))) throw unknownMarker(marker);
    if (limit === undefined) return completeList(field, source, marker);
    const found = await source.page(marker, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page[page.length - 1] : undefined;
    return {
      [field]: page.map((entity) => source.toDto(entity)),
      links: {
        self: this.linkTo(request),
        ...(last === undefined ? {} : { next: this.linkTo(request, last.id) }),
      },
    };
  }

  /** A link to the same request, or to the page after `marker`. A request target may be a whole URL (RFC 9112 §3.2.2). */
  private linkTo(request: ApiRequest, marker?: string): string {
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
    if (marker !== undefined) searchParams.set('marker', marker);
    return this.absoluteUrl.of(request, `${pathname}?${searchParams.toString()}`);
  }
}

function unknownMarker(marker: string): ServiceError {
  const message = `The list has never had the id ${marker}; send the id of the last entry that it gave you.`;
  return ServiceError.ofField('invalid_object', 'marker', 'enum', message);
}
