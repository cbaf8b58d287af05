import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { searchClientOf } from '../../http/request-lifetime.js';
import { type Precondition, entityTag, IfMatch } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import type { StreamList } from '../../http/lists/stream-list.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { IdempotentRequests } from '../../http/idempotency-keys/idempotent-requests.js';
import type { ZoneEntity } from '../zone.entity.js';
import { type ZoneListQuery, ZoneLists } from '../lists/zone-lists.js';
import { ZoneTemplates } from '../zone-templates.js';
import { ZonesService } from '../zones.service.js';
import { CreateDomainDto, toNewZone, toZoneUpdate, UpdateDomainDto } from './dto/domain.dto.js';
import { DomainDto, toDomainDto } from './domain.mapper.js';
import {
  ServerListDto,
  toServerDto,
  toDetailedDomainDto,
  DomainListDto,
  ListDomainsQueryDto,
  toZoneListQuery,
} from './dto/domain-list.dto.js';
import { assertTtlKept } from './shared-fields.mapper.js';
import { ApiQuery } from '../../http/openapi/decorators.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/headers.js';
import { ApiIdempotencyKey, ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';

const location = { Location: { description: 'Absolute URL of the new domain.', schema: { type: 'string' } } } as const;

@Operations('domains')
@Controller(['v1/domains', 'domains'])
export class DomainsController {
  constructor(
    private readonly domains: ZonesService,
    private readonly lists: ZoneLists,
    private readonly templates: ZoneTemplates,
    private readonly answersOnce: IdempotentRequests,
    private readonly absoluteUrl: AbsoluteUrl,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Create a domain',
    parameters: [ApiIdempotencyKey()],
    response: { type: DomainDto, headers: location },
    errors: ['invalid_object', 'invalid_ttl', 'inside_foreign_zone', 'contains_foreign_zone', 'over_quota'],
    bodyErrors: ['duplicate_zone', 'request_in_progress'],
  })
  async create(
    @Body() body: CreateDomainDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { template = null } = body;
    const chosen = template === null ? { caller } : await this.templates.choose(template, 'template', caller);
    return this.answersOnce.give<ZoneEntity>(
      { request, response },
      (hook) => this.domains.create(toNewZone(body), chosen.caller, { ...chosen, hook }),
      (domain) => ({
        body: toDomainDto(domain),
        entityTag: tagOfDomain(domain),
        location: this.absoluteUrl.of(request, `/v1/domains/${domain.id}`),
      }),
    );
  }

  @Get()
  @Operation({
    summary: 'List domains',
    description: 'Complete, in the order of creation, unless `limit` is sent.',
    response: DomainListDto,
    errors: ['invalid_object'],
  })
  async list(
    @Query() { name, ...query }: ListDomainsQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<StreamList> {
    const search = toZoneListQuery({ ...query, ...(name !== undefined && { name }) });
    if (search !== null) return this.search(search, query.details === 'true', caller, request);
    const source = {
      page: (marker: string, limit: number) =>
        name === undefined ? this.domains.page(caller, marker, limit) : this.domains.pageOfName(name, caller, marker),
      knows: (id: string) => this.domains.knows(id, caller),
      toDto: toDomainDto,
    };
    return this.paging.answer('domains', source, query, request);
  }

  private async search(
    search: ZoneListQuery,
    isDetailed: boolean,
    caller: Caller,
    request: ApiRequest,
  ): Promise<Record<string, unknown>> {
    const { zones, hasNext, counts } = await this.lists.page(caller, search, searchClientOf(request));
    return {
      domains: zones.map((zone) => (isDetailed ? toDetailedDomainDto(zone, caller) : toDomainDto(zone))),
      ...(counts && { count: { total: counts.total, total_is_exact: counts.isTotalExact } }),
      links: this.paging.numberedLinks(request, hasNext ? search.offset + search.limit : null),
    };
  }

  @Get(':domain_id')
  @Operation({
    summary: 'Get a domain',
    ids: ['domain_id'],
    parameters: [ApiIfNoneMatch()],
    response: { type: DomainDto, headers: ENTITY_TAG },
    errors: ['zone_not_found'],
  })
  async get(
    @PathId('domain_id') id: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DomainDto> {
    const domain = await this.domains.get(id, caller);
    response.setHeader('ETag', tagOfDomain(domain));
    return toDomainDto(domain);
  }

  @Put(':domain_id')
  @Operation({
    summary: 'Update a domain',
    description: 'Fields that are left out keep their values.',
    ids: ['domain_id'],
    parameters: [ApiIfMatch()],
    response: { type: DomainDto, headers: ENTITY_TAG },
    errors: ['invalid_object', 'change_not_allowed', 'invalid_ttl', 'zone_not_found'],
    bodyErrors: [],
  })
  async update(
    @PathId('domain_id') id: string,
    @Body() body: UpdateDomainDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() condition: Precondition | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DomainDto> {
    const domain = await this.domains.update(id, { ...toZoneUpdate(body), setsUpdatedAt: true }, caller, (found) => {
      condition?.assertHolds(tagOfDomain(found));
      assertTtlKept(body.ttl, found);
    });
    response.setHeader('ETag', tagOfDomain(domain));
    return toDomainDto(domain);
  }

  @Delete(':domain_id')
  @Operation({
    summary: 'Delete a domain and its records',
    ids: ['domain_id'],
    parameters: [
      ApiIfMatch(),
      ApiQuery({
        name: 'force',
        type: Boolean,
        required: false,
        description: 'Delete it although its parent zone has a DS of it.',
      }),
    ],
    response: { description: 'The domain is deleted; the body is empty.' },
    errors: ['zone_not_found', 'zone_has_child_zones', 'zone_is_shared', 'signing_conflict'],
  })
  async delete(
    @PathId('domain_id') id: string,
    @CurrentCaller() caller: Caller,
    // Other values have no effect, for compatibility.
    @Query('force') force: unknown,
    @IfMatch() condition: Precondition | null,
  ): Promise<string> {
    const deleting = { ...caller, deletesSigned: force === 'true' };
    await this.domains.delete(id, deleting, (found) => condition?.assertHolds(tagOfDomain(found)));
    return '';
  }

  @Get(':domain_id/servers')
  @Operation({
    summary: 'List the name servers of a domain',
    ids: ['domain_id'],
    response: ServerListDto,
    errors: ['zone_not_found'],
  })
  async servers(@PathId('domain_id') id: string, @CurrentCaller() caller: Caller): Promise<ServerListDto> {
    const domain = await this.domains.get(id, caller);
    return { servers: this.domains.nameServers.map((name) => toServerDto(name, domain)) };
  }
}

/** Changes with everything in the domain. Change sets use it too. */
function tagOfDomain({ version, changedAt }: Readonly<ZoneEntity>): string {
  return entityTag(version, changedAt);
}
