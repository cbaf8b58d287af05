import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { IntegerParameter } from '../../../http/lists/integer-parameter.decorator.js';
import { LinksDto } from '../../../http/lists/page-links.dto.js';
import type { TenantUse } from '../../../zones/zone-limits.js';
import type { LimitInUse, QuotaInUse } from '../../use.service.js';

export class UsageQueryDto {
  @ApiPropertyOptional({ description: 'The id of a domain, to have its records counted.', format: 'uuid' })
  @MayBeAbsent()
  @IsText()
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

/** What a tenant has beside what it may have (behaviour 8.9). */
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
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `${DEFAULT_TENANTS} by default.`,
  })
  @MayBeAbsent()
  @IntegerParameter(1, MAX_LIMIT)
  limit?: number;

  @ApiPropertyOptional({ description: 'The last tenant already seen.', example: 'acme' })
  @MayBeAbsent()
  @IsText()
  marker?: string;
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
