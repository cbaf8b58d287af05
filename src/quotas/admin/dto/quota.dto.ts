import { ApiProperty } from '../../../http/openapi/decorators.js';
import type { Quota, QuotaChange } from '../../quota.js';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from '../../../http/bodies/class-validator.js';
import { Quantity } from '../../../http/bodies/field-decorators.js';

/** Interface §2.3. */
export class QuotaValuesDto {
  @ApiProperty({ example: 1000, description: 'Records in a zone export through the API.' })
  api_export_size!: number;

  @ApiProperty({ example: 20, description: 'Records of one name and type.' })
  recordset_records!: number;

  @ApiProperty({ example: 500, description: 'Records in a domain.' })
  zone_records!: number;

  @ApiProperty({ example: 500, description: 'Pairs of name and type in a domain.' })
  zone_recordsets!: number;

  @ApiProperty({ example: 10, description: 'Domains of the tenant.' })
  zones!: number;
}

export class QuotaDto {
  @ApiProperty({ type: QuotaValuesDto })
  quota!: QuotaValuesDto;
}

export function toQuotaDto(quota: Quota): QuotaDto {
  const { apiExportSize, recordsetRecords, zoneRecords, zoneRecordsets, zones } = quota;
  return {
    quota: {
      api_export_size: apiExportSize,
      recordset_records: recordsetRecords,
      zone_records: zoneRecords,
      zone_recordsets: zoneRecordsets,
      zones,
    },
  };
}

export class QuotaChangeDto {
  @Quantity('Records in a zone export through the API.')
  api_export_size?: number;

  @Quantity('Records of one name and type.')
  recordset_records?: number;

  @Quantity('Records in a domain.')
  zone_records?: number;

  @Quantity('Pairs of name and type in a domain.')
  zone_recordsets?: number;

  @Quantity('Domains of the tenant.')
  zones?: number;
}

export class ChangeQuotaDto {
  @ApiProperty({ type: QuotaChangeDto, example: { zones: 20 } })
  @ValidateNested()
  @Type(() => QuotaChangeDto)
  @IsObject()
  quota!: QuotaChangeDto;
}

export function toQuotaChange({ quota }: ChangeQuotaDto): QuotaChange {
  return {
    zones: quota.zones,
    zoneRecordsets: quota.zone_recordsets,
    zoneRecords: quota.zone_records,
    recordsetRecords: quota.recordset_records,
    apiExportSize: quota.api_export_size,
  };
}
