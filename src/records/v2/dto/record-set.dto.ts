import { formatInstant } from '../../../common/clock.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { V2CountedCollectionDto, V2SelfLinkDto } from '../../../http/v2/links.dto.js';
import type { RecordSetView } from '../../record-set-view.js';
import { textOfValue } from '../../value-text.js';

const STATUSES = ['ACTIVE', 'PENDING', 'ERROR'] as const;
const ACTIONS = ['CREATE', 'UPDATE', 'DELETE', 'NONE'] as const;

/** What is under way with a record set (behaviour 13.3). */
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

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ enum: STATUSES, description: '`ACTIVE` once every name server has it.' })
  status!: StatusView['status'];

  @ApiProperty({ enum: ACTIONS })
  action!: StatusView['action'];

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows with each change of the set.' })
  version!: number;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiProperty({ type: String, nullable: true, example: null, description: '`null` until the set is changed.' })
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
    updated_at: set.updatedAt === null ? null : formatInstant(set.updatedAt),
    ...(set.isManaged ? { managed: true } : {}),
    links,
  };
}

/** What a GET says: a set that nothing has happened to since is still being made. */
export function statusOf({ status, version }: RecordSetView): StatusView {
  if (status === 'ACTIVE') return { status, action: 'NONE' };
  return { status, action: version === 1 ? 'CREATE' : 'UPDATE' };
}
