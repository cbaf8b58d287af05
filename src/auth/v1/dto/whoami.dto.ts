import { type Caller, UNRESTRICTED } from '../../../common/caller.js';
import { formatInstantOrNull } from '../../../common/clock.js';
import { ApiProperty, ApiNullableText } from '../../../http/openapi/decorators.js';
import { isAdmin, isScoped } from '../../policy.js';
import { NO_TENANT } from '../../tenant-id.js';
import type { TokenEntity } from '../../tokens/token.entity.js';
import { TokenLimitsDto } from '../limits.mapper.js';

export class UsedTokenDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiNullableText({ example: 'certificate of www' })
  description!: string | null;

  @ApiNullableText({ format: 'uuid', description: 'The token that it was made with.' })
  made_by!: string | null;
}

class DnsUpdateFactsDto {
  @ApiProperty({
    example: '192.0.2.1',
    description: 'Of `[service:mdns] listen`; `0.0.0.0` and `::` are all of a host.',
  })
  address!: string;

  @ApiProperty({ type: 'integer', example: 53 })
  port!: number;
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

  @ApiProperty({ type: DnsUpdateFactsDto, nullable: true, description: 'Where DNS UPDATE is taken; `null`: nowhere.' })
  dns_updates!: DnsUpdateFactsDto | null;

  @ApiProperty({ example: true, description: 'Whether the PowerDNS API is on.' })
  powerdns_api!: boolean;

  @ApiProperty({ example: false, description: 'Whether the webhook of external-dns is on.' })
  external_dns!: boolean;

  @ApiNullableText({
    example: 'https://keystone.example.org/v3',
    description: 'The Keystone server of OpenStack clients; `null`: it judges no tokens here, or version 2 is off.',
  })
  openstack_auth_url!: string | null;

  @ApiProperty({ example: true, description: 'Whether `/docs` and the OpenAPI documents are there.' })
  docs!: boolean;
}

class CallerLimitsDto extends TokenLimitsDto {
  @ApiProperty({
    ...{ type: [String], nullable: true, example: ['team=web'] },
    description: 'Null: any. `domains` has those with the labels.',
  })
  labels!: readonly string[] | null;
}

export class WhoamiDto {
  @ApiNullableText({
    example: 'acme',
    description: 'The tenant that the request acts for; null for a credential without one.',
  })
  tenant_id!: string | null;

  @ApiNullableText({ example: null, description: 'The user that the credential names.' })
  user!: string | null;

  @ApiProperty({ type: [String], example: ['member'] })
  roles!: readonly string[];

  @ApiProperty({ type: UsedTokenDto, nullable: true, description: 'Null: the credential is no stored token of ours.' })
  token!: UsedTokenDto | null;

  @ApiProperty({ type: CallerLimitsDto })
  limits!: CallerLimitsDto;

  @ApiNullableText({ example: null, description: 'Expiry of the credential, UTC; null: never, or unknown.' })
  expires_at!: string | null;

  @ApiProperty({ type: [String], example: ['quotas', 'webhooks'], description: 'Extensions of version 1 that are on.' })
  extensions!: readonly string[];

  @ApiProperty({ type: [String], example: [], description: 'The same of the admin API; none for others than admins.' })
  admin_extensions!: readonly string[];

  @ApiProperty({ type: ServiceFactsDto })
  service!: ServiceFactsDto;
}

export function toWhoamiDto(caller: Caller, token: TokenEntity | undefined, facts: ServiceInfo): WhoamiDto {
  const { tenantId, user, roles, restrictions, expiresAt = null } = caller;
  const { domains, labels, names, types, actions, networks } = restrictions ?? UNRESTRICTED;
  const mayAdminister = isAdmin(caller) && !isScoped(caller);
  return {
    tenant_id: tenantId === NO_TENANT ? null : tenantId,
    user,
    roles,
    token: token === undefined ? null : toUsedTokenDto(token),
    limits: { domains, labels, names, types, actions, networks },
    expires_at: formatInstantOrNull(expiresAt),
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
  const { dnsUpdates, powerDnsApi, externalDns, openstackAuthUrl, docs } = facts;
  return {
    name_servers: nameServers,
    publishes,
    default_ttl: defaultTtl,
    min_ttl: minTtl,
    max_changes: maxChanges,
    max_body_size: maxBodySize,
    expiring_records: expiringRecords,
    dns_updates: dnsUpdates,
    powerdns_api: powerDnsApi,
    external_dns: externalDns,
    openstack_auth_url: openstackAuthUrl,
    docs,
  };
}

/** Facts about the service for programs (behaviour 3.7). */
export abstract class ServiceInfo {
  abstract readonly extensions: readonly string[];
  abstract readonly adminExtensions: readonly string[];
  abstract readonly nameServers: readonly string[];
  /** Whether name servers are asked for zone serials. */
  abstract readonly publishes: boolean;
  abstract readonly defaultTtl: number;
  /** Seconds, for callers without the admin role; `null`: no minimum. */
  abstract readonly minTtl: number | null;
  abstract readonly maxChanges: number;
  abstract readonly maxBodySize: number;
  abstract readonly expiringRecords: boolean;
  /** The configured address for DNS UPDATE; `null`: off. */
  abstract readonly dnsUpdates: { readonly address: string; readonly port: number } | null;
  abstract readonly powerDnsApi: boolean;
  abstract readonly externalDns: boolean;
  /** The Keystone server of OpenStack clients; `null`: Keystone or version 2 is off. */
  abstract readonly openstackAuthUrl: string | null;
  abstract readonly docs: boolean;
}
