import { formatInstant, formatInstantOrNull } from '../../../common/clock.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../http/openapi/decorators.js';
import { V2CountedCollectionDto, V2SelfLinkDto } from '../../../http/v2/collection.js';
import type { ZoneTaskEntity } from '../../tasks/zone-task.entity.js';
import type { CollectionRules } from '../../../http/v2/parameters.js';

export const TASK_LIST: CollectionRules = {
  filters: ['status', 'message', 'zone_id'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at' },
};

const STATUSES = ['PENDING', 'COMPLETE', 'ERROR'] as const;

class ZoneTaskDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ description: 'The project that has asked for it.' })
  project_id!: string;

  @ApiProperty({ enum: STATUSES, example: 'COMPLETE' })
  status!: string;

  @ApiNullableText({ description: 'The result, in words for people.' })
  message!: string | null;

  @ApiProperty({ type: 'integer', example: 2 })
  version!: number;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiNullableText({ example: '2026-11-20T08:30:00.456789' })
  updated_at!: string | null;
}

class ExportLinksDto extends V2SelfLinkDto {
  @ApiPropertyOptional({ description: 'The text, when it is complete.' })
  export?: string;
}

export class ZoneExportDto extends ZoneTaskDto {
  @ApiProperty({ format: 'uuid' })
  zone_id!: string;

  @ApiNullableText({ description: 'Where the text is, when it is complete.' })
  location!: string | null;

  @ApiProperty({ type: ExportLinksDto })
  links!: ExportLinksDto;
}

class ImportLinksDto extends V2SelfLinkDto {
  @ApiPropertyOptional({ description: 'The zone, when it is complete.' })
  zone?: string;
}

export class ZoneImportDto extends ZoneTaskDto {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: '`null` until it is complete.' })
  zone_id!: string | null;

  @ApiProperty({ type: ImportLinksDto })
  links!: ImportLinksDto;
}

export class ZoneExportListDto extends V2CountedCollectionDto {
  @ApiProperty({ type: [ZoneExportDto] })
  exports!: ZoneExportDto[];
}

export class ZoneImportListDto extends V2CountedCollectionDto {
  @ApiProperty({ type: [ZoneImportDto] })
  imports!: ZoneImportDto[];
}

type LinkTo = (path: string) => string;

export function pathOfExport(id: string): string {
  return `/v2/zones/tasks/exports/${id}`;
}

export function pathOfImport(id: string): string {
  return `/v2/zones/tasks/imports/${id}`;
}

export function toZoneExportDto(task: ZoneTaskEntity, linkTo: LinkTo): ZoneExportDto {
  const path = pathOfExport(task.id);
  const isComplete = task.status === 'COMPLETE';
  return {
    ...fieldsOf(task),
    // Each export has a zone.
    zone_id: task.zoneId ?? '',
    location: isComplete ? `designate:/${path}/export` : null,
    links: { self: linkTo(path), ...(isComplete ? { export: linkTo(`${path}/export`) } : {}) },
  };
}

export function toZoneImportDto(task: ZoneTaskEntity, linkTo: LinkTo): ZoneImportDto {
  const { id, zoneId } = task;
  return {
    ...fieldsOf(task),
    zone_id: zoneId,
    links: { self: linkTo(pathOfImport(id)), ...(zoneId === null ? {} : { zone: linkTo(`/v2/zones/${zoneId}`) }) },
  };
}

function fieldsOf({ id, tenantId, status, message, version, createdAt, updatedAt }: ZoneTaskEntity): ZoneTaskDto {
  return {
    id,
    project_id: tenantId,
    status,
    message,
    version,
    created_at: formatInstant(createdAt),
    updated_at: formatInstantOrNull(updatedAt),
  };
}
