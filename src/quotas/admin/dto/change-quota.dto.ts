import { ApiProperty } from '../../../http/openapi/decorators.js';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from '../../../http/bodies/class-validator.js';
import type { QuotaChange } from '../../quota.js';
import { Quantity } from '../../../http/bodies/quantity.decorator.js';

/** Any of the five limits. */
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
