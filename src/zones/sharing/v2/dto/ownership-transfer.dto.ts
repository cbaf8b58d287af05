import { NullableText, TextField } from '../../../../http/bodies/dto-fields.js';
import { IsOptional, ValidateBy } from '../../../../http/bodies/class-validator.js';
import { IsTenantId } from '../../../../auth/tenant-id.pipe.js';
import { mayManage, maySeeSecrets } from '../../../../auth/policy.js';
import type { Caller } from '../../../../common/caller.js';
import { formatInstant, formatInstantOrNull } from '../../../../common/clock.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { V2CollectionDto, V2SelfLinkDto } from '../../../../http/v2/collection.js';
import type { OwnershipTransferRequest } from '../../ownership-transfer.repository.js';
import type { OwnershipOffer } from '../../ownership-transfers.service.js';
import { canonicalUuid } from '../../../../common/uuid.js';
import type { OwnershipTransferAcceptEntity } from '../../ownership-transfer.entity.js';

/** In an update, absent fields keep their value. */
export class TransferOfferDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 255,
    description: 'The one project that may take it.',
  })
  @IsOptional()
  @IsTenantId()
  target_project_id?: string | null;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: 'To the web team' })
  description?: string | null;
}

/** Only the offering project sees the optional fields, and only callers with write access the key. */
export class TransferRequestDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  zone_id!: string;

  @ApiProperty({ example: 'example.org.' })
  zone_name!: string;

  @ApiPropertyOptional({ description: 'The project that offers the zone.' })
  project_id?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: '`null`: any project with the key may accept it.' })
  target_project_id?: string | null;

  @ApiPropertyOptional({ example: 'K3Y4T3ST', description: 'Not shown to a caller who may only read.' })
  key?: string;

  @ApiNullableText({ example: null })
  description!: string | null;

  @ApiProperty({ enum: ['ACTIVE', 'COMPLETE'], example: 'ACTIVE' })
  status!: string;

  @ApiPropertyOptional({ example: '2026-11-20T08:30:00.123456' })
  created_at?: string;

  @ApiPropertyOptional({ type: String, nullable: true, example: null })
  updated_at?: string | null;

  @ApiProperty({ type: V2SelfLinkDto })
  links!: V2SelfLinkDto;
}

export class TransferRequestListDto extends V2CollectionDto {
  @ApiProperty({ type: [TransferRequestDto] })
  transfer_requests!: TransferRequestDto[];
}

export function toOwnershipOffer({ target_project_id: targetTenantId, description }: TransferOfferDto): OwnershipOffer {
  return {
    ...(targetTenantId === undefined ? {} : { targetTenantId }),
    ...(description === undefined ? {} : { description }),
  };
}

/** The accepting tenant sees the zone. The offering tenant sees all fields, and the key if it may make offers. */
export function toTransferRequestDto(
  request: OwnershipTransferRequest,
  links: V2SelfLinkDto,
  caller: Caller,
): TransferRequestDto {
  const { id, zoneId, zoneName, description, status } = request;
  const shown = { id, zone_id: zoneId, zone_name: zoneName, description, status, links };
  if (!mayManage(caller, request)) return shown;
  const { tenantId, targetTenantId, key, createdAt, updatedAt } = request;
  return {
    ...shown,
    project_id: tenantId,
    target_project_id: targetTenantId,
    ...(maySeeSecrets(caller, request) && { key }),
    created_at: formatInstant(createdAt),
    updated_at: formatInstantOrNull(updatedAt),
  };
}

const LONGEST_KEY = 255;

export class CreateTransferAcceptDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  @ValidateBy({
    name: 'isUuid',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && canonicalUuid(value) !== null,
      defaultMessage: () => 'zone_transfer_request_id is the id of a transfer request, a UUID',
    },
  })
  zone_transfer_request_id!: string;

  @TextField({ maxLength: LONGEST_KEY, example: 'K3Y4T3ST' })
  key!: string;
}

class TransferAcceptLinksDto extends V2SelfLinkDto {
  @ApiProperty({ description: 'The zone.' })
  zone!: string;
}

export class TransferAcceptDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  zone_id!: string;

  @ApiProperty({ description: 'The project that received the zone.' })
  project_id!: string;

  @ApiProperty({ format: 'uuid' })
  zone_transfer_request_id!: string;

  @ApiNullableText({ description: 'Shown once, to the client that sent it.' })
  key!: string | null;

  @ApiProperty({ enum: ['COMPLETE'], example: 'COMPLETE' })
  status!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  created_at!: string;

  @ApiNullableText({ example: null })
  updated_at!: string | null;

  @ApiProperty({ type: TransferAcceptLinksDto })
  links!: TransferAcceptLinksDto;
}

export class TransferAcceptListDto extends V2CollectionDto {
  @ApiProperty({ type: [TransferAcceptDto] })
  transfer_accepts!: TransferAcceptDto[];
}

export function pathOfAccept(id: string): string {
  return `/v2/zones/tasks/transfer_accepts/${id}`;
}

/** @param key `null`: hidden */
export function toTransferAcceptDto(
  { id, zoneId, tenantId, requestId, createdAt }: OwnershipTransferAcceptEntity,
  linkTo: (path: string) => string,
  key: string | null = null,
): TransferAcceptDto {
  return {
    id,
    zone_id: zoneId,
    project_id: tenantId,
    zone_transfer_request_id: requestId,
    key,
    status: 'COMPLETE',
    created_at: formatInstant(createdAt),
    updated_at: null,
    links: { self: linkTo(pathOfAccept(id)), zone: linkTo(`/v2/zones/${zoneId}`) },
  };
}
