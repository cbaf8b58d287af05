import { ApiProperty } from '../../../http/openapi/decorators.js';
import type { Quota, QuotaChange } from '../../quota.js';
import { Quantity } from '../../../http/bodies/field-decorators.js';

/** Names of the old client (behaviour 8.6). */
export class FlatQuotaDto {
  @ApiProperty({ example: 10 })
  domains!: number;

  @ApiProperty({ example: 500 })
  domain_recordsets!: number;

  @ApiProperty({ example: 500 })
  domain_records!: number;

  @ApiProperty({ example: 20 })
  recordset_records!: number;

  @ApiProperty({ example: 1000 })
  api_export_size!: number;
}

export class FlatQuotaChangeDto {
  @Quantity('Domains of the tenant.')
  domains?: number;

  @Quantity('Pairs of name and type in a domain.')
  domain_recordsets?: number;

  @Quantity('Records in a domain.')
  domain_records?: number;

  @Quantity('Records of one name and type.')
  recordset_records?: number;

  @Quantity('Records in a zone export through the API.')
  api_export_size?: number;
}

export function toFlatQuotaDto(quota: Quota): FlatQuotaDto {
  const { zones, zoneRecordsets, zoneRecords, recordsetRecords, apiExportSize } = quota;
  return {
    domains: zones,
    domain_recordsets: zoneRecordsets,
    domain_records: zoneRecords,
    recordset_records: recordsetRecords,
    api_export_size: apiExportSize,
  };
}

export function fromFlatQuota(body: FlatQuotaChangeDto): QuotaChange {
  return {
    zones: body.domains,
    zoneRecordsets: body.domain_recordsets,
    zoneRecords: body.domain_records,
    recordsetRecords: body.recordset_records,
    apiExportSize: body.api_export_size,
  };
}
