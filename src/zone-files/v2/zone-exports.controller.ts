import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { BodyOptional, Produces } from '../../http/bodies/media-types.js';
import { isKnownTag } from '../../http/conditions.js';
import { CurrentCaller, Gone } from '../../http/decorators.js';
import { CachedTextResponse } from '../../http/cached-text-response.js';
import type { ApiRequest } from '../../http/request.js';
import { ApiV2Operations } from '../../http/v2/api-docs.js';
import { V2Query } from '../../http/v2/collection-query.js';
import { V2Links } from '../../http/v2/collection.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import { ZoneExportTasksService } from '../tasks/zone-export-tasks.service.js';
import { ZoneTasksService } from '../tasks/zone-tasks.service.js';
import { pathOfExport, toZoneExportDto, type ZoneExportDto } from './dto/zone-task.dto.js';
import { ApiCreateExport, ApiDeleteExport, ApiFetchExport } from './zone-tasks.api.js';
import { ApiGetExport, ApiListExports, TASK_LIST } from './zone-tasks.api.js';

const ZONE_FILE = 'text/dns';

@ApiV2Operations('zone exports')
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
  @ApiCreateExport()
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
  @ApiListExports()
  async list(
    @V2Query(TASK_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext, total } = await this.tasks.page('export', caller, query);
    const entries = rows.map((task) => toZoneExportDto(task, (path) => this.links.to(request, path)));
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('exports', { entries, next, total }, request);
  }

  @Get('tasks/exports/:export_id')
  @ApiGetExport()
  async get(
    @V2Id('export_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneExportDto> {
    return toZoneExportDto(await this.tasks.get('export', id, caller), (path) => this.links.to(request, path));
  }

  @Get('tasks/exports/:export_id/export')
  @Produces(ZONE_FILE)
  @ApiFetchExport()
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
  @ApiDeleteExport()
  delete(@V2Id('export_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.tasks.delete('export', id, caller);
  }
}
