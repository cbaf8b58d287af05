import { MaxLength, ValidateBy } from '../../../../http/bodies/class-validator.js';
import { formatInstant } from '../../../../common/clock.js';
import { canonicalUuid } from '../../../../common/uuid.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { ApiProperty } from '../../../../http/openapi/decorators.js';
import { V2CollectionDto, V2SelfLinkDto } from '../../../../http/v2/links.dto.js';
import type { OwnershipTransferAcceptEntity } from '../../ownership-transfer-accept.entity.js';

/** No key is as long. */
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

  @ApiProperty({ maxLength: LONGEST_KEY, example: 'K3Y4T3ST' })
  @MaxLength(LONGEST_KEY)
  @IsText()
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

  @ApiProperty({ type: String, nullable: true, description: 'Shown once, to the client that sent it.' })
  key!: string | null;

  @ApiProperty({ enum: ['COMPLETE'], example: 'COMPLETE' })
  status!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  created_at!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
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

/** @param key as it was sent; `null` where it is not shown */
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
