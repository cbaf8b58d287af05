import { OptionalIntegerParameter, OptionalText } from '../../../http/bodies/dto-fields.js';
import { ApiProperty } from '../../../http/openapi/decorators.js';
import { formatInstant } from '../../../common/clock.js';
import { LinksDto } from '../../../http/lists/paging.js';
import type { DeletedZone } from '../../history.repository.js';
import { ActorDto } from './history.dto.js';
import { IsChangeMessage } from '../../../records/v1/change-message.mapper.js';

const MAX_LIMIT = 1000;
export const DEFAULT_DELETED = 100;

export class DeletedDomainsQueryDto {
  @OptionalIntegerParameter({ minimum: 1, maximum: MAX_LIMIT, description: `${DEFAULT_DELETED} by default.` })
  limit?: number;

  @OptionalText({ description: 'The id of the last domain already seen.', format: 'uuid' })
  marker?: string;
}

class DeletedDomainDto {
  @ApiProperty({ format: 'uuid', description: 'Its history is found by it.' })
  id!: string;

  @ApiProperty({ example: 'example.org.', description: 'In lower case.' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1763627400, description: 'After the deletion.' })
  serial!: number;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC.' })
  deleted_at!: string;

  @ApiProperty({ type: ActorDto })
  actor!: ActorDto;
}

export class DeletedDomainsDto {
  @ApiProperty({ type: [DeletedDomainDto], description: 'The one that was made last first.' })
  deleted_domains!: DeletedDomainDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

export function toDeletedDomainDto({
  id,
  name,
  serial,
  at,
  tenantId,
  tokenId,
  userName,
}: DeletedZone): DeletedDomainDto {
  const actor = { tenant_id: tenantId, token_id: tokenId, user: userName };
  return { id, name, serial, deleted_at: formatInstant(at), actor };
}

export class RestoreDeletedDto {
  @IsChangeMessage()
  message?: string;
}
