import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { Streams } from '../../common/streams.js';
import { AbsoluteUrl } from '../absolute-url.js';
import { type StreamList, streamList, type ListSource } from './stream-list.js';
import { searchClientOf } from '../request-lifetime.js';
import type { ApiRequest } from '../request.js';
import { ApiPropertyOptional, ApiProperty } from '../openapi/decorators.js';
import { Transform } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from '../bodies/class-validator.js';
import { CanonicalUuid, MayBeAbsent } from '../bodies/field-decorators.js';

/** Answers list requests: the complete list, or one page with a link to the next (behaviour 6.4). */
@Injectable()
export class Paging {
  constructor(
    private readonly absoluteUrl: AbsoluteUrl,
    private readonly streams: Streams,
  ) {}

  /** @throws ServiceError `invalid_object` for an unknown marker, `unavailable` above the limit of streams */
  async answer<Entity extends { readonly id: string }>(
    field: string,
    source: ListSource<Entity>,
    { limit, marker = '' }: ListQueryDto,
    request: ApiRequest,
  ): Promise<StreamList> {
    if (marker !== '' && !(await source.knows(marker))) throw unknownMarker(marker);
    const links = (next: string | null): object => ({ links: this.markedLinks(request, next) });
    const fieldsBehind = limit === undefined ? () => ({}) : links;
    // Only plugins have public lists. All of them share one limit.
    const begin = (): (() => void) => this.streams.take(request.caller?.tenantId ?? '');
    const searchClient = searchClientOf(request);
    return streamList({ field, source, marker, searchClient, limit: limit ?? null, fieldsBehind }, begin);
  }

  /** @param next marker of the next page; `null` on the last page */
  markedLinks(request: ApiRequest, next: string | null): LinksDto {
    return this.links(request, next === null ? null : ['marker', next]);
  }

  /** @param next offset of the next page; `null` on the last page */
  numberedLinks(request: ApiRequest, next: number | null): LinksDto {
    return this.links(request, next === null ? null : ['offset', String(next)]);
  }

  /** Links to this page and another one. A request target may be a whole URL (RFC 9112 §3.2.2). */
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

const MAX_LIMIT = 1000;
const DIGITS = /^(?:0|[1-9][0-9]{0,8})$/;

/** Paging parameters of a list (behaviour 6.4). Without `limit` the list is complete. */
export class ListQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: 'The highest number of entries; `links.next` leads to more.',
  })
  @MayBeAbsent()
  @Max(MAX_LIMIT)
  @Min(1)
  @IsInt()
  @Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value))
  limit?: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'The id of the last entry already seen.' })
  @MayBeAbsent()
  @IsUUID()
  @CanonicalUuid()
  marker?: string;
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && DIGITS.test(value);
}

export class LinksDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v1/domains?limit=20', description: 'This page.' })
  self!: string;

  @ApiPropertyOptional({ description: 'The next page; absent on the last.' })
  next?: string;
}

/** Present if the request has `limit` (behaviour 6.4). */
export class PageLinksDto {
  @ApiPropertyOptional({ type: LinksDto, description: 'Only with `limit`.' })
  links?: LinksDto;
}
