import { ApiProperty } from '../../../http/openapi/decorators.js';
import { formatInstant } from '../../../common/clock.js';
import { PageLinksDto } from '../../../http/lists/page-links.dto.js';
import type { ZoneEntity } from '../../zone.entity.js';

export class DomainDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ example: 'example.org.', description: 'Absolute, as it was sent.' })
  name!: string;

  @ApiProperty({
    example: 'hostmaster@example.org',
    description: 'The mailbox of its administrator, for the SOA record.',
  })
  email!: string;

  @ApiProperty({
    type: 'integer',
    example: 3600,
    description: 'Seconds; for record sets that have no ttl of their own.',
  })
  ttl!: number;

  @ApiProperty({
    type: 'integer',
    example: 1763600000,
    description: 'Of the SOA record; every accepted change raises it.',
  })
  serial!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiProperty({ type: String, nullable: true, example: null, description: '`null` until the domain is updated.' })
  updated_at!: string | null;
}

export class DomainListDto extends PageLinksDto {
  @ApiProperty({ type: [DomainDto] })
  domains!: DomainDto[];
}

export function toDomainDto(domain: ZoneEntity): DomainDto {
  const { id, name, email, ttl, serial, description, createdAt, updatedAt } = domain;
  return {
    id,
    name,
    email,
    ttl,
    serial,
    description,
    created_at: formatInstant(createdAt),
    updated_at: updatedAt === null ? null : formatInstant(updatedAt),
  };
}
