import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { Consumes } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { ApiV2Operations } from '../../http/v2/api-docs.js';
import { V2Query } from '../../http/v2/collection-query.js';
import { V2Links } from '../../http/v2/collection.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import { ZoneImportTasksService } from '../tasks/zone-import-tasks.service.js';
import { ZoneTasksService } from '../tasks/zone-tasks.service.js';
import { pathOfImport, toZoneImportDto, type ZoneImportDto } from './dto/zone-task.dto.js';
import { ApiCreateImport, ApiDeleteImport, ApiGetImport, ApiListImports, TASK_LIST } from './zone-tasks.api.js';

@ApiV2Operations('zone imports')
@Controller('v2/zones/tasks/imports')
export class ZoneImportsController {
  constructor(
    private readonly imports: ZoneImportTasksService,
    private readonly tasks: ZoneTasksService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @HttpCode(202)
  @Consumes('text/dns')
  @ApiCreateImport()
  async create(
    @Body() octets: Buffer,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneImportDto> {
    const task = await this.imports.begin(caller, octets);
    response.location(this.links.to(request, pathOfImport(task.id)));
    return toZoneImportDto(task, (path) => this.links.to(request, path));
  }

  @Get()
  @ApiListImports()
  async list(
    @V2Query(TASK_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext, total } = await this.tasks.page('import', caller, query);
    const entries = rows.map((task) => toZoneImportDto(task, (path) => this.links.to(request, path)));
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('imports', { entries, next, total }, request);
  }

  @Get(':import_id')
  @ApiGetImport()
  async get(
    @V2Id('import_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneImportDto> {
    return toZoneImportDto(await this.tasks.get('import', id, caller), (path) => this.links.to(request, path));
  }

  @Delete(':import_id')
  @HttpCode(204)
  @ApiDeleteImport()
  delete(@V2Id('import_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.tasks.delete('import', id, caller);
  }
}
