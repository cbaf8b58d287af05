import { NullableInstant, NullableText, TextField } from '../../../../http/bodies/dto-fields.js';
import { MaxLength } from '../../../../http/bodies/class-validator.js';
import { LimitsDto, toAskedRestrictions, TokenLimitsDto } from '../../../../auth/v1/limits.mapper.js';
import { formatInstant, readInstant, formatInstantOrNull } from '../../../../common/clock.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { IsText, MayBeAbsent } from '../../../../http/bodies/field-decorators.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../../http/openapi/decorators.js';
import type { UpdateKeyEntity } from '../../update-key.entity.js';
import { limitsOf, type UpdateKeyRequest } from '../../update-keys.service.js';

const MAX_TEXT = 255;

export class CreateUpdateKeyDto extends LimitsDto {
  @TextField({ maxLength: MAX_TEXT, example: 'dhcp.example.org.', description: 'By it messages name the key.' })
  name!: string;

  @ApiPropertyOptional({ example: 'hmac-sha256', description: '`hmac-sha256`, `hmac-sha384` or `hmac-sha512`.' })
  @MayBeAbsent()
  @MaxLength(MAX_TEXT)
  @IsText()
  algorithm?: string;

  @ApiPropertyOptional({ description: '16 to 128 octets in base64. Without it the service makes one.' })
  @MayBeAbsent()
  @MaxLength(MAX_TEXT)
  @IsText()
  secret?: string;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: 'the DHCP server' })
  description?: string | null;

  @NullableInstant({ example: '2027-01-31T00:00:00Z' })
  expires_at?: string | null;
}

const TIME = { type: String, nullable: true, example: '2026-11-23T14:00:00.000000' };

export class UpdateKeyDto extends TokenLimitsDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'dhcp.example.org.' })
  name!: string;

  @ApiProperty({ example: 'hmac-sha256' })
  algorithm!: string;

  @ApiProperty()
  tenant_id!: string;

  @ApiNullableText()
  description!: string | null;

  @ApiProperty({ ...TIME, nullable: false })
  created_at!: string;

  @ApiProperty(TIME)
  expires_at!: string | null;

  @ApiProperty(TIME)
  revoked_at!: string | null;
}

export class NewUpdateKeyDto extends UpdateKeyDto {
  @ApiProperty({ description: 'In base64. It is shown only once.' })
  secret!: string;
}

export class UpdateKeyListDto {
  @ApiProperty({ type: [UpdateKeyDto] })
  update_keys!: UpdateKeyDto[];
}

export function toUpdateKeyRequest(body: CreateUpdateKeyDto): UpdateKeyRequest {
  const { name, algorithm, secret, description = null, expires_at = null } = body;
  return {
    ...{ name, algorithm, secret, description },
    restrictions: toAskedRestrictions(body),
    expiresAt: expires_at === null ? null : readInstant(expires_at),
  };
}

export function toUpdateKeyDto(key: UpdateKeyEntity): UpdateKeyDto {
  const { id, name, algorithm, tenantId, description } = key;
  const { domains, names, types, actions, networks } = limitsOf(key);
  return {
    ...{ id, name, algorithm, tenant_id: tenantId, description },
    ...{ domains, names, types, actions, networks },
    created_at: formatInstant(key.createdAt),
    expires_at: formatInstantOrNull(key.expiresAt),
    revoked_at: formatInstantOrNull(key.revokedAt),
  };
}
