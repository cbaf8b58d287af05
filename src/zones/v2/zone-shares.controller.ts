import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { ApiV2Operations } from '../../http/v2/api-docs.js';
import { V2Query } from '../../http/v2/collection-query.js';
import { V2Links } from '../../http/v2/collection.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import type { ZoneShare } from '../sharing/zone-share.repository.js';
import { ZoneSharesService } from '../sharing/zone-shares.service.js';
import { CreateZoneShareDto, toZoneShareDto, type ZoneShareDto } from './dto/zone-share.dto.js';
import { ApiCreateZoneShare, ApiDeleteZoneShare, ApiGetZoneShare } from './zone-shares.api.js';
import { ApiListZoneShares, SHARE_LIST } from './zone-shares.api.js';

@ApiV2Operations('zone shares')
@Controller('v2/zones/:zone_id/shares')
export class ZoneSharesController {
  constructor(
    private readonly shares: ZoneSharesService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @ApiCreateZoneShare()
  async create(
    @V2Id('zone_id') zoneId: string,
    @Body() body: CreateZoneShareDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneShareDto> {
    return this.shown(await this.shares.share(zoneId, body.target_project_id, caller), request);
  }

  @Get()
  @ApiListZoneShares()
  async list(
    @V2Id('zone_id') zoneId: string,
    @V2Query(SHARE_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext } = await this.shares.page(zoneId, caller, query);
    const entries = rows.map((share) => this.shown(share, request));
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('shared_zones', { entries, next, total: null }, request);
  }

  @Get(':share_id')
  @ApiGetZoneShare()
  async get(
    @V2Id('zone_id') zoneId: string,
    @V2Id('share_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneShareDto> {
    return this.shown(await this.shares.get(zoneId, id, caller), request);
  }

  @Delete(':share_id')
  @HttpCode(204)
  @ApiDeleteZoneShare()
  delete(
    @V2Id('zone_id') zoneId: string,
    @V2Id('share_id') id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.shares.end(zoneId, id, caller);
  }

  private shown(share: ZoneShare, request: ApiRequest): ZoneShareDto {
    return toZoneShareDto(share, (path) => this.links.to(request, path));
  }
}
