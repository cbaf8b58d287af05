import { ShownLabels } from '../../../http/bodies/dto-fields.js';
import { type Labels, labelsOf } from '../../../common/labels.js';
import { formatInstant, formatInstantOrNull } from '../../../common/clock.js';
import { V2CountedCollectionDto, V2SelfLinkDto } from '../../../http/v2/collection.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../http/openapi/decorators.js';
import { readApexNs } from '../../generation.js';
import { type PublicationStatus, POOL_ID } from '../../zone-publication.js';
import { attributesOf, mastersOf } from '../../zone-fields.js';
import { SIGNING_STATES, type ZoneView } from '../../lists/zone-views.js';
import type { ZoneEntity } from '../../zone.entity.js';

export type ZoneAction = 'CREATE' | 'UPDATE' | 'DELETE' | 'NONE';

export interface StatusView {
  readonly status: PublicationStatus;
  readonly action: ZoneAction;
}

export class ZoneDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The same for all zones: there is one pool of name servers.' })
  pool_id!: string;

  @ApiProperty({ example: 'a86dba58-0043-4cc6-a1bb-69d5e86f3ca3', description: 'The project that owns the zone.' })
  project_id!: string;

  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'hostmaster@example.org' })
  email!: string;

  @ApiProperty({ type: 'integer', example: 3600, description: 'Seconds; of record sets that have none.' })
  ttl!: number;

  @ApiProperty({ type: 'integer', example: 1763627400 })
  serial!: number;

  @ApiProperty({ enum: ['ACTIVE', 'PENDING', 'ERROR'], description: '`ACTIVE` once every name server has the zone.' })
  status!: PublicationStatus;

  @ApiProperty({ enum: ['CREATE', 'UPDATE', 'DELETE', 'NONE'] })
  action!: ZoneAction;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows with each change of the zone or anything in it.' })
  version!: number;

  @ApiProperty({ enum: ['PRIMARY', 'SECONDARY'] })
  type!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: {} })
  attributes!: Readonly<Record<string, string>>;

  @ApiProperty({ type: [String], example: [], description: 'Of a `SECONDARY` zone: where its records come from.' })
  masters!: readonly string[];

  @ApiNullableText({ example: null })
  description!: string | null;

  @ApiProperty({ example: false, description: 'Whether another project may use the zone.' })
  shared!: boolean;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC.' })
  created_at!: string;

  @ApiNullableText({ example: null })
  updated_at!: string | null;

  @ApiNullableText({ example: null, description: 'When the masters last gave a new serial.' })
  transferred_at!: string | null;

  @ApiPropertyOptional({
    type: [String],
    example: ['ns1.example.net.', 'ns2.example.net.'],
    description: 'NS of the apex in place of the generated ones. Left out where the zone has those.',
  })
  name_servers?: readonly string[];

  @ShownLabels()
  labels?: Labels;

  @ApiPropertyOptional({
    example: 'www.example.org. A: A cannot stand beside CNAME, which www.example.org. has. Delete that first.',
    description: 'Of a `SECONDARY` zone: what was wrong when its masters were asked last. Left out where nothing was.',
  })
  message?: string;

  @ApiPropertyOptional({
    enum: ['insecure', ...SIGNING_STATES],
    example: 'secure',
    description: 'How far the zone is signed (DNSSEC); `insecure`: it is not. Left out in answers to changes.',
  })
  dnssec?: string;

  @ApiProperty({ type: V2SelfLinkDto })
  links!: V2SelfLinkDto;
}

export class ZoneListDto extends V2CountedCollectionDto {
  @ApiProperty({ type: [ZoneDto] })
  zones!: ZoneDto[];
}

/** Without `isShared`, the zone was just created or deleted and has no shares. */
export interface ZoneToShow extends Readonly<ZoneEntity> {
  readonly isShared?: boolean | number;
  readonly transferError?: string | null;
  readonly signingState?: ZoneView['signingState'];
}

export function toZoneDto(zone: ZoneToShow, { status, action }: StatusView, links: V2SelfLinkDto): ZoneDto {
  const { id, tenantId, name, email, ttl, serial, version, type, description } = zone;
  const ownNames = readApexNs(zone)?.names ?? [];
  return {
    id,
    pool_id: POOL_ID,
    project_id: tenantId,
    name,
    email,
    ttl,
    serial,
    status,
    action,
    version,
    type,
    attributes: attributesOf(zone),
    masters: mastersOf(zone),
    description,
    shared: Boolean(zone.isShared),
    created_at: formatInstant(zone.createdAt),
    updated_at: formatInstantOrNull(zone.updatedAt),
    transferred_at: formatInstantOrNull(zone.transferredAt),
    ...(ownNames.length > 0 && { name_servers: ownNames }),
    ...(zone.labels !== null && { labels: labelsOf(zone) }),
    ...(typeof zone.transferError === 'string' && { message: zone.transferError }),
    ...(zone.signingState !== undefined && { dnssec: zone.signingState ?? 'insecure' }),
    links,
  };
}

/** A zone without a later change is still being created. */
export function actionOf({ version }: Readonly<ZoneEntity>, status: PublicationStatus): ZoneAction {
  if (status === 'ACTIVE') return 'NONE';
  return version === 1 ? 'CREATE' : 'UPDATE';
}

class NameServerDto {
  @ApiProperty({ example: 'ns1.example.net.' })
  hostname!: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'Their order.' })
  priority!: number;
}

export class NameServerListDto {
  @ApiProperty({ type: [NameServerDto] })
  nameservers!: NameServerDto[];
}

export function toNameServerList(names: readonly string[]): NameServerListDto {
  return { nameservers: names.map((hostname, at) => ({ hostname, priority: at + 1 })) };
}
