import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from '../../../http/bodies/class-validator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { type Quota, type QuotaChange, UNLIMITED } from '../../quota.js';

/** Of what the database keeps. */
const MAX_LIMIT = 2_147_483_647;

/** The five limits, under the names of the contract and without a wrapper. */
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

/** Any of them. */
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
