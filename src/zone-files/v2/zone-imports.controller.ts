import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { Consumes } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query, V2Id } from '../../http/v2/parameters.js';
import { V2Links } from '../../http/v2/collection.js';
import { ZoneImportTasksService } from '../tasks/zone-import-tasks.service.js';
import { ZoneTasksService } from '../tasks/zone-tasks.service.js';
import { pathOfImport, toZoneImportDto, ZoneImportDto, ZoneImportListDto, TASK_LIST } from './dto/zone-task.dto.js';
import { V2_LOCATION, V2Operation, V2Operations } from '../../http/v2/api-docs.js';

const EXAMPLE = `$ORIGIN example.org.
@   3600 IN SOA ns1.example.net. hostmaster.example.org. 1 3600 600 86400 3600
www      IN A   192.0.2.3
`;

@V2Operations('zone imports')
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
  @V2Operation({
    summary: 'Create a zone from a zone file',
    description:
      'The file is checked afterwards: if something is wrong with it, the status of the import is `ERROR`, its message says what, and nothing is stored.' +
      ' Name, email and ttl of the zone are those of the SOA record; NS records of the apex are left out.',
    consumes: 'text/dns',
    requestBody: { schema: { type: 'string' }, examples: { zone: { value: EXAMPLE } } },
    response: { status: 202, type: ZoneImportDto, headers: V2_LOCATION, description: 'It has started.' },
    errors: ['payload_too_large', 'unsupported_content_type'],
  })
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
  @V2Operation({ summary: 'List imports', list: TASK_LIST, response: ZoneImportListDto })
  async list(
    @V2Query(TASK_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const page = await this.tasks.page('import', caller, query);
    const link = (path: string): string => this.links.to(request, path);
    return this.links.collectionOf('imports', page, (task) => toZoneImportDto(task, link), request);
  }

  @Get(':import_id')
  @V2Operation({ summary: 'Get an import', ids: { import_id: 'zone_import_not_found' }, response: ZoneImportDto })
  async get(
    @V2Id('import_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ZoneImportDto> {
    return toZoneImportDto(await this.tasks.get('import', id, caller), (path) => this.links.to(request, path));
  }

  @Delete(':import_id')
  @HttpCode(204)
  @V2Operation({
    summary: 'Delete an import',
    description: 'The zone that it has made stays; an import that has not finished makes none.',
    ids: { import_id: 'zone_import_not_found' },
    response: { status: 204, description: 'It is deleted.' },
  })
  delete(@V2Id('import_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.tasks.delete('import', id, caller);
  }
}
