import type { Response } from 'express';
import { formatInstant, type Instant, formatInstantOrNull } from '../../common/clock.js';
import { ApiProperty, ApiNullableText } from '../openapi/decorators.js';
import type { ApiRequest } from '../request.js';
import { type CollectionPage, type V2Links, V2SelfLinkDto } from './collection.js';

export interface Resource {
  readonly id: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
}

export class V2ResourceDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  created_at!: string;

  @ApiNullableText({ example: null })
  updated_at!: string | null;

  @ApiProperty({ type: V2SelfLinkDto })
  links!: V2SelfLinkDto;
}

export class ResourceAnswers<Row extends Resource, Fields extends object> {
  /** @param name path below `/v2/`, and name of the list @param fieldsOf fields apart from those of all resources */
  constructor(
    private readonly links: V2Links,
    private readonly name: string,
    private readonly fieldsOf: (row: Row) => Fields,
  ) {}

  one(row: Row, request: ApiRequest): Fields & V2ResourceDto {
    const links = this.links.self(request, `/v2/${this.name}/${row.id}`);
    return { ...this.fieldsOf(row), ...toResourceDto(row, links) };
  }

  /** Sets `Location` too. */
  created(row: Row, request: ApiRequest, response: Response): Fields & V2ResourceDto {
    const created = this.one(row, request);
    response.setHeader('Location', created.links.self);
    return created;
  }

  list({ rows, hasNext }: CollectionPage<Row>, request: ApiRequest): Record<string, unknown> {
    return this.links.collectionOf(this.name, { rows, hasNext }, (row) => this.one(row, request), request);
  }
}

function toResourceDto({ id, createdAt, updatedAt }: Resource, links: V2SelfLinkDto): V2ResourceDto {
  return {
    id,
    created_at: formatInstant(createdAt),
    updated_at: formatInstantOrNull(updatedAt),
    links,
  };
}
