import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { mayOwnPublicSuffix } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query } from '../../http/v2/collection-query.js';
import { V2Links } from '../../http/v2/collection.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import type { ZoneEntity } from '../zone.entity.js';
import { ZoneSharesService } from '../sharing/zone-shares.service.js';
import { ZoneViews } from '../lists/zone-views.js';
import { ZonesService } from '../zones.service.js';
import { CreateZoneDto, toNewZone } from './dto/create-zone.dto.js';
import { type NameServerListDto, toNameServerList } from './dto/name-server.dto.js';
import { toZoneUpdate, UpdateZoneDto } from './dto/update-zone.dto.js';
import {
  actionOf,
  type StatusView,
  toZoneDto,
  type ZoneAction,
  type ZoneDto,
  type ZoneToShow,
} from './dto/zone.dto.js';
import { ApiCreateZone, ApiDeleteZone, ApiGetZone, ApiListNameServers, ApiListZones } from './zones.api.js';
import { ApiUpdateZone, ApiZones, ZONE_LIST } from './zones.api.js';
import { assertSeveralLabels } from './zone-name.js';

@ApiZones()
@Controller('v2/zones')
export class ZonesController {
  constructor(
    private readonly zones: ZonesService,
    private readonly views: ZoneViews,
    private readonly shares: ZoneSharesService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiCreateZone()
  async create(
    @Body() body: CreateZoneDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneDto> {
    const fields = toNewZone(body);
    if (!mayOwnPublicSuffix(caller)) assertSeveralLabels(body.name);
    const zone = await this.zones.create(fields, caller);
    response.setHeader('Location', this.links.to(request, pathOf(zone)));
    return this.shown(zone, pending('CREATE'), request);
  }

  @Get()
  @ApiListZones()
  async list(
    @V2Query(ZONE_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext, total } = await this.views.page(caller, query);
    const entries = rows.map((zone) => this.shown(zone, statusOf(zone), request));
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('zones', { entries, next, total }, request);
  }

  @Get(':zone_id')
  @ApiGetZone()
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
  @ApiUpdateZone()
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
  @ApiDeleteZone()
  async delete(
    @V2Id('zone_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneDto> {
    const zone = await this.shares.asOwner(id, caller, this.zones.delete(id, caller));
    return this.shown(zone, pending('DELETE'), request);
  }

  @Get(':zone_id/nameservers')
  @ApiListNameServers()
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

/** What a write is answered with (behaviour 13.3). */
function pending(action: ZoneAction): StatusView {
  return { status: 'PENDING', action };
}

function statusOf(zone: Awaited<ReturnType<ZoneViews['find']>>): StatusView {
  return { status: zone.status, action: actionOf(zone, zone.status) };
}
