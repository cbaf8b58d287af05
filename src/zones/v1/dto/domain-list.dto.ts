import { isAdmin } from '../../../auth/policy.js';
import type { Caller } from '../../../common/caller.js';
import { formatInstant } from '../../../common/clock.js';
import { PageLinksDto } from '../../../http/lists/page-links.dto.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { DomainDto, toDomainDto } from '../domain.mapper.js';
import type { PublicationStatus } from '../../zone-publication.js';
import { SIGNING_STATES, type ZoneView } from '../../lists/zone-views.js';

const PUBLICATIONS = { ACTIVE: 'published', PENDING: 'pending', ERROR: 'failed' } as const satisfies Record<
  PublicationStatus,
  string
>;
type PublicationWord = (typeof PUBLICATIONS)[PublicationStatus];

/** A domain in a list, with what `details=true` adds. */
export class ListedDomainDto extends DomainDto {
  @ApiPropertyOptional({ type: 'integer', example: 412, description: 'Only with `details=true`.' })
  record_count?: number;

  @ApiPropertyOptional({
    enum: Object.values(PUBLICATIONS),
    example: 'published',
    description:
      'Only with `details=true`: `published`: every name server has the serial; `pending`: not all of them; `failed`: one refuses it, or its masters do.',
  })
  publication?: PublicationWord;

  @ApiPropertyOptional({
    enum: ['insecure', ...SIGNING_STATES],
    example: 'secure',
    description: 'Only with `details=true`: how far it is signed (DNSSEC); `insecure`: it is not.',
  })
  dnssec?: string;

  @ApiPropertyOptional({
    example: '2026-11-20T08:30:00.123456',
    description: 'Only with `details=true`: the last change of anything in it, UTC.',
  })
  changed_at?: string;

  @ApiPropertyOptional({ example: 'acme', description: 'Only with `details=true`, for admins.' })
  tenant_id?: string;
}

export class CountDto {
  @ApiProperty({ type: 'integer', example: 412, description: 'Of all pages.' })
  total!: number;
}

export class DomainListDto extends PageLinksDto {
  @ApiProperty({ type: [ListedDomainDto] })
  domains!: ListedDomainDto[];

  @ApiPropertyOptional({ type: CountDto, description: 'Only with `count=true`.' })
  count?: CountDto;
}

export function toDetailedDomainDto(zone: ZoneView, caller: Caller): ListedDomainDto {
  return {
    ...toDomainDto(zone),
    record_count: zone.recordCount,
    publication: PUBLICATIONS[zone.status],
    dnssec: zone.signingState ?? 'insecure',
    changed_at: formatInstant(zone.changedAt),
    ...(isAdmin(caller) && { tenant_id: zone.tenantId }),
  };
}
