import { IsOptional, MaxLength } from '../../../../http/bodies/class-validator.js';
import { IsTenantId } from '../../../../auth/is-tenant-id.decorator.js';
import { mayManage, maySeeSecrets } from '../../../../auth/policy.js';
import type { Caller } from '../../../../common/caller.js';
import { formatInstant } from '../../../../common/clock.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../../http/openapi/decorators.js';
import { V2CollectionDto, V2SelfLinkDto } from '../../../../http/v2/links.dto.js';
import type { OwnershipTransferRequest } from '../../ownership-transfer.repository.js';
import type { OwnershipOffer } from '../../ownership-transfers.service.js';

/** All of it may be left out. Of a change, what is left out keeps its value. */
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

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: 'To the web team' })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;
}

/** A transfer request. To a project that has not made it the optional fields are not shown, to a reader the key is not. */
export class TransferRequestDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  zone_id!: string;

  @ApiProperty({ example: 'example.org.' })
  zone_name!: string;

  @ApiPropertyOptional({ description: 'The project that offers the zone.' })
  project_id?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: '`null`: whoever has the key may take it.' })
  target_project_id?: string | null;

  @ApiPropertyOptional({ example: 'K3Y4T3ST', description: 'Not shown to a caller who may only read.' })
  key?: string;

  @ApiProperty({ type: String, nullable: true, example: null })
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

/** Whoever may take a zone is told which; all the rest is for the tenant that offers it, the key for those who may offer it. */
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
    updated_at: updatedAt === null ? null : formatInstant(updatedAt),
  };
}
