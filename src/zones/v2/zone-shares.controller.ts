import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query, type CollectionRules, V2Id } from '../../http/v2/parameters.js';
import { V2Links } from '../../http/v2/collection.js';
import type { ZoneShare } from '../sharing/zone-share.repository.js';
import { ZoneSharesService } from '../sharing/zone-shares.service.js';
import { CreateZoneShareDto, toZoneShareDto, ZoneShareDto, ZoneShareListDto } from './dto/zone-share.dto.js';
import { V2Operation, V2Operations } from '../../http/v2/api-docs.js';

const SHARE_LIST: CollectionRules = {
  filters: ['target_project_id'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'created_at' },
};

@V2Operations('zone shares')
@Controller('v2/zones/:zone_id/shares')
export class ZoneSharesController {
  constructor(
    private readonly shares: ZoneSharesService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @V2Operation({
    summary: 'Share a zone',
    description: 'The other project sees the zone, and puts record sets of its own into it.',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 201, type: ZoneShareDto, description: 'It is shared.' },
    bodyErrors: ['change_not_allowed', 'duplicate_share'],
  })
  async create(
    @V2Id('zone_id') zoneId: string,
    @Body() body: CreateZoneShareDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneShareDto> {
    return this.shown(await this.shares.share(zoneId, body.target_project_id, caller), request);
  }

  @Get()
  @V2Operation({
    summary: 'List with whom a zone is shared',
    list: SHARE_LIST,
    ids: { zone_id: 'zone_not_found' },
    response: ZoneShareListDto,
  })
  async list(
    @V2Id('zone_id') zoneId: string,
    @V2Query(SHARE_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext } = await this.shares.page(zoneId, caller, query);
    return this.links.collectionOf('shared_zones', { rows, hasNext }, (share) => this.shown(share, request), request);
  }

  @Get(':share_id')
  @V2Operation({
    summary: 'Get a share',
    ids: { zone_id: 'zone_not_found', share_id: 'share_not_found' },
    response: ZoneShareDto,
    errors: ['zone_not_found', 'share_not_found'],
  })
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
  @V2Operation({
    summary: 'End a share',
    description: 'When the other project has no record sets in the zone.',
    ids: { zone_id: 'zone_not_found', share_id: 'share_not_found' },
    response: { status: 204, description: 'It is ended.' },
    errors: ['zone_not_found', 'share_not_found', 'invalid_uuid', 'shared_zone_has_record_sets'],
  })
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
