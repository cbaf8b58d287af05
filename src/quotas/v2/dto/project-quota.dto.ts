import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from '../../../http/bodies/class-validator.js';
import { MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { type Quota, type QuotaChange, UNLIMITED } from '../../quota.js';

const MAX_LIMIT = 2_147_483_647;

/** Names of Designate, without a wrapper. */
export class ProjectQuotaDto {
  @ApiProperty({ type: 'integer', example: 1000, description: 'Records in a zone export; -1: no limit.' })
  api_export_size!: number;

  @ApiProperty({ type: 'integer', example: 20, description: 'Records of one record set; -1: no limit.' })
  recordset_records!: number;

  @ApiProperty({ type: 'integer', example: 500, description: 'Records in a zone; -1: no limit.' })
  zone_records!: number;

  @ApiProperty({ type: 'integer', example: 500, description: 'Record sets in a zone; -1: no limit.' })
  zone_recordsets!: number;

  @ApiProperty({ type: 'integer', example: 10, description: 'Zones of the project; -1: no limit.' })
  zones!: number;
}

export class ProjectQuotaChangeDto {
  @Limit('Records in a zone export.')
  api_export_size?: number;

  @Limit('Records of one record set.')
  recordset_records?: number;

  @Limit('Records in a zone.')
  zone_records?: number;

  @Limit('Record sets in a zone.')
  zone_recordsets?: number;

  @Limit('Zones of the project.')
  zones?: number;
}

function Limit(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: UNLIMITED, maximum: MAX_LIMIT, description }),
    MayBeAbsent(),
    // class-validator reports the first check that fails: the type before the range.
    IsInt(),
    Min(UNLIMITED),
    Max(MAX_LIMIT),
  );
}

export function toProjectQuotaDto(quota: Quota): ProjectQuotaDto {
  const { apiExportSize, recordsetRecords, zoneRecords, zoneRecordsets, zones } = quota;
  return {
    api_export_size: apiExportSize,
    recordset_records: recordsetRecords,
    zone_records: zoneRecords,
    zone_recordsets: zoneRecordsets,
    zones,
  };
}

export function toQuotaChange(body: ProjectQuotaChangeDto): QuotaChange {
  return {
    apiExportSize: body.api_export_size,
    recordsetRecords: body.recordset_records,
    zoneRecords: body.zone_records,
    zoneRecordsets: body.zone_recordsets,
    zones: body.zones,
  };
}

/** Longest name of a zone or a record set, in octets (RFC 1035 §3.1). */
const MAX_NAME_LENGTH = 255;
const MAX_PAGE_LIMIT = 1000;

export class LimitsDto {
  @ApiProperty({ type: 'integer', example: 10, description: '-1: no limit, as of all quotas.' })
  max_zones!: number;

  @ApiProperty({ type: 'integer', example: 500 })
  max_zone_recordsets!: number;

  @ApiProperty({ type: 'integer', example: 500 })
  max_zone_records!: number;

  @ApiProperty({ type: 'integer', example: 20 })
  max_recordset_records!: number;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Seconds; for everybody but admins.' })
  min_ttl!: number | null;

  @ApiProperty({ type: 'integer', example: MAX_NAME_LENGTH })
  max_zone_name_length!: number;

  @ApiProperty({ type: 'integer', example: MAX_NAME_LENGTH })
  max_recordset_name_length!: number;

  @ApiProperty({ type: 'integer', example: MAX_PAGE_LIMIT })
  max_page_limit!: number;
}

export function toLimitsDto(quota: Quota, minTtl: number | null): LimitsDto {
  return {
    max_zones: quota.zones,
    max_zone_recordsets: quota.zoneRecordsets,
    max_zone_records: quota.zoneRecords,
    max_recordset_records: quota.recordsetRecords,
    min_ttl: minTtl,
    max_zone_name_length: MAX_NAME_LENGTH,
    max_recordset_name_length: MAX_NAME_LENGTH,
    max_page_limit: MAX_PAGE_LIMIT,
  };
}
