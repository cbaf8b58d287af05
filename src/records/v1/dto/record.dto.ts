import { ApiProperty } from '../../../http/openapi/decorators.js';
import { formatInstant } from '../../../common/clock.js';
import { PageLinksDto } from '../../../http/lists/page-links.dto.js';
import type { ShownRecord } from '../../record.repository.js';

/** A record: the ten fields of interface §2.1. */
export class RecordDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d' })
  id!: string;

  @ApiProperty({ example: 'www.example.org.', description: 'Owner name, as it was sent.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiProperty({ type: String, nullable: true, example: null, description: '`null` until the record is updated.' })
  updated_at!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3600, description: 'Seconds; `null` when none was set.' })
  ttl!: number | null;

  @ApiProperty({ example: '192.0.2.3', description: 'The value, as it was sent.' })
  data!: string;

  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  domain_id!: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'MX and SRV only.' })
  priority!: number | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;
}

/** A record in a list has two more fields, unless `v1_strict_clients` is set (behaviour 6.6). */
export class ListedRecordDto extends RecordDto {
  @ApiProperty({ type: String, nullable: true, example: 'acme' })
  tenant_id!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows by one with each update.' })
  version!: number;
}

export class RecordListDto extends PageLinksDto {
  @ApiProperty({ type: [ListedRecordDto] })
  records!: ListedRecordDto[];
}

export function toRecordDto(record: ShownRecord): RecordDto {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    created_at: formatInstant(record.createdAt),
    updated_at: record.updatedAt === null ? null : formatInstant(record.updatedAt),
    ttl: record.ttl,
    data: record.data,
    domain_id: record.zoneId,
    priority: record.priority,
    description: record.description,
  };
}

/** Extends the object in place: a copy would cost more than the rest of what is done for a listed record. */
export function toListedRecordDto(record: ShownRecord, tenantId: string): ListedRecordDto {
  return Object.assign(toRecordDto(record), { tenant_id: tenantId, version: record.version });
}
