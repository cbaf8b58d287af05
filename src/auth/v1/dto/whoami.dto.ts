import type { Caller } from '../../../common/caller.js';
import { formatInstant } from '../../../common/clock.js';
import { UNRESTRICTED } from '../../../common/restrictions.js';
import { ApiProperty } from '../../../http/openapi/decorators.js';
import { isAdmin, isScoped } from '../../policy.js';
import type { ServiceInfo } from '../../service-info.js';
import { NO_TENANT } from '../../tenant-id.js';
import type { TokenEntity } from '../../tokens/token.entity.js';
import { TokenLimitsDto } from '../limits.mapper.js';

export class UsedTokenDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'certificate of www' })
  description!: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'uuid', description: 'The token that it was made with.' })
  made_by!: string | null;
}

export class ServiceFactsDto {
  @ApiProperty({ type: [String], example: ['ns1.example.net.'], description: 'Of the service itself.' })
  name_servers!: readonly string[];

  @ApiProperty({ example: true, description: 'Whether name servers are asked for the serials of domains.' })
  publishes!: boolean;

  @ApiProperty({ type: 'integer', example: 3600, description: 'Of a new domain, in seconds.' })
  default_ttl!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'The lowest that is not for admins alone.',
  })
  min_ttl!: number | null;

  @ApiProperty({ type: 'integer', example: 1000, description: 'Entries of one change set.' })
  max_changes!: number;

  @ApiProperty({ type: 'integer', example: 1048576, description: 'In octets.' })
  max_body_size!: number;

  @ApiProperty({ example: false, description: 'Whether records may have `expires_at`.' })
  expiring_records!: boolean;
}

/** Who asks, and what a program has to know of the service before it asks for anything else (behaviour 3.7). */
export class WhoamiDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'acme',
    description: 'The tenant that the request acts for; null for a credential without one.',
  })
  tenant_id!: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'The user that the credential names.' })
  user!: string | null;

  @ApiProperty({ type: [String], example: ['member'] })
  roles!: readonly string[];

  @ApiProperty({ type: UsedTokenDto, nullable: true, description: 'Null: the credential is no stored token of ours.' })
  token!: UsedTokenDto | null;

  @ApiProperty({ type: TokenLimitsDto })
  limits!: TokenLimitsDto;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'When the credential ends, UTC; null: never, or nobody says.',
  })
  expires_at!: string | null;

  @ApiProperty({ type: [String], example: ['quotas', 'webhooks'], description: 'Extensions of version 1 that are on.' })
  extensions!: readonly string[];

  @ApiProperty({ type: [String], example: [], description: 'The same of the admin API; none for others than admins.' })
  admin_extensions!: readonly string[];

  @ApiProperty({ type: ServiceFactsDto })
  service!: ServiceFactsDto;
}

/** @param token the one that the caller has sent, where it is stored */
export function toWhoamiDto(caller: Caller, token: TokenEntity | undefined, facts: ServiceInfo): WhoamiDto {
  const { tenantId, user, roles, restrictions, expiresAt = null } = caller;
  const { domains, names, types, actions, networks } = restrictions ?? UNRESTRICTED;
  const mayAdminister = isAdmin(caller) && !isScoped(caller);
  return {
    tenant_id: tenantId === NO_TENANT ? null : tenantId,
    user,
    roles,
    token: token === undefined ? null : toUsedTokenDto(token),
    limits: { domains, names, types, actions, networks },
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    extensions: facts.extensions,
    admin_extensions: mayAdminister ? facts.adminExtensions : [],
    service: toServiceFactsDto(facts),
  };
}

function toUsedTokenDto({ id, description, parentId }: TokenEntity): UsedTokenDto {
  return { id, description, made_by: parentId };
}

function toServiceFactsDto(facts: ServiceInfo): ServiceFactsDto {
  const { nameServers, publishes, defaultTtl, minTtl, maxChanges, maxBodySize, expiringRecords } = facts;
  return {
    name_servers: nameServers,
    publishes,
    default_ttl: defaultTtl,
    min_ttl: minTtl,
    max_changes: maxChanges,
    max_body_size: maxBodySize,
    expiring_records: expiringRecords,
  };
}
