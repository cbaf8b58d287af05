import { formatInstant, type Instant } from '../../common/clock.js';
import { ApiProperty } from '../openapi/decorators.js';
import { V2SelfLinkDto } from './links.dto.js';

/** What all objects have that are made, changed and removed one at a time. */
export class V2ResourceDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  created_at!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  updated_at!: string | null;

  @ApiProperty({ type: V2SelfLinkDto })
  links!: V2SelfLinkDto;
}

/** The same as it is kept. */
export interface Resource {
  readonly id: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
}

export function toResourceDto({ id, createdAt, updatedAt }: Resource, links: V2SelfLinkDto): V2ResourceDto {
  return {
    id,
    created_at: formatInstant(createdAt),
    updated_at: updatedAt === null ? null : formatInstant(updatedAt),
    links,
  };
}
