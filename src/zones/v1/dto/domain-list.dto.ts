import { LabelFilters, OptionalChoice, OptionalText } from '../../../http/bodies/dto-fields.js';
import { isAdmin } from '../../../auth/policy.js';
import type { Caller } from '../../../common/caller.js';
import { formatInstant, formatInstantOrNull } from '../../../common/clock.js';
import { PageLinksDto, ListQueryDto } from '../../../http/lists/paging.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../http/openapi/decorators.js';
import { DomainDto, toDomainDto } from '../domain.mapper.js';
import type { PublicationStatus } from '../../zone-publication.js';
import { SIGNING_STATES, type ZoneView } from '../../lists/zone-views.js';
import { MaxLength, MinLength } from '../../../http/bodies/class-validator.js';
import {
  IsText,
  MayBeAbsent,
  type BooleanParameter,
  IsBooleanParameter,
} from '../../../http/bodies/field-decorators.js';
import {
  describeSorts,
  IsOffset,
  isSearch,
  LONGEST_SEARCHED,
  sortsOf,
  toPageList,
} from '../../../http/lists/page-list.js';
import { ZONE_SORTS, type ZoneListQuery } from '../../lists/zone-lists.js';
import { readLabelFilters } from '../../../common/labels.js';
import { uuidOfName } from '../../../common/uuid.js';
import type { ZoneEntity } from '../../zone.entity.js';
import { mastersOf } from '../../zone-fields.js';

const PUBLICATIONS = { ACTIVE: 'published', PENDING: 'pending', ERROR: 'failed' } as const satisfies Record<
  PublicationStatus,
  string
>;
const STATUSES = ['ACTIVE', 'PENDING', 'ERROR'] as const;
type PublicationWord = (typeof PUBLICATIONS)[PublicationStatus];

class SecondaryDto {
  @ApiProperty({ type: [String], example: ['192.0.2.53', 'ns.example.net:5353'] })
  primaries!: readonly string[];

  @ApiNullableText({ example: null, description: 'When a primary last gave a new serial, UTC.' })
  transferred_at!: string | null;

  @ApiNullableText({ example: null, description: 'Error of the last SOA query or transfer; `null`: none.' })
  error!: string | null;
}

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

  @ApiPropertyOptional({ type: SecondaryDto, description: 'Only with `details=true`, of a secondary zone.' })
  secondary?: SecondaryDto;

  @ApiPropertyOptional({ example: 'acme', description: 'Only with `details=true`, for admins.' })
  tenant_id?: string;
}

export class CountDto {
  @ApiProperty({ type: 'integer', example: 412, description: 'Of all pages.' })
  total!: number;

  @ApiProperty({ example: true, description: 'If false, there are more than `total`.' })
  total_is_exact!: boolean;
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
    ...(zone.type === 'SECONDARY' && { secondary: toSecondaryDto(zone) }),
    ...(isAdmin(caller) && { tenant_id: zone.tenantId }),
  };
}

function toSecondaryDto(zone: ZoneView): SecondaryDto {
  const { transferredAt, transferError } = zone;
  return { primaries: mastersOf(zone), transferred_at: formatInstantOrNull(transferredAt), error: transferError };
}

/** Paging, an exact filter (behaviour 7.1), and searches (behaviour 7.6). */
export class ListDomainsQueryDto extends ListQueryDto {
  @OptionalText({ description: 'The domain of this name alone, such as `example.org.`, in any case.' })
  name?: string;

  @ApiPropertyOptional({
    maxLength: LONGEST_SEARCHED,
    description: 'Text in the name, the email or the description, such as `shop`, in any case of ASCII letters.',
  })
  @MayBeAbsent()
  @MaxLength(LONGEST_SEARCHED)
  @MinLength(1)
  @IsText()
  q?: string;

  @LabelFilters('domains')
  label?: string[];

  @OptionalChoice({
    enum: Object.values(PUBLICATIONS),
    description: 'Only domains with this state of publication, as `details=true` shows it.',
  })
  publication?: PublicationWord;

  @OptionalText({
    description: 'Only domains of which this name server of the pool lacks the serial, such as `192.0.2.53:53`.',
  })
  behind?: string;

  @OptionalChoice({ enum: sortsOf(ZONE_SORTS), description: describeSorts(ZONE_SORTS) })
  sort?: string;

  @IsOffset()
  offset?: number;

  @IsBooleanParameter('Count all that are found.')
  count?: BooleanParameter;

  @IsBooleanParameter(
    'Show the number of records, the publication, the last change and the primaries too, and to admins the tenant.',
  )
  details?: BooleanParameter;
}

/** `null` for paging by name and marker. */
export function toZoneListQuery(query: ListDomainsQueryDto): ZoneListQuery | null {
  const { q = null, name = null, publication: word, behind = null, label = [], details } = query;
  const isFiltered = word !== undefined || behind !== null || label.length > 0;
  const labels = readLabelFilters(label, 'invalid_object');
  if (!isSearch(query) && !isFiltered && details !== 'true') return null;
  const publication = STATUSES.find((status) => PUBLICATIONS[status] === word) ?? null;
  return { ...toPageList(query, ZONE_SORTS, 'created'), q, name, labels, publication, behind };
}

export class ServerDto {
  @ApiProperty({ format: 'uuid', description: 'Computed from the name, so it stays the same.' })
  id!: string;

  @ApiProperty({ example: 'ns1.example.net.' })
  name!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'When the domain was created.' })
  created_at!: string;

  @ApiNullableText({ example: null })
  updated_at!: string | null;
}

export class ServerListDto {
  @ApiProperty({ type: [ServerDto] })
  servers!: ServerDto[];
}

export function toServerDto(name: string, domain: ZoneEntity): ServerDto {
  return { id: uuidOfName(name), name, created_at: formatInstant(domain.createdAt), updated_at: null };
}
