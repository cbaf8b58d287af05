import {
  NullableInteger,
  NullableText,
  OptionalLabels,
  ShownLabels,
  OptionalTexts,
  TextField,
} from '../../../http/bodies/dto-fields.js';
import type { Labels } from '../../../common/labels.js';
import { MAX_DESCRIPTION, MAX_TTL } from '../../../common/field-limits.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../http/openapi/decorators.js';
import { PartialType } from '../../../http/openapi/partial-type.js';
import { formatInstant, formatInstantOrNull } from '../../../common/clock.js';
import { V2CountedCollectionDto, V2SelfLinkDto } from '../../../http/v2/collection.js';
import { type RecordSetView, textOfValue } from '../../record-set-view.js';

export class CreateRecordSetDto {
  @TextField({ example: 'www.example.org.', description: 'Owner name, absolute: it ends with a dot.' })
  name!: string;

  @TextField({ example: 'A', description: 'Upper case.' })
  type!: string;

  @OptionalTexts({
    example: ['192.0.2.3'],
    description: 'The values, of MX and SRV with their priority first. A set without any is kept, and not served.',
  })
  records?: string[];

  @NullableInteger({ minimum: 0, maximum: MAX_TTL, example: 3600, description: 'Seconds; null: the ttl of the zone.' })
  ttl?: number | null;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: null })
  description?: string | null;

  @OptionalLabels('All labels of the set.')
  labels?: object;
}

/** Absent fields keep their values; name and type cannot change. */
export class UpdateRecordSetDto extends PartialType(CreateRecordSetDto) {}

const STATUSES = ['ACTIVE', 'PENDING', 'ERROR'] as const;
const ACTIONS = ['CREATE', 'UPDATE', 'DELETE', 'NONE'] as const;

/** Publication state of a record set (behaviour 13.3). */
export interface StatusView {
  readonly status: (typeof STATUSES)[number];
  readonly action: (typeof ACTIONS)[number];
}

export class RecordSetDto implements StatusView {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d' })
  id!: string;

  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  zone_id!: string;

  @ApiProperty({ example: 'example.org.' })
  zone_name!: string;

  @ApiProperty({
    example: 'acme',
    description: 'The project that made it: the owner of the zone, or one that the zone is shared with.',
  })
  project_id!: string;

  @ApiProperty({ example: 'www.example.org.', description: 'Owner name, as it was sent.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({ type: [String], example: ['192.0.2.3'], description: 'The values, as they were sent.' })
  records!: string[];

  @ApiProperty({ type: 'integer', nullable: true, example: 3600, description: 'Seconds; `null`: the ttl of the zone.' })
  ttl!: number | null;

  @ApiNullableText({ example: null })
  description!: string | null;

  @ShownLabels()
  labels?: Labels;

  @ApiProperty({ enum: STATUSES, description: '`ACTIVE` once every name server has it.' })
  status!: StatusView['status'];

  @ApiProperty({ enum: ACTIONS })
  action!: StatusView['action'];

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows with each change of the set.' })
  version!: number;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiNullableText({ example: null, description: '`null` until the set is changed.' })
  updated_at!: string | null;

  @ApiPropertyOptional({ enum: [true], description: 'Of SOA and NS of the apex, which the service makes itself.' })
  managed?: true;

  @ApiProperty({ type: V2SelfLinkDto })
  links!: V2SelfLinkDto;
}

export class RecordSetListDto extends V2CountedCollectionDto {
  @ApiProperty({ type: [RecordSetDto] })
  recordsets!: RecordSetDto[];
}

export function toRecordSetDto(set: RecordSetView, { status, action }: StatusView, links: V2SelfLinkDto): RecordSetDto {
  const { id, zoneId, zoneName, tenantId, name, type, values, ttl, description, version } = set;
  return {
    id,
    zone_id: zoneId,
    zone_name: zoneName,
    project_id: tenantId,
    name,
    type,
    records: values.map(textOfValue),
    ttl,
    description,
    status,
    action,
    version,
    created_at: formatInstant(set.createdAt),
    updated_at: formatInstantOrNull(set.updatedAt),
    ...(Object.keys(set.labels).length > 0 && { labels: set.labels }),
    ...(set.isManaged ? { managed: true } : {}),
    links,
  };
}

/** Status in a GET: a set without changes since its creation is still being created. */
export function statusOf({ status, version }: RecordSetView): StatusView {
  if (status === 'ACTIVE') return { status, action: 'NONE' };
  return { status, action: version === 1 ? 'CREATE' : 'UPDATE' };
}
