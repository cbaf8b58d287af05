import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { BodyOptional, Produces } from '../../http/bodies/media-types.js';
import { isKnownTag } from '../../http/conditions.js';
import { CurrentCaller, Gone } from '../../http/decorators.js';
import { CachedTextResponse } from '../../http/custom-responses.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query, V2Id } from '../../http/v2/parameters.js';
import { V2Links } from '../../http/v2/collection.js';
import { ZoneExportTasksService } from '../tasks/zone-export-tasks.service.js';
import { ZoneTasksService } from '../tasks/zone-tasks.service.js';
import { pathOfExport, toZoneExportDto, ZoneExportDto, ZoneExportListDto, TASK_LIST } from './dto/zone-task.dto.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/headers.js';
import { V2_LOCATION, V2Operation, V2Operations } from '../../http/v2/api-docs.js';

const ZONE_FILE = 'text/dns';

@V2Operations('zone exports')
@Controller('v2/zones')
export class ZoneExportsController {
  constructor(
    private readonly exports: ZoneExportTasksService,
    private readonly tasks: ZoneTasksService,
    private readonly links: V2Links,
  ) {}

  @Post(':zone_id/tasks/export')
  @HttpCode(202)
  @BodyOptional()
  @V2Operation({
    summary: 'Export a zone to be fetched later',
    description: 'The zone as it is now, for a day. The body is empty.',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 202, type: ZoneExportDto, headers: V2_LOCATION, description: 'It has started.' },
    errors: ['over_quota'],
  })
  async create(
    @V2Id('zone_id') zoneId: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneExportDto> {
    const task = await this.exports.begin(zoneId, caller);
    response.location(this.links.to(request, pathOfExport(task.id)));
    return toZoneExportDto(task, (path) => this.links.to(request, path));
  }

  @Get('tasks/exports')
  @V2Operation({ summary: 'List exports', list: TASK_LIST, response: ZoneExportListDto })
  async list(
    @V2Query(TASK_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const page = await this.tasks.page('export', caller, query);
    const link = (path: string): string => this.links.to(request, path);
    return this.links.collectionOf('exports', page, (task) => toZoneExportDto(task, link), request);
  }

  @Get('tasks/exports/:export_id')
  @V2Operation({ summary: 'Get an export', ids: { export_id: 'zone_export_not_found' }, response: ZoneExportDto })
  async get(
    @V2Id('export_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneExportDto> {
    return toZoneExportDto(await this.tasks.get('export', id, caller), (path) => this.links.to(request, path));
  }

  @Get('tasks/exports/:export_id/export')
  @Produces(ZONE_FILE)
  @V2Operation({
    summary: 'Get the text of an export',
    description: 'The zone as it was when it was exported.',
    produces: 'text/dns',
    ids: { export_id: ['zone_export_not_found', 'zone_not_found', 'serial_not_found'] },
    parameters: [ApiIfNoneMatch()],
    response: { schema: { type: 'string' }, headers: ENTITY_TAG },
    errors: ['over_quota'],
  })
  async fetch(
    @V2Id('export_id') id: string,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CachedTextResponse> {
    const isKnown = (tag: string): boolean => isKnownTag(response, tag);
    return new CachedTextResponse(ZONE_FILE, await this.exports.readUnlessKnown(id, isKnown, caller, gone));
  }

  @Delete('tasks/exports/:export_id')
  @HttpCode(204)
  @V2Operation({
    summary: 'Delete an export',
    ids: { export_id: 'zone_export_not_found' },
    response: { status: 204, description: 'It is deleted.' },
  })
  delete(@V2Id('export_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.tasks.delete('export', id, caller);
  }
}
