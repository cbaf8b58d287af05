import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { Streams } from '../../common/streams.js';
import { AbsoluteUrl } from '../absolute-url.js';
import { type StreamList, streamList, type ListSource } from './stream-list.js';
import type { LinksDto } from './page-links.dto.js';
import type { ListQueryDto } from './list-query.dto.js';
import { searchClientOf } from '../search-client.js';
import type { ApiRequest } from '../request.js';

/** Answers list requests: the complete list, or one page with a link to the next (behaviour 6.4). */
@Injectable()
export class Paging {
  constructor(
    private readonly absoluteUrl: AbsoluteUrl,
    private readonly streams: Streams,
  ) {}

  /**
   * @throws ServiceError `invalid_object` for a marker that never was in the list; `unavailable` where it would be a stream,
   *   and there are as many as there may be
   */
  async answer<Entity extends { readonly id: string }>(
    field: string,
    source: ListSource<Entity>,
    { limit, marker = '' }: ListQueryDto,
    request: ApiRequest,
  ): Promise<StreamList> {
    if (marker !== '' && !(await source.knows(marker))) throw unknownMarker(marker);
    const links = (next: string | null): object => ({ links: this.markedLinks(request, next) });
    const fieldsBehind = limit === undefined ? () => ({}) : links;
    // Without a credential nobody asks for a list of ours; those of plugins count together.
    const begin = (): (() => void) => this.streams.take(request.caller?.tenantId ?? '');
    const searchClient = searchClientOf(request);
    return streamList({ field, source, marker, searchClient, limit: limit ?? null, fieldsBehind }, begin);
  }

  /**
   * The links of a page.
   * @param next the marker of the next page; `null`: there is none
   */
  markedLinks(request: ApiRequest, next: string | null): LinksDto {
    return this.links(request, next === null ? null : ['marker', next]);
  }

  /**
   * The links of a page that begins with the entry of a number.
   * @param next the number that the next page begins with; `null`: there is none
   */
  numberedLinks(request: ApiRequest, next: number | null): LinksDto {
    return this.links(request, next === null ? null : ['offset', String(next)]);
  }

  /** Links to the same request, and to another page. A request target may be a whole URL (RFC 9112 §3.2.2). */
  private links(request: ApiRequest, page: readonly [parameter: string, value: string] | null): LinksDto {
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
    const link = (): string => {
      const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
      return this.absoluteUrl.of(request, pathname + query);
    };
    const self = link();
    if (page === null) return { self };
    searchParams.set(...page);
    return { self, next: link() };
  }
}

function unknownMarker(marker: string): ServiceError {
  const message = `The list has never had the id ${marker}; send the id of the last entry that it gave you.`;
  return ServiceError.ofField('invalid_object', 'marker', 'enum', message);
}
