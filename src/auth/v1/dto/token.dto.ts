import { NullableInstant, NullableText, OptionalTexts } from '../../../http/bodies/dto-fields.js';
import { formatInstant, readInstant, formatInstantOrNull } from '../../../common/clock.js';
import { UNRESTRICTED } from '../../../common/caller.js';
import { ApiProperty, ApiNullableText } from '../../../http/openapi/decorators.js';
import { readRestrictions } from '../../scopes/token-scope.js';
import { readRoles } from '../../roles.js';
import type { TokenEntity } from '../../tokens/token.entity.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import type { ScopedToken } from '../../tokens/own-tokens.service.js';
import { LimitsDto, toAskedRestrictions } from '../limits.mapper.js';

const LIST = { type: [String] as [StringConstructor], nullable: true };
const TIME = { type: String, nullable: true, example: '2026-11-20T08:30:00.000000' } as const;

export class TokenDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'acme' })
  tenant_id!: string;

  @ApiProperty({ type: [String], example: ['member'] })
  roles!: string[];

  @ApiNullableText({ example: 'certificate of www' })
  description!: string | null;

  @ApiProperty({ ...LIST, example: ['example.org.'], description: 'Null: all.' })
  domains!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['team=web'], description: 'Null: any.' })
  labels!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['_acme-challenge.*'], description: 'Null: all.' })
  names!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['TXT'], description: 'Null: all.' })
  types!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['create', 'delete'], description: 'Null: all.' })
  actions!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['192.0.2.0/24'], description: 'Null: from anywhere.' })
  networks!: readonly string[] | null;

  @ApiNullableText({ format: 'uuid', description: 'The token that it was made with.' })
  made_by!: string | null;

  @ApiNullableText({
    example: null,
    description: 'The user who made it with a credential of an issuer or of Keystone.',
  })
  made_by_user!: string | null;

  @ApiProperty({ ...TIME, nullable: false })
  created_at!: string;

  @ApiProperty(TIME)
  expires_at!: string | null;

  @ApiProperty(TIME)
  revoked_at!: string | null;

  @ApiProperty({ ...TIME, description: 'To within five minutes.' })
  last_used_at!: string | null;

  @ApiNullableText({ example: '192.0.2.1' })
  last_used_from!: string | null;
}

export class NewTokenDto extends TokenDto {
  @ApiProperty({ description: 'It is shown only once.' })
  token!: string;
}

export class TokenListDto {
  @ApiProperty({ type: [TokenDto] })
  tokens!: TokenDto[];
}

export function toTokenDto(token: TokenEntity): TokenDto {
  const { id, tenantId, roles, description, restrictions, parentId, madeByUser, lastUsedFrom } = token;
  const { domains, labels, names, types, actions, networks } =
    restrictions === null ? UNRESTRICTED : readRestrictions(restrictions);
  return {
    id,
    tenant_id: tenantId,
    roles: readRoles(roles),
    description,
    ...{ domains, labels, names, types, actions, networks },
    made_by: parentId,
    made_by_user: madeByUser,
    created_at: formatInstant(token.createdAt),
    expires_at: formatInstantOrNull(token.expiresAt),
    revoked_at: formatInstantOrNull(token.revokedAt),
    last_used_at: formatInstantOrNull(token.lastUsedAt),
    last_used_from: lastUsedFrom,
  };
}

export class CreateTokenDto extends LimitsDto {
  @OptionalTexts({
    ...{ minItems: 1, maxItems: 8, example: ['team=web'] },
    description: '`key` or `key=value`: it sees only domains that have all of these labels, at most 1000.',
  })
  labels?: string[];

  @NullableText({ maxLength: MAX_DESCRIPTION, example: 'certificate of www' })
  description?: string | null;

  @OptionalTexts({ minItems: 1, maxItems: 100, example: ['member'] })
  roles?: string[];

  @NullableInstant({ example: '2027-01-31T00:00:00Z' })
  expires_at?: string | null;
}

export function toScopedToken(body: CreateTokenDto): ScopedToken {
  const { description = null, roles, expires_at = null } = body;
  const expiresAt = expires_at === null ? null : readInstant(expires_at);
  const restrictions = { ...toAskedRestrictions(body), labels: body.labels };
  return { description, roles, restrictions, expiresAt };
}
