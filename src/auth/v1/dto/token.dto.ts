import { formatInstant, type Instant } from '../../../common/clock.js';
import { UNRESTRICTED } from '../../../common/restrictions.js';
import { ApiProperty } from '../../../http/openapi/decorators.js';
import { readRestrictions } from '../../scopes/token-scope.js';
import { readRoles } from '../../roles.js';
import type { TokenEntity } from '../../tokens/token.entity.js';

const LIST = { type: [String] as [StringConstructor], nullable: true };
const TIME = { type: String, nullable: true, example: '2026-11-20T08:30:00.000000' } as const;

/** A token, which itself is not stored. */
export class TokenDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'acme' })
  tenant_id!: string;

  @ApiProperty({ type: [String], example: ['member'] })
  roles!: string[];

  @ApiProperty({ type: String, nullable: true, example: 'certificate of www' })
  description!: string | null;

  @ApiProperty({ ...LIST, example: ['example.org.'], description: 'Null: all.' })
  domains!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['_acme-challenge.*'], description: 'Null: all.' })
  names!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['TXT'], description: 'Null: all.' })
  types!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['create', 'delete'], description: 'Null: all.' })
  actions!: readonly string[] | null;

  @ApiProperty({ ...LIST, example: ['192.0.2.0/24'], description: 'Null: from anywhere.' })
  networks!: readonly string[] | null;

  @ApiProperty({ type: String, nullable: true, format: 'uuid', description: 'The token that it was made with.' })
  made_by!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
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

  @ApiProperty({ type: String, nullable: true, example: '192.0.2.1' })
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
  const { domains, names, types, actions, networks } =
    restrictions === null ? UNRESTRICTED : readRestrictions(restrictions);
  return {
    id,
    tenant_id: tenantId,
    roles: readRoles(roles),
    description,
    ...{ domains, names, types, actions, networks },
    made_by: parentId,
    made_by_user: madeByUser,
    created_at: formatInstant(token.createdAt),
    expires_at: formatted(token.expiresAt),
    revoked_at: formatted(token.revokedAt),
    last_used_at: formatted(token.lastUsedAt),
    last_used_from: lastUsedFrom,
  };
}

function formatted(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
