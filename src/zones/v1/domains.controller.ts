import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { searchClientOf } from '../../http/search-client.js';
import { type Precondition, entityTag, IfMatch } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import type { StreamList } from '../../http/lists/stream-list.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { ApiCreateDomain, ApiDeleteDomain, ApiDomains, ApiGetDomain, ApiListDomains } from './domains.api.js';
import { ApiListServers, ApiUpdateDomain } from './domains.api.js';
import { IdempotentRequests } from '../../http/idempotency-keys/idempotent-requests.js';
import type { ZoneEntity } from '../zone.entity.js';
import { type ZoneListQuery, ZoneLists } from '../lists/zone-lists.js';
import { ZonesService } from '../zones.service.js';
import { CreateDomainDto, toNewZone } from './dto/create-domain.dto.js';
import { type DomainDto, toDomainDto } from './domain.mapper.js';
import { type ServerListDto, toServerDto } from './dto/server.dto.js';
import { toDetailedDomainDto } from './dto/domain-list.dto.js';
import { ListDomainsQueryDto, toZoneListQuery } from './dto/list-domains-query.dto.js';
import { assertTtlKept } from './ttl.mapper.js';
import { toZoneUpdate, UpdateDomainDto } from './dto/update-domain.dto.js';

@ApiDomains()
@Controller(['v1/domains', 'domains'])
export class DomainsController {
  constructor(
    private readonly domains: ZonesService,
    private readonly lists: ZoneLists,
    private readonly answersOnce: IdempotentRequests,
    private readonly absoluteUrl: AbsoluteUrl,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiCreateDomain()
  async create(
    @Body() body: CreateDomainDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.answersOnce.give<ZoneEntity>(
      { request, response },
      (hook) => this.domains.create(toNewZone(body), caller, { hook }),
      (domain) => ({
        body: toDomainDto(domain),
        entityTag: tagOfDomain(domain),
        location: this.absoluteUrl.of(request, `/v1/domains/${domain.id}`),
      }),
    );
  }

  @Get()
  @ApiListDomains()
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
    const { zones, hasNext, total } = await this.lists.page(caller, search, searchClientOf(request));
    return {
      domains: zones.map((zone) => (isDetailed ? toDetailedDomainDto(zone, caller) : toDomainDto(zone))),
      ...(total !== null && { count: { total } }),
      links: this.paging.numberedLinks(request, hasNext ? search.offset + search.limit : null),
    };
  }

  @Get(':domain_id')
  @ApiGetDomain()
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
  @ApiUpdateDomain()
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
  @ApiDeleteDomain()
  async delete(
    @PathId('domain_id') id: string,
    @CurrentCaller() caller: Caller,
    // Other parameters mean nothing, as they did before there was this one.
    @Query('force') force: unknown,
    @IfMatch() condition: Precondition | null,
  ): Promise<string> {
    const deleting = { ...caller, deletesSigned: force === 'true' };
    await this.domains.delete(id, deleting, (found) => condition?.assertHolds(tagOfDomain(found)));
    return '';
  }

  @Get(':domain_id/servers')
  @ApiListServers()
  async servers(@PathId('domain_id') id: string, @CurrentCaller() caller: Caller): Promise<ServerListDto> {
    const domain = await this.domains.get(id, caller);
    return { servers: this.domains.nameServers.map((name) => toServerDto(name, domain)) };
  }
}

/** It changes with everything in the domain. Change sets are conditional on it too. */
function tagOfDomain({ version, changedAt }: Readonly<ZoneEntity>): string {
  return entityTag(version, changedAt);
}
