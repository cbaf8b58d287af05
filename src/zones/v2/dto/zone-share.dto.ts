import { IsTenantId } from '../../../auth/tenant-id.pipe.js';
import { formatInstant } from '../../../common/clock.js';
import { ApiProperty, ApiNullableText } from '../../../http/openapi/decorators.js';
import { V2CollectionDto, V2SelfLinkDto } from '../../../http/v2/collection.js';
import type { ZoneShare } from '../../sharing/zone-share.repository.js';

export class CreateZoneShareDto {
  @ApiProperty({ maxLength: 255, example: 'acme', description: 'The project that may put record sets into the zone.' })
  @IsTenantId()
  target_project_id!: string;
}

class ZoneShareLinksDto extends V2SelfLinkDto {
  @ApiProperty({ description: 'The zone.' })
  zone!: string;
}

export class ZoneShareDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  zone_id!: string;

  @ApiProperty({ description: 'The project that owns the zone.' })
  project_id!: string;

  @ApiProperty({ example: 'acme' })
  target_project_id!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  created_at!: string;

  @ApiNullableText({ example: null })
  updated_at!: string | null;

  @ApiProperty({ type: ZoneShareLinksDto })
  links!: ZoneShareLinksDto;
}

export class ZoneShareListDto extends V2CollectionDto {
  @ApiProperty({ type: [ZoneShareDto] })
  shared_zones!: ZoneShareDto[];
}

export function toZoneShareDto(share: ZoneShare, linkTo: (path: string) => string): ZoneShareDto {
  const { id, zoneId, tenantId, targetTenantId, createdAt } = share;
  const zone = `/v2/zones/${zoneId}`;
  return {
    id,
    zone_id: zoneId,
    project_id: tenantId,
    target_project_id: targetTenantId,
    created_at: formatInstant(createdAt),
    updated_at: null,
    links: { self: linkTo(`${zone}/shares/${id}`), zone: linkTo(zone) },
  };
}
