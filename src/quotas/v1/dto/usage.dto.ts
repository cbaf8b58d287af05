import { OptionalIntegerParameter, OptionalText } from '../../../http/bodies/dto-fields.js';
import { ApiProperty } from '../../../http/openapi/decorators.js';
import { LinksDto } from '../../../http/lists/paging.js';
import type { TenantUse } from '../../../zones/zone-limits.js';
import type { LimitInUse, QuotaInUse } from '../../quotas.service.js';

export class UsageQueryDto {
  @OptionalText({ description: 'The id of a domain, to have its records counted.', format: 'uuid' })
  domain_id?: string;
}

class LimitInUseDto {
  @ApiProperty({ type: 'integer', nullable: true, example: 500, description: '`null`: no limit.' })
  limit!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 412, description: '`null`: not counted here.' })
  use!: number | null;
}

class LimitsInUseDto {
  @ApiProperty({ type: LimitInUseDto })
  zones!: LimitInUse;

  @ApiProperty({ type: LimitInUseDto, description: 'Records of a domain.' })
  zone_records!: LimitInUse;

  @ApiProperty({ type: LimitInUseDto, description: 'Record sets of a domain.' })
  zone_recordsets!: LimitInUse;

  @ApiProperty({ type: LimitInUseDto, description: 'Records of a record set.' })
  recordset_records!: LimitInUse;

  @ApiProperty({ type: LimitInUseDto, description: 'Records of a domain that is exported.' })
  api_export_size!: LimitInUse;
}

class DomainInUseDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'example.org.' })
  name!: string;
}

/** Behaviour 8.9. */
export class UsageDto {
  @ApiProperty({ example: 'acme', description: 'Whose limits these are.' })
  tenant_id!: string;

  @ApiProperty({ type: DomainInUseDto, nullable: true })
  domain!: DomainInUseDto | null;

  @ApiProperty({ type: LimitsInUseDto })
  quotas!: LimitsInUseDto;
}

export function toUsageDto({ tenantId, zone, limits }: QuotaInUse): UsageDto {
  return {
    tenant_id: tenantId,
    domain: zone === null ? null : { id: zone.id, name: zone.name },
    quotas: {
      zones: limits.zones,
      zone_records: limits.zoneRecords,
      zone_recordsets: limits.zoneRecordsets,
      recordset_records: limits.recordsetRecords,
      api_export_size: limits.apiExportSize,
    },
  };
}

const MAX_LIMIT = 1000;
export const DEFAULT_TENANTS = 100;

export class TenantsQueryDto {
  @OptionalIntegerParameter({ minimum: 1, maximum: MAX_LIMIT, description: `${DEFAULT_TENANTS} by default.` })
  limit?: number;

  @OptionalText({ description: 'The last tenant already seen.', example: 'acme' })
  marker?: string;

  @OptionalText({ description: 'Only tenants whose names begin with it, in the same letter case.', example: 'ac' })
  prefix?: string;
}

class TenantDto {
  @ApiProperty({ example: 'acme' })
  tenant_id!: string;

  @ApiProperty({ type: 'integer', example: 3 })
  domains!: number;
}

export class TenantListDto {
  @ApiProperty({ type: [TenantDto] })
  tenants!: TenantDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

export function toTenantDto({ tenantId, zones }: TenantUse): TenantDto {
  return { tenant_id: tenantId, domains: zones };
}
