import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { mayOwnPublicSuffix } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { LABEL, V2Query, type CollectionRules, V2Id } from '../../http/v2/parameters.js';
import { V2Links } from '../../http/v2/collection.js';
import type { ZoneEntity } from '../zone.entity.js';
import { ZoneSharesService } from '../sharing/zone-shares.service.js';
import { ZoneViews } from '../lists/zone-views.js';
import { ZoneTemplates } from '../zone-templates.js';
import { ZonesService } from '../zones.service.js';
import {
  CreateZoneDto,
  templateIn,
  toNewZone,
  toZoneUpdate,
  UpdateZoneDto,
  assertSeveralLabels,
} from './dto/zone-fields.dto.js';
import {
  NameServerListDto,
  toNameServerList,
  actionOf,
  type StatusView,
  toZoneDto,
  type ZoneAction,
  ZoneDto,
  type ZoneToShow,
  ZoneListDto,
} from './dto/zone.dto.js';
import { V2_LOCATION, V2Operation, V2Operations } from '../../http/v2/api-docs.js';

const ZONE_LIST: CollectionRules = {
  filters: ['name', 'type', 'email', 'status', 'description', 'ttl', LABEL],
  sortKeys: {
    created_at: 'created_at',
    id: 'id',
    updated_at: 'updated_at',
    name: 'name',
    tenant_id: 'tenant_id',
    serial: 'serial',
    ttl: 'ttl',
    status: 'status',
  },
};

@V2Operations('zones')
@Controller('v2/zones')
export class ZonesController {
  constructor(
    private readonly zones: ZonesService,
    private readonly templates: ZoneTemplates,
    private readonly views: ZoneViews,
    private readonly shares: ZoneSharesService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @HttpCode(202)
  @V2Operation({
    id: 'createZone',
    summary: 'Create a zone',
    description: 'The answer is `PENDING`; GET tells when every name server has the zone.',
    response: { status: 202, type: ZoneDto, headers: V2_LOCATION },
    bodyErrors: ['invalid_zone_name', 'invalid_ttl', 'inside_foreign_zone', 'contains_foreign_zone'],
    errors: ['duplicate_zone', 'duplicate_master', 'over_quota'],
  })
  async create(
    @Body() body: CreateZoneDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneDto> {
    const fields = toNewZone(body);
    if (!mayOwnPublicSuffix(caller)) assertSeveralLabels(body.name);
    const template = templateIn(fields);
    const chosen =
      template === undefined ? { caller } : await this.templates.choose(template, 'attributes.template', caller);
    const zone = await this.zones.create(fields, chosen.caller, { ...chosen, hook: null });
    response.setHeader('Location', this.links.to(request, pathOf(zone)));
    return this.shown(zone, pending('CREATE'), request);
  }

  @Get()
  @V2Operation({ id: 'listZones', summary: 'List zones', list: ZONE_LIST, response: ZoneListDto })
  async list(
    @V2Query(ZONE_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const page = await this.views.page(caller, query);
    return this.links.collectionOf('zones', page, (zone) => this.shown(zone, statusOf(zone), request), request);
  }

  @Get(':zone_id')
  @V2Operation({ id: 'getZone', summary: 'Get a zone', ids: { zone_id: 'zone_not_found' }, response: ZoneDto })
  async get(
    @V2Id('zone_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneDto> {
    const zone = await this.views.find(id, caller);
    return this.shown(zone, statusOf(zone), request);
  }

  @Patch(':zone_id')
  @HttpCode(202)
  @V2Operation({
    id: 'updateZone',
    summary: 'Update a zone',
    description: 'Fields that are left out keep their values.',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 202, type: ZoneDto },
    bodyErrors: ['invalid_ttl', 'duplicate_master'],
  })
  async update(
    @V2Id('zone_id') id: string,
    @Body() body: UpdateZoneDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneDto> {
    const zone = await this.shares.asOwner(id, caller, this.zones.update(id, toZoneUpdate(body), caller));
    return this.shown({ ...zone, isShared: await this.shares.isShared(id) }, pending('UPDATE'), request);
  }

  @Delete(':zone_id')
  @HttpCode(202)
  @V2Operation({
    id: 'deleteZone',
    summary: 'Delete a zone and its record sets',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 202, type: ZoneDto },
    errors: ['zone_has_child_zones', 'zone_is_shared'],
  })
  async delete(
    @V2Id('zone_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneDto> {
    const zone = await this.shares.asOwner(id, caller, this.zones.delete(id, caller));
    return this.shown(zone, pending('DELETE'), request);
  }

  @Get(':zone_id/nameservers')
  @V2Operation({
    id: 'listNameServers',
    summary: 'List the name servers of a zone',
    ids: { zone_id: 'zone_not_found' },
    response: NameServerListDto,
  })
  async nameServers(@V2Id('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<NameServerListDto> {
    await this.views.find(id, caller);
    return toNameServerList(this.zones.nameServers);
  }

  private shown(zone: ZoneToShow, status: StatusView, request: ApiRequest): ZoneDto {
    return toZoneDto(zone, status, this.links.self(request, pathOf(zone)));
  }
}

function pathOf({ id }: Readonly<ZoneEntity>): string {
  return `/v2/zones/${id}`;
}

/** Behaviour 13.3. */
function pending(action: ZoneAction): StatusView {
  return { status: 'PENDING', action };
}

function statusOf(zone: Awaited<ReturnType<ZoneViews['find']>>): StatusView {
  return { status: zone.status, action: actionOf(zone, zone.status) };
}
