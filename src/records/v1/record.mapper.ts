import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../http/openapi/decorators.js';
import { formatInstant, type Instant, formatInstantOrNull } from '../../common/clock.js';
import { shownIn } from '../../dns/rdata/fields-of.js';
import type { RecordTypes } from '../../dns/rdata/index.js';

/** A record with the ten fields of interface §2.1. */
export class RecordDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d' })
  id!: string;

  @ApiProperty({ example: 'www.example.org.', description: 'Owner name, as it was sent.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiNullableText({ example: null, description: '`null` until the record is updated.' })
  updated_at!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3600, description: 'Seconds; `null` when none was set.' })
  ttl!: number | null;

  @ApiProperty({ example: '192.0.2.3', description: 'The value, as it was sent.' })
  data!: string;

  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  domain_id!: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'MX and SRV only.' })
  priority!: number | null;

  @ApiNullableText({ example: null })
  description!: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description: 'When the service removes it, UTC; `null`: never. Only with the option `expiring_records`.',
  })
  expires_at?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { address: '192.0.2.3' },
    description:
      'With `fields=true`: the value field by field, as `GET /v1/record-types` describes it; `null` where its type is not known any more.',
  })
  fields?: Readonly<Record<string, unknown>> | null;
}

export interface RecordToShow {
  readonly id: string;
  readonly zoneId: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  readonly expiresAt?: Instant | null;
}

export type RecordMapper = (record: RecordToShow) => RecordDto;

/** Shows the expiry time only if records may expire (behaviour 14.5). */
export function recordMapper({ expiringRecords }: { readonly expiringRecords: boolean }): RecordMapper {
  return expiringRecords ? toExpiringRecordDto : toRecordDto;
}

/** Adds the data of the record as fields (behaviour 4.7). */
export function withFields(form: RecordMapper, types: RecordTypes): RecordMapper {
  return (record) => ({
    ...form(record),
    // Computed during serialization: the fields of 1,000 long records would hold the event loop for seconds.
    get fields() {
      return fieldsIn(record, types);
    },
  });
}

function fieldsIn({ type: name, data, priority }: RecordToShow, types: RecordTypes) {
  const type = types.byName(name);
  return type === undefined ? null : shownIn(type, data, priority);
}

function toExpiringRecordDto(record: RecordToShow): RecordDto {
  const { expiresAt = null } = record;
  return { ...toRecordDto(record), expires_at: formatInstantOrNull(expiresAt) };
}

export function toRecordDto(record: RecordToShow): RecordDto {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    created_at: formatInstant(record.createdAt),
    updated_at: formatInstantOrNull(record.updatedAt),
    ttl: record.ttl,
    data: record.data,
    domain_id: record.zoneId,
    priority: record.priority,
    description: record.description,
  };
}
