import { Injectable } from '@nestjs/common';
import { AbsoluteUrl } from '../absolute-url.js';
import type { ApiRequest } from '../request.js';
import { saysYes } from './interface.js';
import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';

export interface CollectionPage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** Entries on all pages; absent if the list does not count. */
  readonly total?: number;
}

/** Makes links for objects and lists, with the base URL of the request (behaviour 1.7). */
@Injectable()
export class V2Links {
  constructor(private readonly absoluteUrl: AbsoluteUrl) {}

  /** @param path begins with `/v2/` */
  self(request: ApiRequest, path: string): { self: string } {
    return { self: this.to(request, path) };
  }

  to(request: ApiRequest, path: string): string {
    return this.absoluteUrl.of(request, path);
  }

  /** `{"<field>": [...], "links": {"self", "next"?}, "metadata"?: {"total_count"}}` */
  collectionOf<Row extends { readonly id: string }>(
    field: string,
    { rows, hasNext, total }: CollectionPage<Row>,
    toDto: (row: Row) => object,
    request: ApiRequest,
  ): Record<string, unknown> {
    const last = hasNext ? rows.at(-1) : undefined;
    const links = { self: this.here(request, null), ...(last && { next: this.here(request, last.id) }) };
    const isCounted = total !== undefined && !saysYes(request.header('OpenStack-DNS-Hide-Counts'));
    return { [field]: rows.map(toDto), links, ...(isCounted ? { metadata: { total_count: total } } : {}) };
  }

  /** The request itself, or the page after `marker`. A request target may be a whole URL (RFC 9112 §3.2.2). */
  private here(request: ApiRequest, marker: string | null): string {
    const { originalUrl } = request;
    const path = originalUrl.startsWith('/') ? originalUrl : originalUrl.replace(/^[^/]*\/\/[^/]*/, '');
    if (marker === null) return this.absoluteUrl.of(request, path);
    const [pathname = '', ...query] = path.split('?');
    const parameters = new URLSearchParams(query.join('?'));
    parameters.set('marker', marker);
    return this.absoluteUrl.of(request, `${pathname}?${parameters.toString()}`);
  }
}

export class V2SelfLinkDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v2/zones/019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  self!: string;
}

class V2PageLinksDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v2/zones?limit=20', description: 'This page.' })
  self!: string;

  @ApiPropertyOptional({ description: 'The next page; absent on the last.' })
  next?: string;
}

export class V2CollectionDto {
  @ApiProperty({ type: V2PageLinksDto })
  links!: V2PageLinksDto;
}

class V2MetadataDto {
  @ApiProperty({ type: 'integer', example: 1, description: 'Entries on all pages.' })
  total_count!: number;
}

export class V2CountedCollectionDto extends V2CollectionDto {
  @ApiPropertyOptional({ type: V2MetadataDto, description: 'Not with `OpenStack-DNS-Hide-Counts: true`.' })
  metadata?: V2MetadataDto;
}
